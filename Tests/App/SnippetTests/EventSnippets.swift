// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the guide about events.
struct EventSnippets {
    private struct Order: Codable, Sendable { var total: Int }

    /// What was sent, by the ids of the events.
    private actor Outbox {
        private(set) var sent: [String: Int] = [:]

        func send(_ order: Order, _ id: String) { sent[id] = order.total }
    }

    @Test func `a handler sends one message for each order`() async throws {
        let db = try TestFirestore().firestore
        let outbox = Outbox()
        @Sendable func send(_ order: Order, _ id: String) async throws { await outbox.send(order, id) }
        // snippet: event-handler
        try db.onDocumentWritten("orders/{order}", named: "mailer") { event in
            guard event.kind == .created else { return }
            try await send(event.data(as: Order.self), event.id)
        }
        // end snippet
        try await db.document("orders/1").setData(["total": 3])
        try await db.document("orders/1").setData(["total": 4])
        while await outbox.sent.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(await Array(outbox.sent.values) == [3])
    }

    @Test func `a handler keeps a count and leaves alone what it has written`() async throws {
        let db = try TestFirestore().firestore
        // snippet: event-count
        let registration = try db.onDocumentUpdated("posts/{post}") { event in
            guard let before = event.before, let after = event.after else { return }
            let text = after["text"] as? String ?? ""
            // Its own write comes here, too, and must find that nothing is left to do.
            guard after["length"] as? Int != text.count else { return }
            print("\(event.params["post"] ?? "") changed from \(before.data()) to \(after.data())")
            try await event.reference.updateData(["length": text.count])
        }
        // end snippet
        let post = db.document("posts/1")
        try await post.setData(["text": "a"])
        try await post.updateData(["text": "abc"])
        while try await post.getDocument()["length"] as? Int != 3 { try await Task.sleep(for: .milliseconds(1)) }
        // snippet: event-remove
        registration.remove()
        // end snippet
    }
}
