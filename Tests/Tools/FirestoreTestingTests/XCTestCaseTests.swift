// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import XCTest

/// Tests with XCTest: one database per test, made in `setUp`, with `async` tests and with expectations.
final class XCTestCaseTests: XCTestCase {
    private var db: TestFirestore?

    override func setUpWithError() throws { db = try TestFirestore() }

    override func tearDown() async throws { try await db?.close() }

    func testDatabasesStartEmpty() async throws {
        let db = try XCTUnwrap(db)
        let books = db.firestore.collection("books")
        let before = try await db.nextSnapshot(of: books)
        XCTAssertTrue(before.isEmpty)
        try await books.document("dune").setData(["title": "Dune"])
        let after = try await db.nextSnapshot(of: books)
        XCTAssertEqual(after.documents.map(\.documentID), ["dune"])
    }

    func testListenersOnTheMainQueueFulfilExpectations() throws {
        let db = try XCTUnwrap(db)
        let told = expectation(description: "told")
        let document = db.firestore.document("books/dune")
        let registration = document.addSnapshotListener { snapshot, _ in
            if snapshot?["title"] as? String == "Dune" { told.fulfill() }
        }
        document.setData(["title": "Dune"])
        wait(for: [told], timeout: 10)
        registration.remove()
    }

    func testFailures() async throws {
        let db = try XCTUnwrap(db)
        db.failNext(.writes, with: .resourceExhausted)
        do {
            try await db.firestore.document("books/dune").setData([:])
            XCTFail("the write succeeded")
        } catch FirestoreErrorCode.resourceExhausted {
        }
        let snapshot = try await db.firestore.document("books/dune").getDocument()
        XCTAssertFalse(snapshot.exists)
    }
}
