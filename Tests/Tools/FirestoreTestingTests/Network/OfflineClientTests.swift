// SPDX-License-Identifier: Apache-2.0
#if Remote
import Dispatch
import FirebaseFirestore
import FirestoreTesting
import Foundation
import TestSupport
import Testing

/// What an app shows in the underground: clients with a cache behind a `TestNetwork`, used as an app uses them.
@Suite(.timeLimit(.minutes(3)))
struct OfflineClientTests {
    private let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.underground"))

    /// The texts that a result shows, each with a mark while it is not uploaded.
    private func texts(_ result: QuerySnapshot) -> [String] {
        result.documents.map { "\($0.get("text") ?? "")\($0.metadata.hasPendingWrites ? "*" : "")" }
    }

    @Test func `a note written in the underground is shown immediately, and uploaded when there is a network`() async throws {
        let phone = network.firestore()
        try await phone.document("notes/a").setData(["text": "Call Ada"])
        var shown = phone.collection("notes").snapshots(includeMetadataChanges: true).makeAsyncIterator()
        func next(where condition: (QuerySnapshot) -> Bool) async throws -> QuerySnapshot? {
            while let result = try await shown.next() { if condition(result) { return result } }
            return nil
        }
        #expect(try await next { !$0.metadata.isFromCache }.map(texts) == ["Call Ada"])

        network.goOffline()
        try await phone.document("notes/b").setData(["text": "Buy milk"])
        let offline = try await next { $0.count == 2 }
        #expect(offline.map(texts) == ["Call Ada", "Buy milk*"])
        #expect(try await network.server.collection("notes").getDocuments().count == 1)
        #expect(try await phone.pendingWrites.current().flatMap(\.documents).map(\.path) == ["notes/b"])

        network.goOnline()
        let uploaded = try await next { !$0.metadata.hasPendingWrites && !$0.metadata.isFromCache }
        #expect(uploaded.map(texts) == ["Call Ada", "Buy milk"])
        #expect(try await network.server.document("notes/b").getDocument().get("text") as? String == "Buy milk")
        #expect(try await phone.pendingWrites.current().isEmpty)
        try await phone.terminate()
        try await network.close()
    }

    @Test func `an increment whose answer is lost is counted once`() async throws {
        let phone = network.firestore()
        try await phone.document("counters/c").setData(["n": 1])
        network.loseNextAnswers(2)
        for _ in 0..<3 { phone.document("counters/c").updateData(["n": FieldValue.increment(Int64(1))]) { _ in } }
        try await phone.waitForPendingWrites()
        #expect(try await network.server.document("counters/c").getDocument().get("n") as? Int == 4)
        try await phone.terminate()
        try await network.close()
    }

    @Test func `a write that the server rejects leaves the screen and is listed`() async throws {
        let phone = network.firestore()
        let list = phone.collection("notes")
        try await phone.document("notes/a").setData(["text": "Call Ada"])
        network.goOffline()
        network.failNextWrites(with: .permissionDenied)
        let receipt = try phone.document("notes/b").setData(from: ["text": "Buy milk"])
        try await phone.document("notes/c").setData(["text": "Read"])
        #expect(try await texts(list.getDocuments(source: .cache)) == ["Call Ada", "Buy milk*", "Read*"])

        network.goOnline()
        await #expect(throws: (any Error).self) { try await receipt.acknowledged }
        try await phone.waitForPendingWrites()
        #expect(try await texts(list.getDocuments(source: .server)) == ["Call Ada", "Read"])
        let failed = try await phone.failedWrites.current()
        #expect(failed.map(\.id) == [receipt.id] && failed.first?.error.code == .permissionDenied)
        #expect(failed.flatMap(\.documents).map(\.path) == ["notes/b"])

        try await phone.failedWrites.retry(try #require(failed.first).id)
        try await phone.waitForPendingWrites()
        #expect(try await network.server.collection("notes").getDocuments().count == 3)
        #expect(try await phone.failedWrites.current().isEmpty)
        try await phone.terminate()
        try await network.close()
    }

    @Test func `offline, reads are answered by the cache or fail`() async throws {
        let phone = network.firestore()
        try await network.server.document("notes/a").setData(["text": "Call Ada"])
        try await network.server.document("other/b").setData(["text": "never read"])
        #expect(try await !phone.collection("notes").getDocuments().metadata.isFromCache)
        network.goOffline()
        let note = phone.document("notes/a")
        for source in [FirestoreSource.default, .cache] {
            let document = try await note.getDocument(source: source)
            #expect(document.exists && document.metadata.isFromCache)
            let result = try await phone.collection("notes").getDocuments(source: source)
            #expect(result.count == 1 && result.metadata.isFromCache)
        }
        #expect(try await phone.collection("notes").count.getAggregation(source: .cache).count == 1)
        func fails(_ read: () async throws -> some Any) async {
            do {
                _ = try await read()
                Issue.record("it was answered")
            } catch {
                #expect((error as? FirestoreErrorCode)?.code == .unavailable)
            }
        }
        await fails { try await note.getDocument(source: .server) }
        await fails { try await phone.collection("notes").getDocuments(source: .server) }
        await fails { try await phone.document("other/b").getDocument() }
        await fails { try await phone.document("other/b").getDocument(source: .cache) }
        try await phone.terminate()
        try await network.close()
    }

    @Test func `a write that was queued in the underground survives a restart, and so does its receipt`() async throws {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("phone.sqlite")
        let before = network.firestore(cache: .file(file))
        network.goOffline()
        let receipt = try before.document("notes/a").setData(from: ["text": "Buy milk"])
        try await receipt.saved
        let stored = try #require(receipt.id).description
        try await before.terminate()

        let phone = network.firestore(cache: .file(file))
        let note = try await phone.document("notes/a").getDocument(source: .cache)
        #expect(note.metadata.hasPendingWrites && note.get("text") as? String == "Buy milk")
        let id = try #require(WriteReceipt.ID(stored))
        let again = try #require(try await phone.receipt(id))
        guard case .queued(0) = try await again.state else {
            Issue.record("the write is not in the queue")
            return
        }
        network.goOnline()
        try await again.acknowledged
        #expect(try await network.server.document("notes/a").getDocument().exists)
        // Another device knows nothing of it.
        #expect(try await network.firestore().receipt(id) == nil)
        try await phone.terminate()
        try await network.close()
    }

    @Test func `a second device sees what the first has uploaded, and a file is a file`() async throws {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("phone.sqlite")
        let (phone, tablet) = (network.firestore(cache: .file(file)), network.firestore())
        try await phone.document("notes/a").setData(["text": "Call Ada"])
        #expect(try await texts(tablet.collection("notes").getDocuments()) == ["Call Ada"])
        let remote = network.firestore(cache: .file(try #require(URL(string: "https://example.com/phone.sqlite"))))
        await #expect(throws: FirestoreErrorCode.self) { try await remote.collection("notes").getDocuments() }
        try await phone.terminate()
        try await tablet.terminate()
        try await network.close()
    }

    @Test func `settings decide about failed writes and about what an awaited write waits for`() async throws {
        let phone = network.firestore()
        let settings = phone.settings
        settings.failedWritePolicy = .hold
        settings.awaitedWrites = .saved
        phone.settings = settings
        network.failNextWrites(with: .permissionDenied)
        try await phone.document("notes/a").setData(["text": "Buy milk"])
        try await phone.document("notes/b").setData(["text": "Read"])
        try await eventually("the first is rejected") { try await phone.failedWrites.current().count == 1 }
        #expect(try await phone.pendingWrites.current().map(\.stage) == [.held])
        #expect(try await network.server.collection("notes").getDocuments().isEmpty)
        try await phone.failedWrites.dismiss(try #require(try await phone.failedWrites.current().first).id)
        try await phone.waitForPendingWrites()
        #expect(try await texts(network.server.collection("notes").getDocuments()) == ["Read"])
        try await phone.terminate()
        try await network.close()
    }

    @Test func `in a tunnel a client is offline after the time of the settings`() async throws {
        let phone = network.firestore()
        let settings = phone.settings
        settings.offlineAfter = .zero
        phone.settings = settings
        network.goSilent()
        #expect(try await phone.collection("notes").getDocuments().metadata.isFromCache)
        try await phone.document("notes/a").setData(["text": "Buy milk"])
        network.goOnline()
        try await phone.waitForPendingWrites()
        #expect(try await network.server.document("notes/a").getDocument().exists)
        try await phone.terminate()
        try await network.close()
    }

    @Test func `a client whose first call disables the network stays offline`() async throws {
        let phone = network.firestore()
        try await phone.disableNetwork()
        try await phone.document("notes/a").setData(["text": "Buy milk"])
        #expect(try await phone.document("notes/a").getDocument().metadata.hasPendingWrites)
        #expect(try await network.server.collection("notes").getDocuments().isEmpty)
        try await phone.enableNetwork()
        try await phone.waitForPendingWrites()
        #expect(try await network.server.document("notes/a").getDocument().exists)
        try await phone.terminate()
        try await network.close()
    }
}
#endif
