// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// Commits that are answered again when they are sent again (decision 28).
struct RecordedSequenceTests {
    private func number(_ response: CommitResponse) -> Int64? {
        guard case .integer(let number)? = response.results.first?.transformResults.first else { return nil }
        return number
    }

    private func keys(_ engine: Engine) throws -> [String] {
        try engine.core.store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
            var keys: [String] = []
            try transaction.facts(in: SequenceKey.all) { (key, _) throws(FirestoreError) in keys.append(key) }
            return keys
        }
    }

    @Test func `a commit that is sent again has the answer it had`() async throws {
        let engine = try Engine.memory()
        let first = SequenceConnection(engine)
        try await first.begin()
        let answers = [try await first.commit(1, .increment("c/n")), try await first.commit(2, .increment("c/n"))]
        let second = SequenceConnection(engine)
        try await second.resume(after: 0)
        for (index, answer) in answers.enumerated() {
            let again = try await second.commit(Int64(index + 1), .increment("c/n"))
            #expect(again.commitTime == answer.commitTime)
            #expect(again.results.map(\.updateTime) == answer.results.map(\.updateTime))
            #expect(number(again) == Int64(index + 1))
        }
        #expect(number(try await second.commit(3, .increment("c/n"))) == 3)
        // The number decides, not the sequence object: a commit after a gap is rejected without waiting.
        await expectError(.aborted) { try await SequenceConnection(engine).commit(5, .increment("c/n")) }
        try await engine.checkAndShutDown()
    }

    @Test func `a failure is recorded as well, and not evaluated again`() async throws {
        let engine = try Engine.memory()
        let first = SequenceConnection(engine)
        try await first.begin()
        await expectError(.notFound) { try await first.commit(1, .set("c/a", precondition: .exists(true))) }
        #expect(first.sequence.recordedFailure == 1)
        // Behind it nothing of this connection is applied, and that is not recorded.
        await expectError(.aborted) { try await first.commit(2, .set("c/b")) }
        #expect(first.sequence.recordedFailure == 1)
        // Now it would succeed.
        try await engine.commit(.set("c/a"))
        let second = SequenceConnection(engine)
        try await second.resume(after: 0)
        await expectError(.notFound) { try await second.commit(1, .set("c/a", precondition: .exists(true))) }
        #expect(second.sequence.recordedFailure == 1)
        // The client continues behind it.
        let third = SequenceConnection(engine)
        try await third.resume(after: 1)
        try await third.commit(2, .set("c/b"), confirmed: 1)
        // Invalid writes are rejected before they come to the line.
        await expectError(.invalidArgument) { try await third.commit(3, .set("c/__x__")) }
        #expect(third.sequence.recordedFailure == 3)
        #expect(try await engine.paths(.collection("c")) == ["c/a", "c/b"])
        try await engine.checkAndShutDown()
    }

    @Test func `a transient failure is not recorded`() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        let first = SequenceConnection(engine)
        try await first.begin()
        try await first.commit(1, .increment("c/n"))
        try engine.limitSize(toPages: 28)
        let large = Write.set("c/large", ("b", .bytes([UInt8](repeating: 1, count: 900_000))))
        await expectError(.resourceExhausted) { try await first.commit(2, large) }
        #expect(first.sequence.hasFailed && first.sequence.recordedFailure == nil)
        try engine.limitSize(toPages: nil)
        let second = SequenceConnection(engine)
        try await second.resume(after: 1)
        try await second.commit(2, large)
        #expect(number(try await second.commit(3, .increment("c/n"))) == 2)
        try await engine.checkAndShutDown()
    }

    @Test func `after a restart the answers are there`() async throws {
        let directory = try ScratchFolder()
        var engine = try Engine.file(directory.file())
        try await SequenceConnection(engine).begin()
        let answer = try await SequenceConnection(engine).commit(1, .increment("c/n"))
        await expectError(.alreadyExists) { try await SequenceConnection(engine).commit(2, .set("c/n", precondition: .exists(false))) }
        await engine.shutdown()
        engine = try Engine.file(directory.file())
        let second = SequenceConnection(engine)
        try await second.resume(after: 0)
        #expect(try await second.commit(1, .increment("c/n")).commitTime == answer.commitTime)
        await expectError(.alreadyExists) { try await second.commit(2, .set("c/n", precondition: .exists(false))) }
        #expect(number(try await SequenceConnection(engine).commit(3, .increment("c/n"))) == 2)
        try await engine.checkAndShutDown()
    }

    @Test func `in one group commits are answered and rejected like in many`() async throws {
        let engine = try Engine.memory()
        let (old, new) = (SequenceConnection(engine), SequenceConnection(engine))
        try await old.begin()
        let log = Mutex<[String]>([])
        func submit(_ connection: SequenceConnection, _ name: String, _ number: Int64, _ write: Write) {
            connection.submit([write], number, .commit(digest: UInt64(number), confirmed: 0)) { result in
                let outcome =
                    switch result {
                    case .success(let response): "\(self.number(response) ?? 0)"
                    case .failure(let error): "\(error.code)"
                    }
                log.withLock { $0.append("\(name)\(number) \(outcome)") }
            }
        }
        let hold = CommitterHold(engine)
        // The server has not noticed yet that the old connection is gone.
        for number: Int64 in 1...3 { submit(old, "old", number, .increment("c/n")) }
        for number: Int64 in 1...4 { submit(new, "new", number, .increment("c/n")) }
        submit(old, "old", 4, .increment("c/n"))
        submit(new, "new", 5, .set("c/x", precondition: .exists(true)))
        submit(new, "new", 6, .increment("c/n"))
        submit(old, "old", 5, .set("c/x", precondition: .exists(true)))
        hold.release()
        await engine.settle()
        #expect(
            log.withLock { $0 } == [
                "old1 1", "old2 2", "old3 3", "new1 1", "new2 2", "new3 3", "new4 4", "old4 4", "new5 notFound", "new6 aborted", "old5 notFound",
            ])
        #expect(try await engine.get("c/n")?.fields == FieldBytes(FieldMap([("n", .integer(4))])))
        try await engine.checkAndShutDown()
    }

    @Test func `another batch with the number of an answered one is rejected`() async throws {
        let engine = try Engine.memory()
        let first = SequenceConnection(engine)
        try await first.begin()
        try await first.commit(1, .set("c/a"), digest: 77)
        let second = SequenceConnection(engine)
        let error = await #expect(throws: FirestoreError.self) { try await second.commit(1, .set("c/b"), digest: 78) }
        #expect(error?.isSequenceLost == true && second.sequence.recordedFailure == nil)
        #expect(try await engine.paths(.collection("c")) == ["c/a"])
        try await engine.checkAndShutDown()
    }

    @Test func `a sequence is resumed only by its owner, and only if it is known`() async throws {
        let engine = try Engine.memory()
        try await SequenceConnection(engine).begin()
        try await SequenceConnection(engine).commit(1, .set("c/a"))
        let ada = RequestContext.Caller.user(id: "ada", claims: FieldMap())
        let bob = RequestContext.Caller.user(id: "bob", claims: FieldMap())
        let others: [(RequestContext.Caller, String)] = [
            (.anonymous, "hearth-s"), (.administrator, "hearth-s"), (bob, "hearth-s"), (ada, "hearth-other"),
        ]
        for (caller, id) in others {
            for number: Int64 in [0, 1] {
                let connection = SequenceConnection(engine, id, caller: caller)
                let error = await #expect(throws: FirestoreError.self) { try await connection.resume(after: number) }
                #expect(error?.isSequenceLost == true)
            }
            let connection = SequenceConnection(engine, id, caller: caller)
            let error = await #expect(throws: FirestoreError.self) { try await connection.commit(2, .set("c/b")) }
            #expect(error?.isSequenceLost == true)
        }
        // The client has answers that this database has not given.
        let error = await #expect(throws: FirestoreError.self) { try await SequenceConnection(engine).resume(after: 2) }
        #expect(error?.isSequenceLost == true)
        #expect(try await engine.paths(.collection("c")) == ["c/a"])
        try await engine.checkAndShutDown()
    }

    @Test func `only outcomes that the client may ask for are recorded, and none for other commits`() async throws {
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a"))
        let plain = CommitOptions(place: SequencePlace(WriteSequence(streamID: "plain"), number: 1))
        await withCheckedContinuation { continuation in
            engine.submit([.set("c/b")], options: plain, context: .embedded) { _ in continuation.resume() }
        }
        #expect(try keys(engine) == [])
        let connection = SequenceConnection(engine)
        try await connection.begin()
        for number: Int64 in 1...4 { try await connection.commit(number, .increment("c/n")) }
        #expect(try keys(engine).count == 5)
        try await connection.commit(5, .increment("c/n"), confirmed: 3)
        #expect(try keys(engine) == [SequenceKey.head("hearth-s"), SequenceKey.outcome("hearth-s", 4), SequenceKey.outcome("hearth-s", 5)])
        try await connection.commit(6, .increment("c/n"), confirmed: 5)
        #expect(try keys(engine) == [SequenceKey.head("hearth-s"), SequenceKey.outcome("hearth-s", 6)])
        let error = await #expect(throws: FirestoreError.self) { try await SequenceConnection(engine).commit(5, .increment("c/n")) }
        #expect(error?.isSequenceLost == true)
        try await engine.checkAndShutDown()
    }

    @Test func `beyond the limits, and after a week, sequences are removed a few at a time`() async throws {
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        var configuration = EngineConfiguration(location: .memory, databaseID: testDatabase, clock: clock)
        configuration.sequences = SequenceLimits(user: .init(sequences: 3, bytes: 1_000_000), removedAtOnce: 2)
        let engine = try Engine.open(configuration)
        for id in 1...5 {
            clock.advance(microseconds: 1)
            let connection = SequenceConnection(engine, "hearth-\(id)")
            try await connection.begin()
            try await connection.commit(1, .increment("c/n"))
        }
        #expect(try keys(engine) == (3...5).flatMap { [SequenceKey.head("hearth-\($0)"), SequenceKey.outcome("hearth-\($0)", 1)] })
        for id in 1...2 {
            let error = await #expect(throws: FirestoreError.self) { try await SequenceConnection(engine, "hearth-\(id)").resume(after: 0) }
            #expect(error?.isSequenceLost == true)
        }
        try await SequenceConnection(engine, "hearth-3").resume(after: 0)
        clock.advance(microseconds: 8 * 24 * 3_600_000_000)
        let error = await #expect(throws: FirestoreError.self) { try await SequenceConnection(engine, "hearth-3").commit(2, .set("c/x")) }
        #expect(error?.isSequenceLost == true)
        // That transaction has begun to clear away.
        #expect(try keys(engine).count == 2)
        try await engine.commit(.set("c/other"))
        #expect(try keys(engine) == [])
        #expect(try await engine.get("c/x") == nil)
        try await engine.checkAndShutDown()
    }

    @Test func `commits that change nothing are answered again`() async throws {
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a"))
        let connection = SequenceConnection(engine)
        try await connection.begin()
        let answer = try await connection.commit(1, .set("c/a"))
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        #expect(try await SequenceConnection(engine).commit(1, .set("c/a")).commitTime == answer.commitTime)
        #expect(try await engine.get("c/a")?.fields != .empty)
        // What an engine that is shut down says is not an outcome.
        let session = try #require(try engine.session() as? Engine)
        await session.shutdown()
        let late = SequenceConnection(session)
        await expectError(.failedPrecondition) { try await late.commit(2, .set("c/b")) }
        #expect(late.sequence.recordedFailure == nil)
        try await SequenceConnection(engine).commit(2, .set("c/b"))
        try await engine.checkAndShutDown()
    }
}
