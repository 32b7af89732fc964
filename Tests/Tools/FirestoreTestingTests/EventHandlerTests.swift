// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreTesting
import Foundation
import Testing

/// Handlers of events in a test: the clock of the test is theirs.
@Suite(.timeLimit(.minutes(5)))
struct EventHandlerTests {
    private struct Refusal: Error {}

    private final class Calls: Sendable {
        private let attempts = Mutex<[Int]>([])
        func note(_ event: DocumentEvent) { attempts.withLock { $0.append(event.attempt) } }
        var all: [Int] { attempts.withLock { $0 } }
    }

    @Test(arguments: [nil, "mailer"])
    func `a handler that throws is called again when the clock is moved by the pause`(name: String?) async throws {
        let (db, calls) = (try TestFirestore(), Calls())
        try db.firestore.onDocumentCreated("orders/{order}", named: name) { event in
            calls.note(event)
            if event.attempt < 4 { throw Refusal() }
        }
        try await db.firestore.document("orders/1").setData(["total": 1])
        await db.waitForEventHandlers()
        #expect(calls.all == [1])
        // Less than the pause.
        db.clock.advance(by: .milliseconds(900))
        await db.waitForEventHandlers()
        #expect(calls.all == [1])
        for (pause, attempts) in [(Duration.milliseconds(100), [1, 2]), (.seconds(2), [1, 2, 3]), (.seconds(4), [1, 2, 3, 4])] {
            db.clock.advance(by: pause)
            await db.waitForEventHandlers()
            #expect(calls.all == attempts)
        }
        db.clock.advance(by: .seconds(86_400))
        await db.waitForEventHandlers()
        #expect(calls.all == [1, 2, 3, 4])
        try await db.close()
    }

    @Test func `an event is given up after a day of the clock`() async throws {
        let (db, calls) = (try TestFirestore(), Calls())
        try db.firestore.onDocumentCreated("orders/{order}") { event in
            calls.note(event)
            throw Refusal()
        }
        try await db.firestore.document("orders/1").setData(["total": 1])
        for _ in 0..<300 {
            await db.waitForEventHandlers()
            db.clock.advance(by: .seconds(600))
        }
        await db.waitForEventHandlers()
        // Nine pauses up to ten minutes, and ten minutes each until the day is over.
        #expect(calls.all.count > 100 && calls.all.count < 160)
        #expect(calls.all == Array(1...calls.all.count))
        try await db.close()
    }

    @Test func `the wait includes what handlers write, and handlers of other users' instances`() async throws {
        let db = try TestFirestore()
        let firestore = db.firestore
        let other = try TestFirestore().firestore
        try firestore.onDocumentCreated("orders/{order}") { event in
            for _ in 0..<20 { await Task.yield() }
            try await firestore.document("mails/\(event.params["order"] ?? "")").setData(["sent": false])
        }
        try firestore.onDocumentCreated("mails/{mail}") { event in
            for _ in 0..<20 { await Task.yield() }
            try await event.reference.updateData(["sent": true])
        }
        for number in 1...5 { try await firestore.document("orders/\(number)").setData(["total": number]) }
        await db.waitForEventHandlers()
        #expect(try await firestore.collection("mails").whereField("sent", isEqualTo: true).getDocuments().count == 5)
        try await db.close()
        try await other.terminate()
    }

    @Test func `without handlers the wait returns`() async throws {
        let db = try TestFirestore()
        await db.waitForEventHandlers()
        try await db.close()
    }
}
