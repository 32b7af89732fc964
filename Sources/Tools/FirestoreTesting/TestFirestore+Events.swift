// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore

extension TestFirestore {
    /// Waits until the handlers of events are idle.
    ///
    /// ```swift
    /// try db.firestore.onDocumentCreated("orders/{order}") { try await mailer.send($0.data(as: Order.self)) }
    /// try await shop.place(order)
    /// await db.waitForEventHandlers()
    /// #expect(mailer.sent.count == 1)
    /// ```
    /// They have handled everything that was committed before the call, and what they have written themselves. A handler that has thrown
    /// and is to be called again later is idle until then: move ``clock`` by the pause, a second after the first failure and twice as long
    /// after each further one, and wait again. A handler that triggers itself again and again never is.
    ///
    /// Returns immediately without handlers. Beyond the Apple SDK.
    public nonisolated(nonsending) func waitForEventHandlers() async {
        var last = DocumentVersion.none
        while true {
            var end = DocumentVersion.none
            for firestore in handles.all { end = max(end, await firestore.handlersAtRest()) }
            // What one handler writes may be an event of another one that was looked at before.
            guard end > last else { return }
            last = end
        }
    }
}
