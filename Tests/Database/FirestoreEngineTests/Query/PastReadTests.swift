// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// QR-47, QR-48: reads as of an earlier moment.
@Suite struct PastReadTests {
    private static let queries: [StructuredQuery] = [
        .collection("c"), .group("c"), .collection("c").filter("n", .greaterThan, .integer(2)),
        .collection("c").ordered(by: "n"), .collection("c").ordered(by: "n", .descending).window(limit: 3),
        .group("c").ordered(by: "n").window(offset: 2, limit: 4), .collection("d").window(offset: 1, limit: nil),
        .group("c").filter("n", .in, .array([.integer(1), .integer(3)])), .collection("c").filter("n", .equal, .integer(1)),
        .collection("c").filter("n", .equal, .integer(2)).ordered(by: "m"), .collection("none"),
        .collection("c").ordered(by: "__name__", .descending).window(limit: 4),
        StructuredQuery(scope: .kindless(under: nil, allDescendants: true)),
        StructuredQuery(scope: .kindless(under: nil, allDescendants: false)),
        StructuredQuery(scope: .kindless(under: DocumentKey(trusted: "c/1"), allDescendants: true)),
        StructuredQuery(scope: .collectionGroup(id: "c", under: DocumentKey(trusted: "c/1"))),
    ]
    private static let keys = ["c", "d", "c/1/c", "c/1/e", "d/2/c"].flatMap { collection in
        (0..<5).map { DocumentKey(trusted: "\(collection)/\($0)") }
    }

    /// Everything there was to see at one time.
    private struct Moment {
        let time: DocumentVersion
        let documents: [Document?]
        let results: [[Document]]
    }

    private func look(_ engine: Engine, at moment: ReadMoment) async throws -> ([Document?], [[Document]]) {
        var results: [[Document]] = []
        for query in Self.queries {
            results.append(try await engine.run(query, options: ReadOptions(moment), context: .embedded).documents)
        }
        return (try await engine.documents(Self.keys, options: ReadOptions(moment), context: .embedded).documents, results)
    }

    private func randomWrite(_ generator: inout SeededGenerator) -> Write {
        let key = Self.keys.randomElement(using: &generator)!
        if Int.random(in: 0..<4, using: &generator) == 0 { return .delete(key.path) }
        let n = Value.integer(.random(in: 0..<5, using: &generator))
        return Bool.random(using: &generator) ? .set(key.path, ("n", n)) : .set(key.path, ("n", n), ("m", n))
    }

    @Test("every earlier state can be seen again, whatever came after", arguments: [(1, true), (2, true), (3, false)])
    func history(seed: UInt64, inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let clock = ManualClock(microseconds: 1_000_000_000)
        let engine = inMemory ? try Engine.memory(clock: clock) : try Engine.file(directory.file(), clock: clock)
        var generator = SeededGenerator(seed: seed)
        var moments: [Moment] = []
        for round in 0..<40 {
            clock.advance(microseconds: .random(in: 0..<50, using: &generator))
            var writes: [Write] = []
            for _ in 0..<Int.random(in: 1...5, using: &generator) { writes.append(randomWrite(&generator)) }
            let time = try await engine.commit(writes, context: .embedded).commitTime
            clock.set(microseconds: max(clock.now(), time.microseconds))
            let (documents, results) = try await look(engine, at: .latest)
            moments.append(Moment(time: time, documents: documents, results: results))
            for _ in 0..<3 {
                let index = Int.random(in: 0..<moments.count, using: &generator)
                // Between two commits the earlier one holds.
                let end = index + 1 < moments.count ? moments[index + 1].time.microseconds - 1 : clock.now()
                let moment = moments[index]
                let time = DocumentVersion(microseconds: .random(in: moment.time.microseconds...end, using: &generator))
                let (documents, results) = try await look(engine, at: .past(time))
                #expect(documents == moment.documents, "documents of \(index) in round \(round)")
                for (query, (result, expected)) in zip(Self.queries, zip(results, moment.results)) {
                    #expect(result == expected, "\(query) of \(index) in round \(round)")
                }
            }
        }
        let (documents, results) = try await look(engine, at: .past(DocumentVersion(microseconds: 999_999_999)))
        #expect(documents.allSatisfy { $0 == nil } && results.allSatisfy(\.isEmpty), "before the first commit")
        try await engine.checkAndShutDown()
    }

    @Test("the answer contains the requested time")
    func readTime() async throws {
        let clock = ManualClock(microseconds: 5_000)
        let engine = try Engine.memory(clock: clock)
        try await engine.commit(.set("c/a"))
        clock.set(microseconds: 9_000)
        let time = DocumentVersion(microseconds: 8_000)
        #expect(try await engine.documents([], options: .past(time), context: .embedded).readTime == time)
        #expect(try await engine.run(.collection("c"), options: .past(time), context: .embedded).readTime == time)
        try await engine.checkAndShutDown()
    }

    @Test("reads in the future and before the retention window are rejected")
    func bounds() async throws {
        let hour: Int64 = 3_600_000_000
        let clock = ManualClock(microseconds: 10 * hour)
        let engine = try Engine.memory(clock: clock)
        try await engine.commit(.set("c/a"))
        func read(_ microseconds: Int64) async throws {
            let moment = ReadMoment.past(DocumentVersion(microseconds: microseconds))
            _ = try await engine.run(.collection("c"), options: ReadOptions(moment), context: .embedded)
            _ = try await engine.documents([DocumentKey(trusted: "c/a")], options: ReadOptions(moment), context: .embedded)
        }
        try await read(10 * hour)
        try await read(9 * hour)
        await expectError(.invalidArgument) { try await read(10 * hour + 1) }
        await expectError(.failedPrecondition) { try await read(9 * hour - 1) }
        await expectError(.failedPrecondition) { try await read(-1) }
        // Commit times run ahead of a clock that stands still.
        let ahead = try await engine.commit(.set("c/a", ("n", .integer(1)))).commitTime
        #expect(ahead.microseconds == 10 * hour + 1)
        try await read(10 * hour + 1)
        await expectError(.invalidArgument) { try await read(10 * hour + 2) }
        try await engine.checkAndShutDown()
    }

    @Test("the state that was read as of a moment never changes, even by a commit in the same microsecond")
    func repeatable() async throws {
        let clock = ManualClock(microseconds: 1_000)
        let engine = try Engine.memory(clock: clock)
        let moment = ReadMoment.past(DocumentVersion(microseconds: 1_000))
        #expect(try await engine.run(.collection("c"), options: ReadOptions(moment), context: .embedded).documents.isEmpty)
        clock.set(microseconds: 10)
        #expect(try await engine.commit(.set("c/a")).commitTime.microseconds == 1_001)
        clock.set(microseconds: 1_000)
        #expect(try await engine.run(.collection("c"), options: ReadOptions(moment), context: .embedded).documents.isEmpty)
        try await engine.checkAndShutDown()
    }

    @Test("a log that was cleaned further than the window is not read as if it were whole")
    func cleaned() async throws {
        let clock = ManualClock(microseconds: 1_000_000)
        let engine = try Engine.open(
            EngineConfiguration(location: .memory, databaseID: testDatabase, clock: clock, logRetention: 100))
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        clock.advance(microseconds: 61_000_000)
        try await engine.commit(.set("c/a", ("n", .integer(2))))
        try await engine.commit(.set("c/a", ("n", .integer(3))))
        // The clock was set back: the moment is within the window, but what led up to it is gone.
        clock.set(microseconds: 1_000_050)
        await expectError(.failedPrecondition) {
            try await engine.run(
                .collection("c"), options: .past(DocumentVersion(microseconds: 999_990)), context: .embedded)
        }
        try await engine.checkAndShutDown()
    }
}
