// SPDX-License-Identifier: Apache-2.0
#if Remote
import Dispatch
import FirebaseFirestore
import FirestoreCore
import FirestoreTesting
import Foundation
import TestSupport
import Testing

/// Two devices change one document, one of them in the underground (SY-D24).
@Suite(.timeLimit(.minutes(3)))
struct ConflictingDevicesTests {
    private let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.conflicts"))
    private let asked = Notes()

    private final class Notes: Sendable {
        private let state = Mutex<[String]>([])

        func add(_ line: String) { state.withLock { $0.append(line) } }

        var lines: [String] { state.withLock { $0 } }
    }

    private static func text(_ snapshot: DocumentSnapshot?) -> String {
        guard let snapshot else { return "unknown" }
        return snapshot.data().map { data in data.keys.sorted().map { "\($0): \(data[$0] ?? "")" }.joined(separator: ", ") } ?? "missing"
    }

    /// Notes what it is asked, and answers the same each time.
    private func answering(_ name: String = "call", _ answer: @escaping @Sendable (WriteConflict) throws -> sending ConflictResolution)
        -> WriteConflict.Handler
    {
        { [asked] conflict in
            asked.add(
                "\(name) \(conflict.document.path) [\(Self.text(conflict.base))] [\(Self.text(conflict.local))] "
                    + "[\(Self.text(conflict.remote))]")
            return try answer(conflict)
        }
    }

    /// A phone that knows `plans/trip`, is offline, and has written; then someone else has written.
    private func phone(
        _ policy: ConflictPolicy, cache: TestNetwork.Cache = .memory, handler: WriteConflict.Handler? = nil, isDeleted: Bool = false
    ) async throws -> Firestore {
        let phone = network.firestore(cache: cache)
        let settings = phone.settings
        settings.conflictHandler = handler
        phone.settings = settings
        try await network.server.document("plans/trip").setData(["to": "Oslo", "by": "train"])
        #expect(try await phone.document("plans/trip").getDocument().exists)
        network.goOffline()
        try await phone.document("plans/trip").updateData(["to": "Bergen"], onConflict: policy)
        #expect(try await phone.document("plans/trip").getDocument(source: .cache).get("to") as? String == "Bergen")
        if isDeleted { try await network.server.document("plans/trip").delete() } else { try await someoneElse() }
        return phone
    }

    private func someoneElse() async throws { try await network.server.document("plans/trip").updateData(["to": "Rome", "on": "Monday"]) }

    private func onServer() async throws -> String { Self.text(try await network.server.document("plans/trip").getDocument()) }

    private func goOnline(_ phone: Firestore) async throws {
        network.goOnline()
        try await phone.waitForPendingWrites()
    }

    private func close(_ phone: Firestore) async throws {
        try await phone.terminate()
        try await network.close()
    }

    @Test func `the last write wins without a policy, and with one if no one else has written`() async throws {
        let phone = try await phone(.lastWriteWins)
        try await goOnline(phone)
        #expect(try await onServer() == "by: train, on: Monday, to: Bergen")
        try await phone.document("plans/trip").setData(["to": "Pisa"], onConflict: .resolve(answering { _ in .theirs }))
        #expect(try await onServer() == "to: Pisa" && asked.lines == [])
        try await close(phone)
    }

    @Test func `with mine the write replaces the other client's`() async throws {
        let phone = try await phone(.resolve(answering { _ in .mine }))
        try await goOnline(phone)
        #expect(
            asked.lines == ["call plans/trip [by: train, to: Oslo] [by: train, to: Bergen] [by: train, on: Monday, to: Rome]"])
        #expect(try await onServer() == "by: train, on: Monday, to: Bergen")
        #expect(try await phone.failedWrites.current().isEmpty)
        try await close(phone)
    }

    @Test func `theirs stays, and is shown`() async throws {
        let phone = try await phone(.resolve(answering { _ in .theirs }))
        try await goOnline(phone)
        #expect(try await onServer() == "by: train, on: Monday, to: Rome")
        #expect(try await phone.document("plans/trip").getDocument(source: .cache).get("to") as? String == "Rome")
        #expect(try await phone.pendingWrites.current().isEmpty)
        #expect(try await phone.failedWrites.current().isEmpty)
        try await close(phone)
    }

    @Test func `a merge is written instead`() async throws {
        let merging = answering { conflict in
            guard let mine = conflict.local.data(), let theirs = conflict.remote.data() else { return .mine }
            return .merge(theirs.merging(mine) { _, mine in mine })
        }
        let phone = try await phone(.resolve(merging))
        try await goOnline(phone)
        #expect(try await onServer() == "by: train, on: Monday, to: Bergen")
        try await close(phone)
    }

    @Test func `a document that was deleted meanwhile does not exist for the handler`() async throws {
        let phone = try await phone(.resolve(answering { conflict in .merge(conflict.local.data() ?? [:]) }), isDeleted: true)
        try await goOnline(phone)
        #expect(asked.lines == ["call plans/trip [by: train, to: Oslo] [by: train, to: Bergen] [missing]"])
        #expect(try await onServer() == "by: train, to: Bergen")
        try await close(phone)
    }

    @Test(arguments: ["throws", "cannot be stored", "is missing"])
    func `a write that no handler decides stays among the failed ones`(handler: String) async throws {
        let policy: ConflictPolicy =
            switch handler {
            case "throws": .resolve(answering { _ in throw CancellationError() })
            case "cannot be stored": .resolve(answering { _ in .merge(["at": Task<Void, Never> {}]) })
            default: .requireUnchanged
            }
        let phone = try await phone(policy)
        try await goOnline(phone)
        #expect(try await onServer() == "by: train, on: Monday, to: Rome")
        let failed = try await phone.failedWrites.current()
        #expect(failed.flatMap(\.documents).map(\.path) == ["plans/trip"])
        #expect(failed.map(\.error.code) == [handler == "cannot be stored" ? .invalidArgument : .failedPrecondition])
        try await phone.failedWrites.retry(try #require(failed.first).id)
        try await phone.waitForPendingWrites()
        #expect(try await onServer() == "by: train, on: Monday, to: Bergen")
        try await close(phone)
    }

    @Test func `the handler of the settings decides for writes that only require it`() async throws {
        let phone = try await phone(.requireUnchanged, handler: answering("settings") { _ in .theirs })
        try await goOnline(phone)
        #expect(asked.lines.count == 1 && asked.lines.first?.hasPrefix("settings") == true)
        #expect(try await onServer() == "by: train, on: Monday, to: Rome")
        try await close(phone)
    }

    @Test func `a policy of the settings is that of all writes`() async throws {
        let handler = answering("settings") { _ in .theirs }
        let phone = network.firestore()
        let settings = phone.settings
        settings.conflictPolicy = .resolve(handler)
        phone.settings = settings
        try await phone.document("plans/trip").setData(["to": "Oslo"])
        network.goOffline()
        try await phone.document("plans/trip").setData(["to": "Bergen"])
        let batch = phone.batch()
        batch.updateData(["by": "boat"], forDocument: phone.document("plans/trip"))
        batch.setData(["n": 1], forDocument: phone.document("plans/other"))
        try await batch.commit()
        try await someoneElse()
        try await goOnline(phone)
        // The batch was made on the write before it.
        #expect(asked.lines.count == 2)
        #expect(try await onServer() == "on: Monday, to: Rome")
        #expect(try await network.server.document("plans/other").getDocument().exists)
        try await close(phone)
    }

    @Test func `after a restart the handler of the settings decides`() async throws {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.file("cache.sqlite"))
        let first = try await phone(.resolve(answering { _ in .mine }), cache: .file(file))
        try await first.terminate()
        let phone = network.firestore(cache: .file(file))
        let settings = phone.settings
        settings.conflictHandler = answering("settings") { _ in .theirs }
        phone.settings = settings
        try await goOnline(phone)
        #expect(asked.lines == ["settings plans/trip [by: train, to: Oslo] [by: train, to: Bergen] [by: train, on: Monday, to: Rome]"])
        #expect(try await onServer() == "by: train, on: Monday, to: Rome")
        try await close(phone)
    }

    @Test func `a write that was applied, and whose answer was lost, is not a conflict`() async throws {
        let phone = network.firestore()
        try await phone.document("plans/trip").setData(["to": "Oslo"])
        network.loseNextAnswers(1)
        let receipt = phone.document("plans/trip").setData(
            ["to": "Bergen"], onConflict: .resolve(answering { _ in .theirs }), completion: nil)
        try await receipt.acknowledged
        #expect(try await onServer() == "to: Bergen" && asked.lines == [])
        try await close(phone)
    }

    @Test func `in a shared cache the process that is connected decides`() async throws {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.file("cache.sqlite"))
        let leader = network.firestore(cache: .file(file))
        let settings = leader.settings
        settings.conflictHandler = answering("leader") { _ in .mine }
        leader.settings = settings
        try await network.server.document("plans/trip").setData(["to": "Oslo"])
        #expect(try await leader.document("plans/trip").getDocument().exists)
        let follower = network.firestore(cache: .file(file))
        #expect(try await follower.document("plans/trip").getDocument(source: .cache).exists)
        network.goOffline()
        let receipt = follower.document("plans/trip").updateData(
            ["to": "Bergen"], onConflict: .resolve(answering("follower") { _ in .theirs }), completion: nil)
        try await receipt.saved
        try await someoneElse()
        network.goOnline()
        try await receipt.acknowledged
        #expect(asked.lines == ["leader plans/trip [to: Oslo] [to: Bergen] [on: Monday, to: Rome]"])
        #expect(try await onServer() == "on: Monday, to: Bergen")
        try await follower.terminate()
        try await close(leader)
    }

    @Test func `deletions, values and batches have policies`() async throws {
        let phone = network.firestore()
        for id in ["a", "b", "c"] { try await phone.document("c/\(id)").setData(["n": 1]) }
        network.goOffline()
        let policy = ConflictPolicy.resolve(answering { _ in .theirs })
        try await phone.document("c/a").delete(onConflict: policy)
        let receipt = try phone.document("c/b").setData(from: ["n": 2], onConflict: policy)
        try await receipt.saved
        let batch = phone.batch()
        batch.setData(["n": 2], forDocument: phone.document("c/c"))
        batch.setData(["n": 2], forDocument: phone.document("c/d"))
        try await batch.commit(onConflict: policy)
        for id in ["a", "b", "c"] { try await network.server.document("c/\(id)").setData(["n": 3]) }
        try await goOnline(phone)
        #expect(asked.lines == ["call c/a [n: 1] [missing] [n: 3]", "call c/b [n: 1] [n: 2] [n: 3]", "call c/c [n: 1] [n: 2] [n: 3]"])
        let result = try await network.server.collection("c").getDocuments().documents
        #expect(result.map { "\($0.documentID) \($0.get("n") ?? "")" } == ["a 3", "b 3", "c 3", "d 2"])
        try await close(phone)
    }

    @Test func `the embedded database asks no handler`() async throws {
        let db = try TestFirestore().firestore
        try await db.document("c/a").setData(["n": 1], onConflict: .resolve(answering { _ in .theirs }))
        try await db.document("c/a").setData(["n": 2], merge: true, onConflict: .requireUnchanged)
        #expect(try await db.document("c/a").getDocument().get("n") as? Int == 2 && asked.lines == [])
    }
}
#endif
