// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// A bad path gives a reference whose every operation fails with `invalidArgument` (DM-5 … DM-10).
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
    func `every operation fails on a bad collection, and on references made from it`(path: String) async {
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

    /// References and what their error says: the path as written, and what is wrong with it.
    static let named: [(@Sendable (Firestore) -> Query, String)] = [
        ({ $0.collection("//foo") }, "//foo: a path must not contain two slashes in a row"),
        ({ $0.collection("foo//") }, "foo//: a path must not contain two slashes in a row"),
        ({ $0.collection("a/b//c") }, "a/b//c: a path must not contain two slashes in a row"),
        ({ $0.collection("") }, "the collection path is empty"),
        ({ $0.collection("/a/b") }, "/a/b: a collection path has an odd number of segments, this one has 2"),
        ({ $0.collectionGroup("") }, "the collection id is empty"),
        ({ $0.document("a/b").collection("") }, "the collection path is empty"),
        ({ $0.document("a/b").collection("//foo") }, "//foo: a path must not"),
        ({ $0.document("a/b").collection("c/d") }, "a/b/c/d: a collection path has an odd number of segments, this one has 4"),
        ({ $0.document("").parent }, "the document path is empty"),
        ({ $0.document("/").parent }, "/: the document path is empty"),
        ({ $0.document("//").parent }, "//: a path must not"),
        ({ $0.document("/a/b/c").parent }, "/a/b/c: a document path has an even number of segments, this one has 3"),
        ({ $0.collection("a").document("").parent }, "the document path is empty"),
        ({ $0.collection("a").document("b//").parent }, "b//: a path must not"),
        ({ $0.collection("a").document("b/c").parent }, "a/b/c: a document path has an even number of segments, this one has 3"),
    ]

    @Test(arguments: named.indices)
    func `the message names the path as written`(index: Int) async {
        let (query, words) = Self.named[index]
        let error = await failure { try await query(db).getDocuments() }
        let text = (error as? FirestoreErrorCode)?.localizedDescription ?? ""
        #expect(text.hasPrefix(words), "\(text) does not begin with \(words)")
    }

    @Test func `one slash at each end is tolerated`() {
        #expect(db.collection("a").document("/b/").path == "a/b" && db.document("a/b").collection("/c/").path == "a/b/c")
    }

    @Test func `a listener of an invalid path that is removed immediately is not called`() async {
        let told = Collector<Bool>()
        db.document("bad").addSnapshotListener { _, _ in told.append(true) }.remove()
        let queue = db.settings.dispatchQueue
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(told.elements.count <= 1)
    }
}
