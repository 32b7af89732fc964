// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Writes that are made only if others have not changed their documents (SY-D24): what is sent, which handler is asked, and the outcome.
@Suite struct ConflictTests {
    private let desk = ConflictDesk()

    /// An engine whose cache has c/a at version 5.
    private func fixture(instance: Bool = false, _ change: (inout SyncEngine.Settings) -> Void = { _ in }) throws -> EngineFixture {
        let fixture = try EngineFixture { [desk] settings in
            settings.lookUp = { keys, completion in desk.lookUp(keys, completion) }
            if instance { settings.conflictHandler = desk.handler("instance") }
            change(&settings)
        }
        fixture.listen("M")
        fixture.server { $0.complete(2, .found("c/a", 5, ("n", .integer(1))), at: 6) }
        _ = fixture.takeEvents()
        return fixture
    }

    private func write(_ fixture: EngineFixture, _ name: String = "w", handled: Bool = true, _ writes: Write...) {
        fixture.engine.write(writes, onConflict: .requireUnchanged(handled ? desk.handler(name) : nil)) { result in
            switch result {
            case .success: fixture.note(name + ": acknowledged")
            case .failure(let error): fixture.note(name + ": rejected \(error.code)")
            }
        }
        fixture.drain()
    }

    private func ends(_ fixture: EngineFixture) -> [String] { fixture.takeEvents().filter { !$0.hasPrefix("M") } }

    /// The authority has refused what was sent, because c/a is at version 9 meanwhile.
    private func refuse(_ fixture: EngineFixture, _ code: FirestoreError.Code = .failedPrecondition, _ remote: RemoteDocument? = nil) {
        fixture.server { $0.endWrite(code) }
        desk.answerLookup(remote ?? .found("c/a", 9, ("n", .integer(3))))
        fixture.drain()
    }

    private func decide(_ fixture: EngineFixture, _ answers: ConflictAnswer...) throws {
        try desk.answer(.success(answers))
        fixture.drain()
    }

    // MARK: What is sent

    @Test func `the condition is the state that the cache has`() throws {
        let fixture = try fixture()
        write(fixture, "w", .set("c/a"), .update("c/a", "n", .integer(2)), .set("c/new"), .delete("c/b"))
        write(fixture, "x", .update("c/x", "n", .integer(2)))
        write(fixture, "lww", .set("c/y"))
        let conditions = fixture.server.batches.map { $0.map(\.precondition) }
        // The second write of a document finds what the first one has made of it; of documents that are not cached nothing is known.
        #expect(conditions == [[.updateTime(.init(microseconds: 5)), .exists(true), nil, nil], [.exists(true)], [nil]])
    }

    @Test func `a document that is known to be missing must still be`() throws {
        let fixture = try fixture()
        fixture.server { $0.tell(.missing("c/a", 7), to: 2); $0.snapshot(at: 7) }
        write(fixture, "w", .set("c/a"))
        write(fixture, "x", .update("c/a", "n", .integer(2)))
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.exists(false)]])
    }

    @Test func `writes without the policy are sent as they are`() throws {
        let fixture = try fixture(instance: true)
        fixture.write("w", .set("c/a"))
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[nil]])
    }

    @Test func `what was made on a write that is in flight waits for its answer, and is made on its result`() throws {
        let fixture = try fixture()
        fixture.write("first", .update("c/a", "n", .integer(2)))
        write(fixture, "second", .update("c/a", "m", .integer(3)))
        fixture.write("third", .set("c/z"))
        #expect(fixture.server.batches.count == 1)
        fixture.server { $0.acknowledge(at: 8) }
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 8))], [nil]])
        refuse(fixture, .failedPrecondition, .found("c/a", 9, ("n", .integer(7))))
        #expect(desk.texts == ["second c/a: {n: 2} {m: 3, n: 2} {n: 7}"])
    }

    @Test func `a rejected write before it leaves its base`() throws {
        let fixture = try fixture()
        fixture.write("first", .update("c/a", "n", .integer(2)))
        write(fixture, "second", .update("c/a", "m", .integer(3)))
        fixture.server { $0.endWrite(.permissionDenied) }
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 5))]])
    }

    @Test func `a newer state that the watch delivers is not what it was made on, and one that it was made on is`() throws {
        let fixture = try fixture()
        fixture.engine.setNetworkEnabled(false)
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.engine.setNetworkEnabled(true)
        fixture.drain()
        fixture.server { $0.tell(.found("c/a", 9, ("n", .integer(3))), to: 2); $0.snapshot(at: 9) }
        write(fixture, "x", .update("c/a", "m", .integer(2)))
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 5))]])
        refuse(fixture)
        try decide(fixture, .theirs)
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 9))]])
    }

    // MARK: Answers

    @Test func `mine is sent again, over the newer state`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.write("behind", .set("c/z"))
        refuse(fixture)
        #expect(desk.texts == ["w c/a: {n: 1} {n: 2} {n: 3}"])
        // Nothing is sent meanwhile, and the write is still shown.
        #expect(fixture.server.batches.isEmpty)
        #expect(try fixture.fields("a") == "{n: 2}")
        try decide(fixture, .mine)
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 9))], [nil]])
        fixture.server { $0.acknowledge(at: 10); $0.acknowledge(at: 11) }
        #expect(ends(fixture) == ["w: acknowledged", "behind: acknowledged"])
        #expect(try fixture.store.check() == [])
    }

    @Test func `mine that is refused again is decided about again`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        refuse(fixture)
        try decide(fixture, .mine)
        refuse(fixture, .failedPrecondition, .found("c/a", 12, ("n", .integer(4))))
        #expect(desk.texts.last == "w c/a: {n: 3} {n: 2} {n: 4}")
    }

    @Test func `theirs ends the write, and shows the newer state`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.write("behind", .set("c/z"))
        refuse(fixture)
        try decide(fixture, .theirs)
        #expect(ends(fixture) == ["w: acknowledged"])
        #expect(try fixture.fields("a") == "{n: 3}")
        #expect(fixture.server.batches.map { $0.map(\.key.path) } == [["c/z"]])
        #expect(try fixture.store.receiptState(of: 1).isAcknowledged && fixture.store.check() == [])
    }

    @Test func `a merge is sent instead`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)), .update("c/a", "m", .integer(1)))
        refuse(fixture)
        try decide(fixture, .merge(.set("c/a", ("n", .integer(5)))))
        #expect(try fixture.fields("a") == "{n: 5}")
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 9))]])
        fixture.server { $0.acknowledge(at: 10) }
        #expect(ends(fixture) == ["w: acknowledged"])
        #expect(try fixture.store.check() == [])
    }

    @Test func `an increment is computed from the newer state`() throws {
        let fixture = try fixture()
        write(fixture, "w", .increment("c/a", "n", by: 10))
        refuse(fixture)
        try decide(fixture, .mine)
        #expect(try fixture.fields("a") == "{n: 13}")
        #expect(try fixture.store.check() == [])
    }

    @Test func `each document of a batch has an answer, and the rest stays atomic`() throws {
        let fixture = try fixture()
        fixture.server { $0.tell(.found("c/b", 7, ("n", .integer(1))), .found("c/d", 7, ("n", .integer(1))), to: 2); $0.snapshot(at: 7) }
        write(fixture, "w", .update("c/a", "n", .integer(2)), .update("c/b", "n", .integer(2)), .update("c/d", "n", .integer(2)), .set("c/z"))
        fixture.server { $0.endWrite(.failedPrecondition) }
        desk.answerLookup(
            .found("c/a", 9, ("n", .integer(3))), .found("c/b", 7, ("n", .integer(1))), .missing("c/d", 10), .missing("c/z", 10))
        fixture.drain()
        #expect(desk.texts == ["w c/a: {n: 1} {n: 2} {n: 3}", "w c/d: {n: 1} {n: 2} -"])
        try decide(fixture, .mine, .theirs)
        #expect(fixture.server.batches.map { $0.map(\.key.id) } == [["a", "b", "z"]])
        #expect(
            fixture.server.batches[0].map(\.precondition)
                == [.updateTime(.init(microseconds: 9)), .updateTime(.init(microseconds: 7)), .exists(false)])
        fixture.server { $0.acknowledge(at: 12) }
        #expect(try fixture.store.check() == [])
    }

    @Test func `without a decision the write becomes a failed one`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        refuse(fixture)
        try desk.answer(.failure(FirestoreError(.failedPrecondition, "the handler failed")))
        fixture.drain()
        write(fixture, "x", handled: false, .update("c/a", "n", .integer(4)))
        refuse(fixture, .failedPrecondition, .found("c/a", 12, ("n", .integer(6))))
        #expect(ends(fixture) == ["w: rejected failedPrecondition", "x: rejected failedPrecondition"])
        #expect(try fixture.store.failedBatches().map { $0.error?.message.isEmpty } == [false, false])
        #expect(try fixture.fields("a") == "{n: 6}")
        // Made anew, it wins.
        _ = try fixture.engine.retryFailed(1)
        fixture.drain()
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.exists(true)]])
    }

    @Test func `the handler of the instance decides where the call has none`() throws {
        let fixture = try fixture(instance: true)
        write(fixture, "w", handled: false, .update("c/a", "n", .integer(2)))
        refuse(fixture)
        #expect(desk.texts == ["instance c/a: {n: 1} {n: 2} {n: 3}"])
    }

    // MARK: What is no conflict

    @Test(arguments: [FirestoreError.Code.permissionDenied, .invalidArgument])
    func `another rejection is one`(code: FirestoreError.Code) throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.server { $0.endWrite(code) }
        #expect(ends(fixture) == ["w: rejected \(code)"] && desk.texts.isEmpty && !desk.isLookingUp)
    }

    @Test func `nor is one with unchanged documents`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)), .update("c/x", "n", .integer(2)))
        fixture.server { $0.endWrite(.notFound) }
        desk.answerLookup(.found("c/a", 5, ("n", .integer(1))), .missing("c/x", 9))
        fixture.drain()
        #expect(ends(fixture) == ["w: rejected notFound"] && desk.texts.isEmpty)
    }

    @Test func `a write that has been applied, and finds its own result, has succeeded`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        refuse(fixture, .failedPrecondition, .found("c/a", 9, ("n", .integer(2))))
        #expect(ends(fixture) == ["w: acknowledged"] && desk.texts.isEmpty)
        write(fixture, "i", .increment("c/a", "n", by: 1))
        refuse(fixture, .failedPrecondition, .found("c/a", 12, ("n", .integer(3))))
        // Another client may have added the same.
        #expect(desk.texts == ["i c/a: {n: 2} {n: 3} {n: 3}"])
        try decide(fixture, .theirs)
        write(fixture, "d", .delete("c/a"))
        refuse(fixture, .notFound, .missing("c/a", 15))
        #expect(ends(fixture) == ["i: acknowledged", "d: acknowledged"])
    }

    // MARK: What happens meanwhile

    @Test func `documents that cannot be read are read again, or the write fails`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.server { $0.endWrite(.failedPrecondition) }
        desk.failLookup(.unavailable)
        fixture.drain()
        #expect(!desk.isLookingUp && fixture.server.batches.isEmpty)
        fixture.fire(.conflictLookup)
        #expect(desk.isLookingUp)
        desk.failLookup(.permissionDenied)
        fixture.drain()
        #expect(ends(fixture) == ["w: rejected failedPrecondition"])
    }

    @Test func `a lost connection does not matter, a disabled network asks again`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        refuse(fixture)
        fixture.server { $0.endListen() }
        #expect(fixture.server.batches.isEmpty)
        fixture.engine.setNetworkEnabled(false)
        fixture.engine.setNetworkEnabled(true)
        fixture.drain()
        #expect(fixture.server.batches.map { $0.map(\.precondition) } == [[.updateTime(.init(microseconds: 5))]])
        // It is in flight again: what was asked before has no effect.
        try desk.answer(.success([.theirs]))
        fixture.drain()
        #expect(ends(fixture) == [] && fixture.server.batches.count == 1)
        refuse(fixture)
        #expect(desk.texts.count == 2)
        try decide(fixture, .theirs)
        #expect(ends(fixture) == ["w: acknowledged"])
    }

    @Test func `a user who returns is asked again`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        refuse(fixture)
        fixture.engine.changeUser(to: SyncUser(uid: "bob"))
        fixture.drain()
        try decide(fixture, .theirs)
        #expect(fixture.server.batches.isEmpty && ends(fixture) == [])
        fixture.engine.changeUser(to: .unauthenticated)
        fixture.drain()
        #expect(fixture.server.batches.count == 1)
        refuse(fixture)
        #expect(desk.texts.count == 2)
    }

    @Test func `a write that waits for a decision can be canceled`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.write("behind", .set("c/z"))
        refuse(fixture)
        try fixture.engine.cancel(1)
        fixture.drain()
        #expect(ends(fixture) == ["w: rejected cancelled"])
        #expect(fixture.server.batches.map { $0.map(\.key.path) } == [["c/z"]])
        try decide(fixture, .mine)
        #expect(try fixture.fields("a") == "{n: 3}" && fixture.server.batches.count == 1)
    }

    @Test func `later writes of the document lie over what was decided`() throws {
        let fixture = try fixture()
        write(fixture, "w", .update("c/a", "n", .integer(2)))
        fixture.write("later", .update("c/a", "m", .integer(1)))
        refuse(fixture)
        try decide(fixture, .merge(.set("c/a", ("n", .integer(5)), ("o", .integer(6)))))
        #expect(try fixture.fields("a") == "{m: 1, n: 5, o: 6}")
        fixture.server { $0.acknowledge(at: 10); $0.acknowledge(at: 11) }
        #expect(try fixture.fields("a") == "{m: 1, n: 5, o: 6}")
        #expect(ends(fixture) == ["w: acknowledged", "later: acknowledged"])
        #expect(try fixture.store.check() == [])
    }

    // MARK: After a restart

    @Test func `the condition outlives the process, the handler does not`() throws {
        let folder = try ScratchFolder()
        do {
            let cache = try CacheFixture(file: folder.file("cache.db"))
            try cache.hear(.found("c/a", 5, ("n", .integer(1))), at: 6, target: cache.listen("c"))
            _ = try cache.store.write([[.update("c/a", "n", .integer(2)), .set("c/b")]], options: [ConflictRule.requireUnchanged(nil)])
            try cache.store.close()
        }
        let cache = try CacheFixture(file: folder.file("cache.db"))
        let batch = try #require(try cache.store.nextBatch(after: nil))
        #expect(try batch.conditionedWrites.map(\.precondition) == [.updateTime(.init(microseconds: 5)), nil])
        #expect(try batch.bases?.mapValues { try CacheFixture.short($0.fields) } == [DocumentKey(trusted: "c/a"): "{n: 1}"])
        try cache.store.close()
    }
}

/// Reads documents and decides about conflicts when a test says so.
///
/// `@unchecked Sendable`: used on the thread of its test only, like the engine that calls it.
final class ConflictDesk: @unchecked Sendable {
    private var lookups: [([DocumentKey], @Sendable (Result<LookupSnapshot, FirestoreError>) -> Void)] = []
    private var open: [@Sendable (Result<[ConflictAnswer], FirestoreError>) -> Void] = []
    /// `who path: base local remote` for each document that a handler was asked about.
    private(set) var texts: [String] = []

    var isLookingUp: Bool { !lookups.isEmpty }

    func handler(_ name: String) -> ConflictHandler {
        { [self] conflicts, answer in
            open.append(answer)
            texts += conflicts.map { conflict in
                let states = [conflict.base, conflict.local, conflict.remote].map { $0.map { (try? CacheFixture.short($0.fields)) ?? "" } ?? "-" }
                return "\(name) \(conflict.key.path): " + states.joined(separator: " ")
            }
        }
    }

    func lookUp(_ keys: [DocumentKey], _ completion: @escaping @Sendable (Result<LookupSnapshot, FirestoreError>) -> Void) {
        lookups.append((keys, completion))
    }

    func answerLookup(_ documents: RemoteDocument...) {
        guard !lookups.isEmpty else {
            Issue.record("no documents are looked up")
            return
        }
        let (keys, completion) = lookups.removeFirst()
        #expect(keys == documents.map(\.key))
        completion(
            .success(LookupSnapshot(readTime: documents.map(\.version).max() ?? .none, documents: documents.map(\.document))))
    }

    func failLookup(_ code: FirestoreError.Code) {
        guard !lookups.isEmpty else {
            Issue.record("no documents are looked up")
            return
        }
        lookups.removeFirst().1(.failure(FirestoreError(code, "no")))
    }

    /// Answers the oldest question.
    func answer(_ answer: Result<[ConflictAnswer], FirestoreError>) throws {
        try #require(!open.isEmpty)
        open.removeFirst()(answer)
    }
}

extension QueuedWriteState? {
    fileprivate var isAcknowledged: Bool { if case .acknowledged = self { true } else { false } }
}
