// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Transactions on one counter that also read what does not change, in every order, on the threads of the engine (TX-9).
@Suite struct ReadOrderTests {
    enum Reads: CaseIterable {
        case document, settingsFirst, counterFirst, together, parallel, queryFirst, queryOfCounterFirst, pipelineFirst, pipelineOfCounter
    }

    /// The notes of a client about what it retries.
    enum Notes: CaseIterable {
        /// Each task has its own.
        case own
        /// As threads that share a function of the official Python client.
        case shared
    }

    /// What tasks share about the attempts.
    private final class SharedNote: Sendable {
        let id = Mutex<TransactionID?>(nil)
    }

    private static let attempts = 5
    private static let settings = DocumentKey(trusted: "s/settings")
    private static let counter = DocumentKey(trusted: "c/counter")

    private let engine: Engine

    init() throws {
        var configuration = try EngineConfiguration(location: EngineStores.place(), databaseID: testDatabase)
        // No turn ends because the machine is busy.
        let day: Int64 = 86_400_000_000
        configuration.retries = RetryLine.Limits(idle: day, turn: day, wait: day, memory: day, contest: day)
        engine = try Engine.open(configuration)
    }

    private func number(_ document: Document?) throws -> Int64 {
        guard case .integer(let number)? = try document?.fields.map["n"] else { throw FirestoreError(.notFound, "no counter") }
        return number
    }

    private func look(_ keys: DocumentKey..., in id: TransactionID) async throws -> [Document?] {
        try await engine.documents(keys, options: .acknowledged(.transaction(id)), context: .embedded).documents
    }

    private func query(_ collection: String, in id: TransactionID) async throws {
        _ = try await engine.run(
            StructuredQuery(scope: .collection(CollectionPath(trusted: collection))), options: .acknowledged(.transaction(id)), context: .embedded)
    }

    private func pipeline(_ collection: String, in id: TransactionID) async throws {
        let pipeline = try PipelineText.parse("collection(/\(collection))")
        _ = try await engine.execute(pipeline, options: PipelineOptions(.transaction(id)), context: .embedded)
    }

    /// Reads in an order, and returns the counter.
    private func read(_ reads: Reads, in id: TransactionID) async throws -> Int64 {
        switch reads {
        case .document: break
        case .settingsFirst: _ = try await look(Self.settings, in: id)
        case .counterFirst:
            let found = try await look(Self.counter, in: id)
            _ = try await look(Self.settings, in: id)
            return try number(found[0])
        case .together: return try number(try await look(Self.settings, Self.counter, in: id)[1])
        case .parallel:
            async let settings = look(Self.settings, in: id)
            async let counter = look(Self.counter, in: id)
            _ = try await settings
            return try number(try await counter[0])
        case .queryFirst: try await query("s", in: id)
        case .queryOfCounterFirst: try await query("c", in: id)
        case .pipelineFirst: try await pipeline("s", in: id)
        case .pipelineOfCounter: try await pipeline("c", in: id)
        }
        return try number(try await look(Self.counter, in: id)[0])
    }

    /// Increments a number of times; returns how many attempts that took, and how often it has given up.
    private func work(_ reads: Reads, times: Int, shared: SharedNote?) async throws -> (attempts: Int, failed: Int) {
        var total = (attempts: 0, failed: 0)
        for _ in 0..<times {
            var own: TransactionID?
            shared?.id.withLock { $0 = nil }
            var isDone = false
            for _ in 0..<Self.attempts where !isDone {
                total.attempts += 1
                let earlier = if let shared { shared.id.withLock { $0 } } else { own }
                let id = try await engine.beginTransaction(.readWrite(retrying: earlier), context: .embedded)
                own = own ?? id
                shared?.id.withLock { $0 = $0 ?? id }
                let number = try await read(reads, in: id)
                // Others come in between.
                await Task.yield()
                do {
                    _ = try await engine.commit([.set("c/counter", ("n", .integer(number + 1)))], in: id, context: .embedded)
                    isDone = true
                } catch {
                    guard error.code == .aborted else { throw error }
                }
            }
            if !isDone { total.failed += 1 }
        }
        return total
    }

    @Test(arguments: Reads.allCases, Notes.allCases)
    func `all succeed, whatever they read first and whatever their retries name`(reads: Reads, notes: Notes) async throws {
        try await engine.commit(.set("c/counter", ("n", .integer(0))), .set("s/settings", ("step", .integer(1))))
        let (tasks, times) = (12, TestScale.pick(quick: 5, full: 40))
        let shared = notes == .shared ? SharedNote() : nil
        let total = try await withThrowingTaskGroup(of: (attempts: Int, failed: Int).self) { group in
            for _ in 0..<tasks { group.addTask { try await work(reads, times: times, shared: shared) } }
            return try await group.reduce((0, 0)) { ($0.0 + $1.attempts, $0.1 + $1.failed) }
        }
        #expect(total.1 == 0)
        let found = try await engine.get("c/counter")
        #expect(try number(found) == Int64(tasks * times))
        if notes == .own { #expect(Double(total.0) <= 1.3 * Double(tasks * times)) }
        try await engine.checkAndShutDown()
    }

    /// Counts what a call holds.
    private final class Room: CallRoom {
        private let figures = Mutex((given: 0, taken: 0))
        var given: Int { figures.withLock { $0.given } }
        var taken: Int { figures.withLock { $0.taken } }

        func giveBack() { figures.withLock { $0.given += 1 } }
        func takeAgain() async { figures.withLock { $0.taken += 1 } }
    }

    @Test func `a read that waits for its turn gives back what its call holds, and one that does not keeps it`() async throws {
        try await engine.commit(.set("c/counter", ("n", .integer(0))))
        let lost = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await look(Self.counter, in: lost)
        try await engine.commit(.set("c/counter", ("n", .integer(1))))
        await expectError(.aborted) { try await engine.commit([.set("c/counter")], in: lost, context: .embedded) }
        let holder = try await engine.beginTransaction(.readWrite(retrying: lost), context: .embedded)
        let rooms = (holder: Room(), waiting: Room())
        _ = try await CurrentCallRoom.$value.withValue(rooms.holder) { try await look(Self.counter, in: holder) }
        let other = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let reader = Task {
            try await CurrentCallRoom.$value.withValue(rooms.waiting) { try await look(Self.counter, in: other) }
        }
        await eventually("it has given back what it holds") { rooms.waiting.given == 1 }
        #expect(rooms.waiting.taken == 0)
        _ = try await engine.commit([.set("c/counter", ("n", .integer(2)))], in: holder, context: .embedded)
        _ = try await reader.value
        #expect(rooms.waiting.taken == 1 && rooms.holder.given == 0)
        try await engine.checkAndShutDown()
    }

    @Test func `a transaction that had to wait reads the present, and has one moment`() async throws {
        try await engine.commit(.set("c/counter", ("n", .integer(0))), .set("s/settings", ("step", .integer(1))))
        let lost = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await look(Self.counter, in: lost)
        try await engine.commit(.set("c/counter", ("n", .integer(1))))
        await expectError(.aborted) { try await engine.commit([.set("c/counter")], in: lost, context: .embedded) }
        let holder = try await engine.beginTransaction(.readWrite(retrying: lost), context: .embedded)
        _ = try await look(Self.counter, in: holder)

        let (waiting, late) = (
            try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded),
            try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        )
        _ = try await look(Self.settings, in: waiting)
        _ = try await look(Self.settings, in: late)
        let reader = Task { try await look(Self.counter, in: waiting)[0] }
        await eventually("it waits") { engine.core.retries.hasWaiting }
        _ = try await engine.commit([.set("c/counter", ("n", .integer(2)))], in: holder, context: .embedded)
        #expect(try number(try await reader.value) == 2)
        // Everything is as of that moment, and the commit succeeds.
        #expect(try await look(Self.settings, in: waiting)[0] != nil)
        _ = try await engine.commit([.set("c/counter", ("n", .integer(3)))], in: waiting, context: .embedded)

        // What the other one has read first changes while it waits: it keeps its moment, and is aborted.
        let next = try await engine.beginTransaction(.readWrite(retrying: lost), context: .embedded)
        _ = try await look(Self.counter, in: next)
        try await engine.commit(.set("s/settings", ("step", .integer(2))))
        _ = try await engine.rollback(next, context: .embedded)
        #expect(try number(try await look(Self.counter, in: late)[0]) == 1)
        await expectError(.aborted) { try await engine.commit([.set("c/counter")], in: late, context: .embedded) }
        try await engine.checkAndShutDown()
    }
}
