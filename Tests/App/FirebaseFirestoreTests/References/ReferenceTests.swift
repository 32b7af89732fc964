// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// References: names, parents, equality.
@Suite struct ReferenceTests {
    let db = Scratch.firestore()

    @Test func `a document knows its id, path, collection and database`() {
        let bridge = db.collection("cities").document("SF").collection("landmarks").document("bridge")
        #expect(bridge.documentID == "bridge")
        #expect(bridge.path == "cities/SF/landmarks/bridge")
        #expect(bridge.parent == db.collection("cities/SF/landmarks"))
        #expect(bridge.parent.collectionID == "landmarks")
        #expect(bridge.parent.path == "cities/SF/landmarks")
        #expect(bridge.parent.parent == db.document("cities/SF"))
        #expect(db.collection("cities").parent == nil)
        #expect(bridge.firestore === db)
        #expect(bridge.parent.firestore === db)
        #expect("\(bridge)".contains("cities/SF/landmarks/bridge"))
    }

    @Test func `one leading and one trailing slash are tolerated`() {
        #expect(db.document("/cities/SF/") == db.document("cities/SF"))
        #expect(db.collection("/cities/") == db.collection("cities"))
        #expect(db.collection("cities").document("/SF/landmarks/bridge").path == "cities/SF/landmarks/bridge")
        #expect(db.document("cities/SF").collection("landmarks/bridge/photos").path == "cities/SF/landmarks/bridge/photos")
    }

    @Test func `equality and hash go by instance and path`() {
        let other = Scratch.firestore()
        #expect(db.document("a/b") == db.document("a/b"))
        #expect(Set([db.document("a/b"), db.document("a/b"), db.document("a/c")]).count == 2)
        #expect(db.document("a/b") != other.document("a/b"))
        #expect(db.collection("a") == db.collection("a"))
        #expect(db.collection("a") != db.collection("b"))
        // Composed and decomposed spellings are different documents (DM-7).
        #expect(db.document("a/\u{E9}") != db.document("a/e\u{301}"))
    }

    @Test func `new documents get 20 letters and digits`() {
        let ids = (0..<100).map { _ in db.collection("a").document().documentID }
        #expect(Set(ids).count == 100)
        #expect(ids.allSatisfy { $0.utf8.count == 20 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
    }
}
