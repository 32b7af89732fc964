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

    // OT-34
    @Test func `documents that expire are gone when the clock was moved`() async throws {
        let db = try TestFirestore(startingAt: start)
        let sessions = db.firestore.collection("sessions")
        try await db.firestore.setTimeToLive(on: "sessions", field: "life.end", offset: .seconds(60))
        for (name, seconds) in [("a", 0.0), ("b", 3_600), ("c", 31_536_000)] {
            try await sessions.document(name).setData(["life": ["end": Timestamp(date: start + seconds)]])
        }
        db.clock.advance(by: .seconds(60) - .microseconds(1))
        #expect(try await sessions.getDocuments().documents.map(\.documentID) == ["a", "b", "c"])
        db.clock.advance(by: .microseconds(1))
        #expect(try await sessions.getDocuments().documents.map(\.documentID) == ["b", "c"])
        db.clock.advance(by: .seconds(7_200))
        #expect(try await sessions.getDocuments().documents.map(\.documentID) == ["c"])
        // OT-37
        try await db.firestore.removeTimeToLive(on: "sessions")
        db.clock.set(to: start + 1_000_000_000)
        #expect(try await sessions.getDocuments().documents.map(\.documentID) == ["c"])
    }

    @Test func `listeners and rules of a test database take expired documents`() async throws {
        let rules = SecurityRules.source("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{p=**} { allow read: if true } } }")
        let db = try TestFirestore(rules: rules, startingAt: start)
        let admin = db.withoutRules
        try await admin.document("sessions/a").setData(["end": Timestamp(date: start + 1)])
        try await admin.setTimeToLive(on: "sessions", field: "end")
        #expect(try await db.nextSnapshot(of: db.firestore.collection("sessions")).count == 1)
        db.clock.advance(by: .seconds(2))
        #expect(try await db.nextSnapshot(of: db.firestore.collection("sessions")).count == 0)
    }

    @Test func `ttl in an index configuration sets the policies, and another configuration removes them`() async throws {
        let db = try TestFirestore(startingAt: start)
        let text = #"{"fieldOverrides":[{"collectionGroup":"sessions","fieldPath":"end","ttl":true,"indexes":[]}]}"#
        try await db.firestore.setIndexConfiguration(text)
        #expect(try await db.firestore.indexConfiguration().contains("\"ttl\": true"))
        try await db.firestore.document("sessions/a").setData(["end": Timestamp(date: start)])
        db.clock.advance(by: .seconds(1))
        #expect(try await !db.firestore.document("sessions/a").getDocument().exists)
        try await db.firestore.setIndexConfiguration(#"{"indexes":[]}"#)
        #expect(try await !db.firestore.indexConfiguration().contains("ttl"))
        try await db.firestore.document("sessions/a").setData(["end": Timestamp(date: start)])
        db.clock.advance(by: .seconds(1))
        #expect(try await db.firestore.document("sessions/a").getDocument().exists)
    }

    @Test func `a second field, a bad name and a bad offset are refused`() async throws {
        let db = try TestFirestore(startingAt: start).firestore
        try await db.setTimeToLive(on: "sessions", field: FieldPath(["end"]))
        func code(_ body: () async throws -> Void) async -> FirestoreErrorCode.Code? {
            do { try await body() } catch { return (error as? FirestoreErrorCode)?.code }
            return nil
        }
        #expect(await code { try await db.setTimeToLive(on: "sessions", field: "other") } == .failedPrecondition)
        #expect(await code { try await db.setTimeToLive(on: "a/b", field: "other") } == .invalidArgument)
        #expect(await code { try await db.setTimeToLive(on: "c", field: "*") } == .invalidArgument)
        #expect(await code { try await db.setTimeToLive(on: "c", field: "a", offset: .milliseconds(1)) } == .invalidArgument)
    }
}
