// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing
import XCTest

// snippet: testing-app
/// Gives out the beds of a hut.
struct FrontDesk {
    struct Full: Error {}

    let db: Firestore

    func book(_ hutID: String, for guest: String) async throws {
        let hut = db.document("huts/\(hutID)")
        let isBooked = try await db.runTransaction { transaction, errorPointer in
            do {
                let beds = try transaction.getDocument(hut)["beds"] as? Int ?? 0
                guard beds > 0 else { return false }
                transaction.updateData(["beds": beds - 1], forDocument: hut)
                transaction.setData(["name": guest], forDocument: hut.collection("guests").document())
                return true
            } catch {
                errorPointer?.pointee = error as NSError
                return nil
            }
        }
        if isBooked as? Bool != true { throw Full() }
    }
}
// end snippet

/// The code of the article "Test your app".
@Suite struct TestingSnippets {
    // snippet: testing-test
    @Test func `a full hut takes no more guests`() async throws {
        let db = try TestFirestore()
        let desk = FrontDesk(db: db.firestore)
        try await db.firestore.document("huts/stone").setData(["beds": 1])

        try await desk.book("stone", for: "Ada")
        await #expect(throws: FrontDesk.Full.self) { try await desk.book("stone", for: "Ben") }
    }
    // end snippet

    @Test func `waiting for a state`() async throws {
        let db = try TestFirestore()
        let hut = db.firestore.document("huts/stone")
        try await hut.setData(["beds": 1])
        let desk = FrontDesk(db: db.firestore)
        // snippet: testing-wait
        async let full = db.nextSnapshot(of: hut) { $0["beds"] as? Int == 0 }
        try await desk.book("stone", for: "Ada")
        #expect(try await full.exists)
        // end snippet
    }

    // snippet: testing-failure
    @Test func `a booking that fails changes nothing`() async throws {
        let db = try TestFirestore()
        let desk = FrontDesk(db: db.firestore)
        try await db.firestore.document("huts/stone").setData(["beds": 1])

        db.failNext(.writes, with: .permissionDenied)
        await #expect(throws: (any Error).self) { try await desk.book("stone", for: "Ada") }
        let guests = db.firestore.collection("huts/stone/guests")
        #expect(try await db.nextSnapshot(of: guests).isEmpty)

        try await desk.book("stone", for: "Ada")
        #expect(try await db.nextSnapshot(of: guests).count == 1)
    }
    // end snippet

    // snippet: testing-clock
    @Test func `server timestamps follow the clock`() async throws {
        let start = Date(timeIntervalSince1970: 1_750_000_000)
        let db = try TestFirestore(startingAt: start)
        let hut = db.firestore.document("huts/stone")

        db.clock.advance(by: .seconds(3_600))
        try await hut.setData(["checkedAt": FieldValue.serverTimestamp()])
        let checkedAt = try await hut.getDocument()["checkedAt"] as? Timestamp
        #expect(checkedAt?.dateValue() == start + 3_600)
    }
    // end snippet

    // snippet: testing-expiry
    @Test func `a booking that was not confirmed expires after an hour`() async throws {
        let db = try TestFirestore()
        try await db.firestore.setTimeToLive(on: "bookings", field: "madeAt", offset: .seconds(3_600))
        let bookings = db.firestore.collection("bookings")
        try await bookings.document("ada").setData(["madeAt": FieldValue.serverTimestamp()])

        db.clock.advance(by: .seconds(3_599))
        #expect(try await bookings.getDocuments().count == 1)
        db.clock.advance(by: .seconds(1))
        #expect(try await bookings.getDocuments().isEmpty)
    }
    // end snippet
}

// snippet: testing-xctest
final class BookingTests: XCTestCase {
    private var db: TestFirestore?

    override func setUpWithError() throws { db = try TestFirestore() }
    override func tearDown() async throws { try await db?.close() }

    func testABookingTakesABed() async throws {
        let db = try XCTUnwrap(db)
        let hut = db.firestore.document("huts/stone")
        try await hut.setData(["beds": 2])
        try await FrontDesk(db: db.firestore).book("stone", for: "Ada")
        let beds = try await hut.getDocument()["beds"] as? Int
        XCTAssertEqual(beds, 1)
    }
}
// end snippet
