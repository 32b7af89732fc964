// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestorePipelines

/// What a pipeline holds counts, whatever holds it.
@Suite struct MemoryTests {
    private static let size = 80_000
    private static let row = #"literals({x: 1}).select(string_repeat("a", \#(size)) as t)"#

    /// The most that a pipeline holds at a time.
    private func peak(_ text: String) throws -> Int {
        let budget = PipelineBudget()
        _ = try PipelineWorkbench.run(text, budget)
        return budget.peak
    }

    @Test func `the memory of a pipeline does not depend on the number of its stages`() throws {
        let stages = [
            "add_fields(1 as n)", "select(t)", "remove_fields(n)", "replace_with({t: t})", "where(exists(t)).select(t)", "limit(1).select(t)",
        ]
        for stage in stages {
            let few = try peak(Self.row + "." + Array(repeating: stage, count: 2).joined(separator: "."))
            let many = try peak(Self.row + "." + Array(repeating: stage, count: 60).joined(separator: "."))
            #expect(few >= 2 * Self.size, "\(stage): rows in flight are not counted")
            #expect(many <= few + Self.size / 10, "\(stage): \(few) with 2 stages, \(many) with 60")
            #expect(many <= 5 * Self.size, "\(stage): \(many)")
        }
    }

    @Test func `rows that wait for others to be made of them count`() throws {
        let few = try peak(Self.row + ".add_fields(array(1) as a)" + String(repeating: ".unnest(a as e)", count: 2))
        let many = try peak(Self.row + ".add_fields(array(1) as a)" + String(repeating: ".unnest(a as e)", count: 20))
        // Each of them stays until its elements have passed.
        #expect(many >= few + 17 * Self.size)
        let budget = PipelineBudget(limits: PipelineLimits(memory: 10 * Self.size))
        let deep = Self.row + ".add_fields(array(1) as a)" + String(repeating: ".unnest(a as e)", count: 20)
        #expect(PipelineWorkbench.failure(deep, budget) == .resourceExhausted)
    }

    @Test func `nothing is held when a pipeline has ended but its rows`() throws {
        let stages = [
            "sort(t)", "sample(1 documents)", "unnest(array(1, 2) as e)", "union(collection(/c))", "let(t as v).select($v as t)", "distinct(t)",
            "aggregate(count() as n)", "replace_with({t: t})", "sort(t).limit(1)", "limit(1)", "where(false)",
        ]
        for stage in stages {
            let budget = PipelineBudget()
            let output = try PipelineWorkbench.run(Self.row + "." + stage, budget)
            #expect(budget.held == output.rows.reduce(0) { $0 + $1.weight }, "\(stage)")
        }
    }

    @Test func `whatever makes a value larger than its arguments looks before it does`() throws {
        let text = #"string_repeat("a", 80000)"#
        let list = #"split(string_repeat("a,", 40000), ",")"#
        let makers = [
            #"string_repeat("abc", 80000000)"#, #"string_repeat(string_repeat("a", 1000), 80000)"#,
            "string_concat(\(Array(repeating: text, count: 8).joined(separator: ", ")))",
            "concat(\(Array(repeating: text, count: 8).joined(separator: ", ")))",
            "array_concat(\(Array(repeating: list, count: 8).joined(separator: ", ")))",
            "array(\(Array(repeating: text, count: 8).joined(separator: ", ")))",
            "{a: \(text), b: \(text), c: \(text), d: \(text), e: \(text)}",
            #"join(\#(list), "a long delimiter between two of them")"#,
            #"string_replace_all(\#(text), "a", "a longer one")"#,
            #"array_transform(\#(list), "e", string_concat($e, "a longer text than it was"))"#,
            "map_merge({a: \(text), b: \(text)}, {c: \(text), d: \(text)})",
            #"map_set({a: \#(text), b: \#(text)}, "c", \#(text), "d", \#(text))"#,
            #"split(string_repeat("a,", 200000), ",")"#,
            #"string_reverse(string_concat(\#(text), \#(text), \#(text)))"#,
            #"to_upper(string_concat(\#(text), \#(text), \#(text)))"#,
            "array_reverse(array(\(text), \(text), \(text)))",
        ]
        for maker in makers {
            let budget = PipelineBudget(limits: PipelineLimits(memory: 1 << 18))
            let failure = PipelineWorkbench.failure("collection(/c).select(\(maker) as x)", budget)
            #expect(failure == .resourceExhausted, "\(maker.prefix(60))")
            #expect(budget.peak <= 1 << 19)
        }
    }

    @Test func `a row of the result that no transport takes is refused`() throws {
        let budget = PipelineBudget(limits: PipelineLimits(row: 1 << 20))
        #expect(PipelineWorkbench.failure(#"literals({x: 1}).select(string_repeat("a", 1100000) as x)"#, budget) == .resourceExhausted)
        #expect(PipelineWorkbench.failure(#"literals({x: 1}).select(byte_length(string_repeat("a", 1100000)) as x)"#, budget) == nil)
    }

    @Test func `all pipelines hold so much, and each caller half of it`() throws {
        let memory = PipelineMemory(total: 4 << 20, ofCaller: 2 << 20)
        var first: PipelineBudget? = PipelineBudget(memory: memory, caller: "a")
        _ = try PipelineWorkbench.run(#"literals({x: 1}).select(string_repeat("a", 400000) as x)"#, #require(first))
        let rest = #"literals({x: 1}).select(string_repeat("a", 600000) as x)"#
        // The first result has not been delivered yet.
        #expect(PipelineWorkbench.failure(rest, PipelineBudget(memory: memory, caller: "a")) == .resourceExhausted)
        #expect(PipelineWorkbench.failure(rest, PipelineBudget(memory: memory, caller: "b")) == nil)
        first = nil
        #expect(PipelineWorkbench.failure(rest, PipelineBudget(memory: memory, caller: "a")) == nil)
        #expect(memory.held == 0)
    }

    // A value that no row keeps is memory, too.
    @Test func `values that are being made count for all pipelines together`() throws {
        let memory = PipelineMemory(total: 8 << 20, ofCaller: 8 << 20)
        let makes = #"literals({x: 1}).select(byte_length(string_repeat("a", 3000000)) as x)"#
        var first: PipelineBudget? = PipelineBudget(memory: memory, caller: "a")
        #expect(PipelineWorkbench.failure(makes, try #require(first)) == nil)
        #expect(PipelineWorkbench.failure(makes, PipelineBudget(memory: memory, caller: "b")) == .resourceExhausted)
        first = nil
        #expect(PipelineWorkbench.failure(makes, PipelineBudget(memory: memory, caller: "b")) == nil)
    }

    @Test func `a pipeline runs for a minute, and waits for its turn as long as its caller does`() throws {
        let clock = Mutex(ContinuousClock.now)
        let budget = PipelineBudget(now: { clock.withLock { $0 } })
        func pass(_ seconds: Int) { clock.withLock { $0 += .seconds(seconds) } }
        for _ in 0..<3 {
            budget.begin()
            pass(19)
            try budget.check()
            budget.pause()
            pass(1_000)
            try budget.check()
        }
        budget.begin()
        pass(2)
        try budget.check()
        pass(2)
        #expect(throws: FirestoreError.self) { try budget.check() }
        do throws(FirestoreError) { try budget.check() } catch { #expect(error.code == .deadlineExceeded) }
    }
}
