// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

struct TestClockTests {
    let start = Date(timeIntervalSince1970: 1_000_000)

    @Test func `server timestamps follow the clock`() async throws {
        let db = try TestFirestore(startingAt: start)
        let document = db.firestore.document("a/b")
        try await document.setData(["at": FieldValue.serverTimestamp()])
        #expect((try await document.getDocument()["at"] as? Timestamp)?.dateValue() == start)

        db.clock.advance(by: .seconds(3_600) + .milliseconds(250))
        try await document.setData(["at": FieldValue.serverTimestamp()])
        #expect((try await document.getDocument()["at"] as? Timestamp)?.dateValue() == start + 3_600.25)
    }

    @Test func `a test clock stands still by itself, and moves by whole microseconds`() throws {
        let clock = try TestFirestore(startingAt: start).clock
        #expect(clock.now == start)
        clock.advance(by: .microseconds(7) + .nanoseconds(900))
        #expect(clock.now == Date(timeIntervalSince1970: 1_000_000.000007))
        clock.set(to: start + 60)
        #expect(clock.now == start + 60)
    }

    @Test func `a clock set back does not turn back the database`() async throws {
        let db = try TestFirestore(startingAt: start)
        let document = db.firestore.document("a/b")
        try await document.setData(["at": FieldValue.serverTimestamp()])
        db.clock.set(to: start - 1_000)
        try await document.updateData(["at": FieldValue.serverTimestamp(), "second": true])
        #expect(try await document.getDocument()["second"] as? Bool == true)
        let at = try #require(try await document.getDocument()["at"] as? Timestamp)
        #expect(at.dateValue() >= start)
    }

    // As numbers: Foundation itself cannot print the date of a NaN.
    @Test(arguments: [-1e300, -63_000_000_000, 1e12, Double.nan, Double.infinity])
    func `no date ends the process`(seconds: Double) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        let db = try TestFirestore(startingAt: date)
        try? await db.firestore.document("a/b").setData(["at": FieldValue.serverTimestamp()])
        db.clock.set(to: date)
        for duration in [Duration.seconds(Int64.max), .seconds(Int64.min)] { db.clock.advance(by: duration) }
        #expect(db.clock.now.timeIntervalSince1970.isFinite)
    }
}
