// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// Transactions that are tried again immediately, as the official Python client does (TX-9).
@Suite struct RetryTests {
    private static let attempts = 5

    /// Adds one to a document; false when it has lost as often as a client tries.
    private static func increment(_ path: String, on engine: Engine) async throws -> Bool {
        var first: TransactionID?
        for _ in 0..<attempts {
            let id = try await engine.beginTransaction(.readWrite(retrying: first), context: .embedded)
            first = first ?? id
            let found = try await engine.documents([DocumentKey(trusted: path)], options: .transaction(id), context: .embedded)
            guard case .integer(let number)? = try found.documents[0]?.fields.map["n"] else { throw FirestoreError(.notFound, path) }
            // Others come in between.
            await Task.yield()
            do {
                _ = try await engine.commit([.set(path, ("n", .integer(number + 1)))], in: id, context: .embedded)
                return true
            } catch {
                guard error.code == .aborted else { throw error }
            }
        }
        return false
    }

    @Test func `sixteen clients increment one document without back-off, and all succeed`() async throws {
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a", ("n", .integer(0))))
        let committed = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var count = 0
                    for _ in 0..<5 { count += try await Self.increment("c/a", on: engine) ? 1 : 0 }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(committed == 80)
        #expect(try await engine.get("c/a")?.fields.map["n"].map { "\($0)" } == "\(Value.integer(80))")
        try await engine.checkAndShutDown()
    }

    /// An aborted transaction's next attempt, with its turn, and a read of another one that has to wait for it.
    private func contend(on engine: Engine) async throws -> (holder: TransactionID, reader: Task<Document?, any Error>) {
        try await engine.commit(.set("c/a", ("n", .integer(0))))
        let key = DocumentKey(trusted: "c/a")
        let lost = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await engine.documents([key], options: .transaction(lost), context: .embedded)
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        await expectError(.aborted) { try await engine.commit([.set("c/a")], in: lost, context: .embedded) }
        let holder = try await engine.beginTransaction(.readWrite(retrying: lost), context: .embedded)
        _ = try await engine.documents([key], options: .transaction(holder), context: .embedded)
        let other = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let reader = Task { try await engine.documents([key], options: .transaction(other), context: .embedded).documents[0] }
        await eventually("the other one waits") { engine.core.retries.hasWaiting }
        return (holder, reader)
    }

    @Test func `a new transaction waits for one that is tried again, and reads its result`() async throws {
        let engine = try Engine.memory()
        let (holder, reader) = try await contend(on: engine)
        _ = try await engine.commit([.set("c/a", ("n", .integer(7)))], in: holder, context: .embedded)
        #expect(try await reader.value?.fields.map["n"].map { "\($0)" } == "\(Value.integer(7))")
        try await engine.checkAndShutDown()
    }

    /// Holds the commit back until the turn's holder begins to read.
    private final class UntilHolderReads: CommitCondition {
        let id: TransactionID
        let place: DocumentKey
        let gate: RetryGate
        /// Whether the conditions before it hold.
        let hasBegun = Mutex(false)
        var weight: Int { 0 }

        init(id: TransactionID, place: DocumentKey, gate: RetryGate) {
            self.id = id
            self.place = place
            self.gate = gate
        }

        func check(_ commit: any CommitState) {
            hasBegun.withLock { $0 = true }
            while gate.conflict(of: id, [place], []) == nil { Thread.sleep(forTimeInterval: 0.001) }
        }
    }

    @Test func `the first read of a turn sees commits that passed the check of turns before it`() async throws {
        var configuration = try EngineConfiguration(location: EngineStores.place(), databaseID: testDatabase)
        // No turn ends because the machine is busy.
        configuration.retries.idle = .max / 2
        configuration.retries.turn = .max / 2
        configuration.retries.memory = .max / 2
        let engine = try Engine.open(configuration)
        let key = DocumentKey(trusted: "c/a")
        try await engine.commit(.set("c/a", ("n", .integer(0))))
        let lost = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await engine.documents([key], options: .transaction(lost), context: .embedded)
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        await expectError(.aborted) { try await engine.commit([.set("c/a")], in: lost, context: .embedded) }
        let other = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await engine.documents([key], options: .transaction(other), context: .embedded)
        let holder = try await engine.beginTransaction(.readWrite(retrying: lost), context: .embedded)

        let condition = UntilHolderReads(id: other, place: key, gate: engine.core.retries)
        let writes: [Write] = [.set("c/a", ("n", .integer(2)))]
        let end = try engine.core.end(other, for: writes)
        let conditions: [any CommitCondition] = end.conditions + [condition]
        let committed = Task {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<CommitResponse, FirestoreError>, Never>) in
                let commit = PendingCommit(
                    writes: writes, conditions: conditions, endsTransaction: true, deadline: nil, rejection: nil,
                    completion: { result in
                        engine.core.committed(other, end, result)
                        continuation.resume(returning: result)
                    })
                _ = engine.core.committer.submit(commit)
            }
        }
        await eventually("the other one has passed the check of turns") { condition.hasBegun.withLock { $0 } }
        // As a server reads: without waiting for what was submitted.
        let found = try await engine.documents([key], options: .acknowledged(.transaction(holder)), context: .embedded).documents[0]
        _ = try await committed.value.get()
        #expect(try found?.fields.map["n"].map { "\($0)" } == "\(Value.integer(2))")
        _ = try await engine.commit([.set("c/a", ("n", .integer(3)))], in: holder, context: .embedded)
        try await engine.checkAndShutDown()
    }

    @Test func `reads outside of transactions and writes do not wait`() async throws {
        let engine = try Engine.memory()
        let (holder, reader) = try await contend(on: engine)
        #expect(try await engine.get("c/a") != nil)
        try await engine.commit(.set("c/a", ("n", .integer(2))))
        let past = try await engine.beginTransaction(.readOnly(at: nil), context: .embedded)
        #expect(try await engine.documents([DocumentKey(trusted: "c/a")], options: .transaction(past), context: .embedded).documents[0] != nil)
        try await engine.rollback(holder, context: .embedded)
        _ = try await reader.value
        try await engine.checkAndShutDown()
    }

    @Test func `a wait ends with the call, and with the database`() async throws {
        let engine = try Engine.memory()
        let (_, reader) = try await contend(on: engine)
        reader.cancel()
        _ = try? await reader.value
        #expect(!engine.core.retries.hasWaiting)

        let other = try Engine.memory()
        let (_, waiting) = try await contend(on: other)
        await other.shutdown()
        await #expect(throws: FirestoreError.self) { try await waiting.value }
        try await engine.checkAndShutDown()
    }
}
