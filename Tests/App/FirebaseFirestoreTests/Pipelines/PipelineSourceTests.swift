// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Sources: every overload, as an app calls it, and what it sends.
@Suite struct PipelineSourceTests {
    let db = Scratch.firestore()

    @Test func `collections and groups`() throws {
        try check(db.pipeline().collection("books"), "collection(/books)")
        try check(db.pipeline().collection("/books/b1/notes"), "collection(/books/b1/notes)")
        try check(db.pipeline().collection(db.collection("books")), "collection(/books)")
        try check(db.pipeline().collection("books", forceIndex: "primary"), "collection(/books, force_index: \"primary\")")
        try check(db.pipeline().collection(db.collection("books"), forceIndex: "i1"), "collection(/books, force_index: \"i1\")")
        try check(db.pipeline().collectionGroup("notes"), "collection_group(reference(\"\"), \"notes\")")
        try check(db.pipeline().collectionGroup("notes", forceIndex: "i1"), "collection_group(reference(\"\"), \"notes\", force_index: \"i1\")")
        try check(db.pipeline().database(), "database()")
    }

    @Test func `lists of documents`() throws {
        try check(db.pipeline().documents(["books/b1", "books/b2"]), "documents(/books/b1, /books/b2)")
        try check(db.pipeline().documents([db.document("books/b1")]), "documents(/books/b1)")
    }

    @Test func `rows that are written out`() throws {
        try check(db.pipeline().literals([["x": 1], ["x": Field("y").add(2), "a": "b"]]), "literals({x: 1}, {a: \"b\", x: add(y, 2)})")
    }

    @Test func `paths that name nothing are reported by the execution`() {
        // IA in the Apple SDK: a crash there, an error here.
        let other = Scratch.firestore()
        let wrong = [
            db.pipeline().collection("books/b1"), db.pipeline().collection(""), db.pipeline().collection("a//b"),
            db.pipeline().collection(db.collection("a/b")), db.pipeline().collectionGroup("a/b"), db.pipeline().documents(["books"]),
            db.pipeline().documents([db.document("books")]), db.pipeline().collection(other.collection("books")),
            db.pipeline().documents([other.document("books/b1")]), db.pipeline().create(from: other.collection("books")),
        ]
        for pipeline in wrong {
            let error = fault(of: pipeline)
            #expect(error?.domain == FirestoreErrorDomain && error?.code == FirestoreErrorCode.invalidArgument.rawValue)
        }
    }
}
