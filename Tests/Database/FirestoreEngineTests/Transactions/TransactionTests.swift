// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Transactions against a real store (TX-1 … TX-10).
@Suite struct TransactionTests {
    /// Transactions grow old by the clock (TX-8), and a busy machine can take minutes between two steps of a test.
    private static var stillClock: ManualClock { ManualClock(microseconds: 1_790_000_000_000_000) }

    private func begin(_ engine: Engine, _ mode: TransactionMode = .readWrite(retrying: nil)) async throws -> TransactionID {
        try await engine.beginTransaction(mode, context: .embedded)
    }

    private func get(_ engine: Engine, _ path: String, _ id: TransactionID) async throws -> Document? {
        try await engine.documents([DocumentKey(trusted: path)], options: .transaction(id), context: .embedded).documents[0]
    }

    private func run(_ engine: Engine, _ query: StructuredQuery, _ id: TransactionID) async throws -> [String] {
        try await engine.run(query, options: .transaction(id), context: .embedded).documents.map(\.key.path)
    }

    private func commit(_ engine: Engine, _ id: TransactionID, _ writes: Write...) async throws -> DocumentVersion {
        try await engine.commit(writes, in: id, context: .embedded).commitTime
    }

    @Test("all reads are from the moment of the first (TX-3)", arguments: [true, false])
    func snapshot(inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let engine = inMemory ? try Engine.memory(clock: Self.stillClock) : try Engine.file(directory.file(), clock: Self.stillClock)
        try await engine.commit(.set("c/a", ("n", .integer(1))), .set("c/b", ("n", .integer(1))))
        let id = try await begin(engine)
        try await engine.commit(.set("c/c"))
        let first = try await engine.documents([DocumentKey(trusted: "c/a")], options: .transaction(id), context: .embedded)
        try await engine.commit(.set("c/a", ("n", .integer(2))), .delete("c/b"), .set("c/d"))
        #expect(try await get(engine, "c/a", id)?.fields == first.documents[0]?.fields)
        #expect(try await get(engine, "c/b", id) != nil)
        #expect(try await get(engine, "c/d", id) == nil)
        #expect(try await run(engine, .collection("c"), id) == ["c/a", "c/b", "c/c"])
        let query = try await engine.run(.collection("c"), options: .transaction(id), context: .embedded)
        #expect(query.readTime == first.readTime)
        try await engine.rollback(id, context: .embedded)
        try await engine.checkAndShutDown()
    }

    /// What a transaction reads, what others do meanwhile, whether its commit then fails.
    struct Conflict: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var reads: [String] = []
        var queries: [StructuredQuery] = []
        let meanwhile: [Write]
        let isConflict: Bool
    }

    private static let window = StructuredQuery.collection("c").ordered(by: "n").window(limit: 2)
    private static let conflicts = [
        Conflict(testDescription: "a document that was read changes", reads: ["c/1"], meanwhile: [.set("c/1")], isConflict: true),
        Conflict(testDescription: "it goes", reads: ["c/1"], meanwhile: [.delete("c/1")], isConflict: true),
        Conflict(testDescription: "a missing one comes", reads: ["c/x"], meanwhile: [.set("c/x")], isConflict: true),
        Conflict(testDescription: "another one changes", reads: ["c/1"], meanwhile: [.set("c/2")], isConflict: false),
        Conflict(testDescription: "nothing changes it", reads: ["c/1"], meanwhile: [.set("c/1", ("n", .integer(1)))], isConflict: false),
        Conflict(testDescription: "a result goes", queries: [.collection("c")], meanwhile: [.delete("c/2")], isConflict: true),
        Conflict(testDescription: "a phantom comes (TX-5)", queries: [.collection("c").filter("n", .greaterThan, .integer(3))], meanwhile: [.set("c/x", ("n", .integer(9)))], isConflict: true),
        Conflict(testDescription: "one starts to match", queries: [.collection("c").filter("n", .equal, .integer(9))], meanwhile: [.set("c/1", ("n", .integer(9)))], isConflict: true),
        Conflict(testDescription: "one that does not match comes", queries: [.collection("c").filter("n", .greaterThan, .integer(3))], meanwhile: [.set("c/x", ("n", .integer(0)))], isConflict: false),
        Conflict(testDescription: "one in another collection changes", queries: [.collection("c")], meanwhile: [.set("d/1")], isConflict: false),
        Conflict(testDescription: "one deeper down changes", queries: [.collection("c")], meanwhile: [.set("c/1/c/1")], isConflict: false),
        Conflict(testDescription: "one of the group changes", queries: [.group("c")], meanwhile: [.set("d/1/c/1")], isConflict: true),
        Conflict(testDescription: "the window's last goes", queries: [window], meanwhile: [.delete("c/2")], isConflict: true),
        Conflict(testDescription: "one enters the window", queries: [window], meanwhile: [.set("c/x", ("n", .integer(0)))], isConflict: true),
        Conflict(testDescription: "one behind the window changes", queries: [window], meanwhile: [.set("c/3", ("n", .integer(7))), .delete("c/4")], isConflict: false),
        Conflict(testDescription: "one moves from behind into the window", queries: [window], meanwhile: [.set("c/4", ("n", .integer(1)))], isConflict: true),
        Conflict(testDescription: "one in front of the window goes", queries: [window.window(offset: 1, limit: 1)], meanwhile: [.delete("c/1")], isConflict: true),
        Conflict(testDescription: "behind a window that is not full one comes", queries: [window.window(limit: 9)], meanwhile: [.set("c/x", ("n", .integer(99)))], isConflict: true),
        Conflict(testDescription: "nothing was asked for", queries: [window.window(limit: 0)], meanwhile: [.delete("c/1")], isConflict: false),
    ]

    @Test("a commit waits for conflicting transactions only", arguments: conflicts, [true, false])
    func conflict(conflict: Conflict, inOneGroup: Bool) async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        _ = try await engine.commit((1...4).map { .set("c/\($0)", ("n", .integer($0))) }, context: .embedded)
        let id = try await begin(engine)
        for path in conflict.reads { _ = try await get(engine, path, id) }
        for query in conflict.queries { _ = try await run(engine, query, id) }
        // Earlier commits of the same SQLite transaction count as well.
        let hold = inOneGroup ? CommitterHold(engine) : nil
        let outside = Task { try await engine.commit(conflict.meanwhile, context: .embedded) }
        if inOneGroup {
            await eventually("in line") { engine.core.committer.waitingCount == 1 }
        } else {
            _ = try await outside.value
        }
        let inside = Task { try await commit(engine, id, .set("out/1")) }
        if inOneGroup { await eventually("in line") { engine.core.committer.waitingCount == 2 } }
        hold?.release()
        _ = try await outside.value
        if conflict.isConflict {
            await expectError(.aborted) { try await inside.value }
        } else {
            _ = try await inside.value
        }
        #expect(try await (engine.get("out/1") != nil) == !conflict.isConflict)
        try await engine.checkAndShutDown()
    }

    @Test("a document that was created and deleted in between is not a conflict, one that was deleted and created is")
    func comeAndGo() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        try await engine.commit(.set("c/b"))
        let (first, second) = (try await begin(engine), try await begin(engine))
        for id in [first, second] { #expect(try await run(engine, .collection("c"), id) == ["c/b"]) }
        try await engine.commit(.set("c/a"))
        try await engine.commit(.delete("c/a"))
        _ = try await commit(engine, first, .set("out/1"))
        try await engine.commit(.delete("c/b"))
        try await engine.commit(.set("c/b"))
        await expectError(.aborted) { try await commit(engine, second, .set("out/2")) }
        try await engine.checkAndShutDown()
    }

    @Test("a blind write does not conflict (TX-4)")
    func blind() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        let id = try await begin(engine)
        #expect(try await get(engine, "c/a", id) == nil)
        try await engine.commit(.set("c/b", ("n", .integer(1))))
        _ = try await commit(engine, id, .set("c/b", ("n", .integer(2))))
        #expect(try await engine.get("c/b")?.fields == FieldBytes(FieldMap([("n", .integer(2))])))
        try await engine.checkAndShutDown()
    }

    @Test("of two transactions that each read what the other writes, one fails (write skew)")
    func writeSkew() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        try await engine.commit(.set("oncall/a", ("on", .boolean(true))), .set("oncall/b", ("on", .boolean(true))))
        let query = StructuredQuery.collection("oncall").filter("on", .equal, .boolean(true))
        let (first, second) = (try await begin(engine), try await begin(engine))
        for id in [first, second] { #expect(try await run(engine, query, id) == ["oncall/a", "oncall/b"]) }
        _ = try await commit(engine, first, .set("oncall/a", ("on", .boolean(false))))
        await expectError(.aborted, mentioning: "oncall") {
            try await commit(engine, second, .set("oncall/b", ("on", .boolean(false))))
        }
        #expect(try await engine.paths(query) == ["oncall/b"])
        try await engine.checkAndShutDown()
    }

    @Test("two that count and add see each other's additions")
    func phantoms() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        let seats = StructuredQuery.collection("flights/7/seats")
        let (first, second) = (try await begin(engine), try await begin(engine))
        for id in [first, second] { #expect(try await run(engine, seats, id).isEmpty) }
        _ = try await commit(engine, first, .set("flights/7/seats/a"))
        await expectError(.aborted) { try await commit(engine, second, .set("flights/7/seats/b")) }
        try await engine.checkAndShutDown()
    }

    @Test("a failed commit ends the transaction (TX-9), whatever it failed for")
    func failedCommit() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        let id = try await begin(engine)
        await expectError(.notFound) {
            try await commit(engine, id, Write(key: DocumentKey(trusted: "c/a"), operation: .patch(.empty, mask: []), precondition: .exists(true)))
        }
        await expectError(.aborted) { try await commit(engine, id, .set("c/a")) }
        let malformed = try await begin(engine)
        await expectError(.invalidArgument) { try await commit(engine, malformed, .set("c//a")) }
        await expectError(.aborted) { try await get(engine, "c/a", malformed) }
        try await engine.checkAndShutDown()
    }

    @Test("ids: finished, unknown, of another time (TX-7, TX-10)")
    func ids() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        let committed = try await begin(engine)
        let start = try await engine.run(.collection("c"), context: .embedded).readTime
        #expect(try await commit(engine, committed) == start)  // TX-19
        let rolledBack = try await begin(engine)
        try await engine.rollback(rolledBack, context: .embedded)
        for id in [committed, rolledBack] {
            await expectError(.aborted) { try await commit(engine, id) }
            await expectError(.aborted) { try await engine.rollback(id, context: .embedded) }
            await expectError(.aborted) { try await get(engine, "c/a", id) }
            await expectError(.aborted) { try await run(engine, .collection("c"), id) }
        }
        let unknown = TransactionID(rolledBack.number + 1)
        await expectError(.invalidArgument) { try await commit(engine, unknown) }
        await expectError(.invalidArgument) { try await engine.rollback(unknown, context: .embedded) }
        await expectError(.invalidArgument) { try await get(engine, "c/a", unknown) }
        await expectError(.invalidArgument, mentioning: "retry") { try await begin(engine, .readWrite(retrying: unknown)) }
        _ = try await begin(engine, .readWrite(retrying: committed))
        try await engine.checkAndShutDown()
    }

    @Test("a read-only transaction rejects writes and never fails for contention (TX-6)")
    func readOnly() async throws {
        let clock = ManualClock(microseconds: 1_000)
        let engine = try Engine.memory(clock: clock)
        let early = try await engine.commit(.set("c/a")).commitTime
        clock.advance(microseconds: 10)
        try await engine.commit(.set("c/b"))
        let writing = try await begin(engine, .readOnly(at: nil))
        #expect(try await run(engine, .collection("c"), writing) == ["c/a", "c/b"])
        try await engine.commit(.set("c/c"))
        #expect(try await run(engine, .collection("c"), writing) == ["c/a", "c/b"])
        await expectError(.invalidArgument) { try await commit(engine, writing, .set("c/d")) }
        await expectError(.aborted) { try await run(engine, .collection("c"), writing) }
        let reading = try await begin(engine, .readOnly(at: nil))
        #expect(try await run(engine, .collection("c"), reading) == ["c/a", "c/b", "c/c"])
        try await engine.commit(.set("c/a", ("n", .integer(1))))
        // Its reads need not hold any more.
        _ = try await commit(engine, reading)
        await expectError(.aborted) { try await commit(engine, reading) }
        let past = try await begin(engine, .readOnly(at: early))
        #expect(try await run(engine, .collection("c"), past) == ["c/a"])
        #expect(try await get(engine, "c/b", past) == nil)
        try await engine.rollback(past, context: .embedded)
        await expectError(.invalidArgument) {
            try await begin(engine, .readOnly(at: DocumentVersion(microseconds: 1_000_000)))
        }
        await expectError(.failedPrecondition) { try await begin(engine, .readOnly(at: DocumentVersion(microseconds: -3_600_000_000))) }
        try await engine.checkAndShutDown()
    }

    @Test("a transaction left alone expires (TX-8)")
    func expiry() async throws {
        let clock = ManualClock(microseconds: 1_000)
        let engine = try Engine.memory(clock: clock)
        let id = try await begin(engine)
        clock.advance(microseconds: 59_000_000)
        #expect(try await get(engine, "c/a", id) == nil)
        clock.advance(microseconds: 59_000_000)
        #expect(try await get(engine, "c/a", id) == nil)
        clock.advance(microseconds: 60_000_000)
        await expectError(.aborted) { try await commit(engine, id, .set("c/a")) }
        try await engine.checkAndShutDown()
    }

    @Test("a commit with only reads returns until when they held")
    func readsOnly() async throws {
        let engine = try Engine.memory(clock: Self.stillClock)
        try await engine.commit(.set("c/a"))
        let id = try await begin(engine)
        #expect(try await get(engine, "c/a", id) != nil)
        let last = try await engine.commit(.set("d/a")).commitTime
        #expect(try await commit(engine, id) == last)
        try await engine.checkAndShutDown()
    }
}
