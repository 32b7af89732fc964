import FirebaseFirestore
import Foundation
import Testing

/// A bad path gives a reference whose every operation fails with `invalidArgument` (design D6; DM-5 … DM-10).
@Suite struct BadPathTests {
    static let badDocuments = ["", "/", "cities", "cities//SF", "//", "a/b/c", "cities/..", "cities/.", "cities/__x__"]
    static let badCollections = ["", "/", "cities/SF", "cities//SF", "a//", "__x__"]
    let db = Scratch.firestore()

    @Test(arguments: badDocuments)
    func `every operation of a bad document fails`(path: String) async {
        let bad = db.document(path)
        #expect(isFailure(await failure { try await bad.getDocument() }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.getDocument(source: .server) }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.setData(["a": 1]) }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.setData(["a": 1], merge: true) }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.setData(["a": 1], mergeFields: ["a"]) }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.updateData(["a": 1]) }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.delete() }, .invalidArgument))
        #expect(isFailure(await failure { for try await _ in bad.snapshots { return } }, .invalidArgument))
        let batch = db.batch().setData([:], forDocument: bad)
        #expect(isFailure(await failure { try await batch.commit() }, .invalidArgument))
        let told: (any Error)? = await completion { done in
            bad.addSnapshotListener { snapshot, error in
                #expect(snapshot == nil)
                done(error)
            }
        }
        #expect(isFailure(told, .invalidArgument))
        let read: (any Error)? = await completion { done in bad.getDocument { _, error in done(error) } }
        #expect(isFailure(read, .invalidArgument))
        let written: (any Error)? = await completion { done in bad.setData([:]) { done($0) } }
        #expect(isFailure(written, .invalidArgument))
    }

    @Test(arguments: badCollections)
    func `every operation of a bad collection fails, and of what is made from it`(path: String) async {
        let bad = db.collection(path)
        #expect(isFailure(await failure { try await bad.getDocuments() }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.addDocument(data: [:]) }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.whereField("a", isEqualTo: 1).getDocuments() }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.document("x").getDocument() }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.document().collection("c").getDocuments() }, .invalidArgument))
        #expect(isFailure(await failure { try await bad.document("x").parent.getDocuments() }, .invalidArgument))
        let told: (any Error)? = await completion { done in bad.addSnapshotListener { _, error in done(error) } }
        #expect(isFailure(told, .invalidArgument))
        _ = (bad.collectionID, bad.parent, bad.description, bad.hash)
    }

    @Test(arguments: ["", "a/b", "/"])
    func `a bad collection group fails`(id: String) async {
        #expect(isFailure(await failure { try await db.collectionGroup(id).getDocuments() }, .invalidArgument))
    }

    @Test func `a listener of a bad path that is removed at once is told nothing`() async {
        let told = Collector<Bool>()
        db.document("bad").addSnapshotListener { _, _ in told.append(true) }.remove()
        let queue = db.settings.dispatchQueue
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(told.elements.count <= 1)
    }
}
