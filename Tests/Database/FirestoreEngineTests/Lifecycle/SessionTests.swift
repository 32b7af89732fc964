// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Several callers of one database (`DocumentService.session`).
@Suite struct SessionTests {
    private static let server = RequestContext(caller: .administrator)

    @Test("a session sees what the others write and outlives the handle it came from", arguments: [true, false])
    func outlives(inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory() : try Engine.file(directory.file())
        let session = try engine.session()
        try await engine.commit(.set("c/a"))
        await engine.shutdown()
        let found = try await session.documents([DocumentKey(trusted: "c/a")], options: .acknowledged(), context: Self.server)
        #expect(found.documents[0] != nil)
        await session.shutdown()
        await expectError(.failedPrecondition) { try await session.documents([], options: .acknowledged(), context: Self.server) }
        await expectError(.failedPrecondition) { try session.session() }
        if !inMemory { try await Engine.file(directory.file()).checkAndShutDown() }
    }

    @Test("a session that shuts down ends only its own watches and transactions, and does not wait for other commits")
    func shutdown() async throws {
        let engine = try Engine.memory()
        let session = try engine.session()
        let (mine, other) = (RecordingSink(), RecordingSink())
        _ = session.watch(.query(.collection("c")), context: .embedded, sink: mine)
        _ = engine.watch(.query(.collection("c")), context: .embedded, sink: other)
        await eventually("first states") { mine.batches.count == 1 && other.batches.count == 1 }
        let transaction = try await session.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let kept = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)

        let hold = CommitterHold(engine)
        engine.submit([.set("c/a")], context: .embedded) { _ in }
        await session.shutdown()
        hold.release()

        await expectError(.aborted) { try await engine.rollback(transaction, context: .embedded) }
        try await engine.rollback(kept, context: .embedded)
        await engine.settle()
        #expect(other.story == ["reset ", "+c/a"] && mine.story == ["reset "])
        await engine.shutdown()
    }

    @Test("shutting down all sessions waits for the ones that are ending, and then the file is free")
    func shutdownSessions() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        let (ending, open) = (try engine.session(), try engine.session())
        let sink = RecordingSink()
        _ = open.watch(.query(.collection("c")), context: .embedded, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        let hold = CommitterHold(engine)
        ending.submit([.set("c/a")], context: .embedded) { _ in }
        let started = Mutex(false)
        let first = Task {
            started.withLock { $0 = true }
            await ending.shutdown()
        }
        await eventually("the session is ending") { started.withLock { $0 } }
        let all = Task {
            await engine.shutdown()
            await engine.shutdownSessions()
            return engine.core.isInUse
        }
        hold.release()
        #expect(await !all.value)
        await expectError(.failedPrecondition) { try open.session() }
        await first.value
        await engine.shutdownSessions()
        try await Engine.file(directory.file()).checkAndShutDown()
    }

    @Test("a database that has another user in the process stays open when all sessions of one are shut down")
    func otherFamilies() async throws {
        let directory = try ScratchFolder()
        let (mine, other) = (try Engine.file(directory.file()), try Engine.file(directory.file()))
        _ = try mine.session()
        await mine.shutdownSessions()
        #expect(other.core.isInUse)
        try await other.commit(.set("c/a"))
        await other.shutdown()
        #expect(!other.core.isInUse)
    }

    @Test("commits of a session are finished when it has shut down")
    func finishes() async throws {
        let engine = try Engine.memory()
        for number in 0..<20 {
            let session = try engine.session()
            let answers = Mutex(0)
            for _ in 0..<5 { session.submit([.set("c/\(number)")], context: .embedded) { _ in answers.withLock { $0 += 1 } } }
            await session.shutdown()
            #expect(answers.withLock { $0 } == 5)
        }
        await engine.shutdown()
    }

    @Test("the latest state is read immediately, acknowledged writes included; a read that is to see submitted ones waits") // QR-49
    func now() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        let key = DocumentKey(trusted: "c/a")
        #expect(try engine.documentsNow([key], options: .acknowledged(), context: Self.server)?.documents == [nil])
        let committed = try await engine.commit(.set("c/a"))
        let found = try #require(try engine.documentsNow([key], options: .acknowledged(), context: Self.server))
        #expect(found.documents[0]?.updateTime == committed.commitTime && found.readTime == committed.commitTime)
        #expect(try engine.documentsNow(Array(repeating: key, count: 1_000), options: .acknowledged(), context: Self.server) == nil)

        let hold = CommitterHold(engine)
        engine.submit([.delete("c/a")], context: .embedded) { _ in }
        #expect(try engine.documentsNow([key], options: .latest, context: .embedded) == nil)
        #expect(try engine.documentsNow([key], options: .acknowledged(), context: Self.server)?.documents[0] != nil)
        // These do not wait for another session's commit either.
        #expect(try await engine.documents([key], options: .acknowledged(), context: Self.server).documents[0] != nil)
        #expect(try await engine.run(.collection("c"), options: .acknowledged(), context: Self.server).documents.count == 1)
        let count = try await engine.aggregate(.collection("c"), [Aggregation(.count(upTo: nil))], options: .acknowledged(), context: Self.server)
        #expect(count.values.first.map { "\($0.value)" } == "\(Value.integer(1))")
        hold.release()
        #expect(try await engine.get("c/a") == nil)
        await engine.shutdown()
        await expectError(.failedPrecondition) { try engine.documentsNow([key], options: .acknowledged(), context: Self.server) }
    }

    @Test("the time of the watches advances with commits that concern none of them, after everything before it was reported")
    func watchTime() async throws {
        let engine = try Engine.memory()
        let beginning = try await engine.watchTime(context: Self.server)
        let first = try await engine.commit(.set("c/a"))
        #expect(beginning < first.commitTime)
        #expect(try await engine.watchTime(context: Self.server) == first.commitTime)
        let sink = RecordingSink()
        _ = engine.watch(.query(.collection("c")), context: Self.server, sink: sink)
        await eventually("first state") { sink.batches.count == 1 }
        for number in 0..<200 {
            let committed = try await engine.commit(.set(number % 3 == 0 ? "c/a" : "d/a", ("n", .integer(Int64(number)))))
            #expect(try await engine.watchTime(context: Self.server) == committed.commitTime)
            if number % 3 == 0 { #expect(sink.batches.last?.readTime == committed.commitTime) }
        }
        await engine.shutdown()
    }
}
