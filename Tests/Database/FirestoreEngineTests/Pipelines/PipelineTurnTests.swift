// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Callers take turns, and no pipeline keeps others waiting for long.
@Suite struct PipelineTurnTests {
    /// What has begun, in order; each ends when the test says so.
    private final class Turns: Sendable {
        private let state = Mutex((begun: [String](), mayEnd: Set<String>(), ended: 0))
        let lane: PipelineLane

        init(_ lane: PipelineLane) { self.lane = lane }

        var begun: [String] { state.withLock { $0.begun } }

        func end(_ name: String) { state.withLock { _ = $0.mayEnd.insert(name) } }

        /// Lets a pipeline of a caller stand in the line. The name begins with that of the caller.
        func add(_ name: String) -> Task<FirestoreError.Code?, Never> {
            Task {
                do throws(FirestoreError) {
                    try await lane.run(of: String(name.prefix(1)), until: nil) { () async throws(FirestoreError) in
                        state.withLock { $0.begun.append(name) }
                        while !Task.isCancelled, !state.withLock({ $0.mayEnd.contains(name) }) { await Task.yield() }
                    }
                    return nil
                } catch {
                    return error.code
                }
            }
        }

        /// Adds pipelines, each of which stands in the line, or runs, before the next one comes.
        func add(_ names: [String]) async -> [Task<FirestoreError.Code?, Never>] {
            var tasks: [Task<FirestoreError.Code?, Never>] = []
            for name in names {
                let before = lane.count
                tasks.append(add(name))
                await eventually("\(name) is there") { lane.count > before }
            }
            return tasks
        }
    }

    @Test func `callers take turns, however many pipelines each of them has`() async {
        let turns = Turns(PipelineLane(width: 1))
        let tasks = await turns.add(["a1", "a2", "a3", "a4", "b1", "b2", "c1"])
        for (count, name) in ["a1", "a2", "b1", "c1", "a3", "b2", "a4"].enumerated() {
            await eventually("\(name) runs") { turns.begun.count == count + 1 }
            #expect(turns.begun.last == name)
            turns.end(name)
        }
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `one caller never has all turns, and one while others wait`() async {
        let turns = Turns(PipelineLane(width: 3))
        let own = await turns.add(["a1", "a2", "a3", "a4"])
        await eventually("two of them run") { Set(turns.begun) == ["a1", "a2"] }
        // Another one begins immediately.
        let others = await turns.add(["b1", "b2", "c1"])
        await eventually("b1 runs") { turns.begun.contains("b1") }
        #expect(turns.begun.count == 3)
        // The turn goes to the one that has none, although others have waited for longer.
        turns.end("a1")
        await eventually("c1 runs") { turns.begun.count == 4 }
        #expect(turns.begun.last == "c1")
        for name in ["a2", "a3", "a4", "b1", "b2", "c1"] { turns.end(name) }
        for task in own + others { #expect(await task.value == nil) }
        #expect(turns.lane.count == 0)
    }

    @Test func `a caller that sends many fills its own line and no other one's`() async {
        let turns = Turns(PipelineLane(width: 1, mostWaiting: 8, mostOfCaller: 2))
        let first = await turns.add(["a0", "a1", "a2"])
        #expect(await turns.add("a3").value == .resourceExhausted)
        let others = await turns.add(["b1"])
        for name in ["a0", "a1", "a2", "b1"] { turns.end(name) }
        for task in first + others { #expect(await task.value == nil) }
    }

    private static let database = DatabaseID(projectID: "demo-pipelines")
    private static let endless = #"literals({x: 1}).let(split(string_repeat("a,", 100000), ",") as m)"#
        + String(repeating: ".unnest($m as e)", count: 4) + ".aggregate(count() as n)"

    private func execute(_ text: String, on engine: Engine) -> Task<FirestoreError.Code?, any Error> {
        Task {
            let pipeline = try PipelineText.parse(text)
            do throws(FirestoreError) {
                _ = try await engine.execute(pipeline, context: .embedded)
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test func `a pipeline ends after a minute, whatever its caller says`() async throws {
        let clock = Mutex(ContinuousClock.now)
        var configuration = EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database)
        configuration.pipelineClock = {
            clock.withLock { now in
                now += .milliseconds(100)
                return now
            }
        }
        let engine = try Engine.open(configuration)
        #expect(try await execute(Self.endless, on: engine).value == .deadlineExceeded)
        await engine.shutdown()
    }

    /// In memory there is one connection.
    @Test func `a long pipeline in memory keeps no read and no commit waiting, and sees none of them`() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: Self.database))
        func write(_ number: Int) async throws {
            let write = Write(
                key: DocumentKey(trusted: "c/d\(number)"), operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(number)))]))))
            _ = try await engine.commit([write], context: .embedded)
        }
        for number in 0..<20 { try await write(number) }
        let long = execute(Self.endless, on: engine)
        await eventually("it reads a copy") { engine.core.memorySnapshots?.hasCopy == true }
        let query = StructuredQuery(scope: .collection(CollectionPath(trusted: "c")))
        for number in 20..<40 {
            try await write(number)
            #expect(try await engine.run(query, context: .embedded).documents.count == number + 1)
        }
        long.cancel()
        #expect(try await long.value == .cancelled)
        await engine.shutdown()
    }

    @Test func `long pipelines in memory see everything that was acknowledged before`() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: Self.database))
        // More than an attempt takes: every row meets every other one.
        let text = #"collection(/c).unnest(split(string_repeat("a,", 1000), ",") as e)"#
            + ".aggregate(count() as n, count_distinct(__name__) as d)"
        for number in 0..<8 {
            let write = Write(key: DocumentKey(trusted: "c/d\(number)"), operation: .set(FieldBytes(FieldMap())))
            _ = try await engine.commit([write], context: .embedded)
            let rows = try await engine.execute(try PipelineText.parse(text), context: .embedded).rows
            let row = try #require(rows.first)
            #expect(PipelineText.print(.value(try row.fields.map["d"] ?? .null)) == "\(number + 1)")
            #expect(PipelineText.print(.value(try row.fields.map["n"] ?? .null)) == "\((number + 1) * 1_001)")
        }
        #expect((1..<8).contains(try #require(engine.core.memorySnapshots).copies))
        await engine.shutdown()
    }
}
