// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Testing

/// The code of the page "Working offline". It also runs embedded, where nothing waits in a queue.
@Suite struct OfflineSnippets {
    private let trail = Trail(name: "Ridge Walk", region: "Alps", kilometers: 11.5)

    @Test func `a receipt is found again`() async throws {
        let db = try TestFirestore().firestore
        var stored = ""
        // snippet: offline-receipt
        let receipt = try db.document("trails/ridge").setData(from: trail)
        try await receipt.saved  // in the queue
        if let id = receipt.id { stored = id.description }
        // end snippet
        #expect(stored.isEmpty)

        // snippet: offline-restart
        if let id = WriteReceipt.ID(stored), let receipt = try await db.receipt(id) {
            try await receipt.acknowledged
        }
        // end snippet
    }

    @Test func `a pinned query is available offline`() async throws {
        let db = try TestFirestore().firestore
        // snippet: offline-pins
        try await db.collection("trails").keepOffline(named: "trails", refreshEvery: .seconds(3_600))
        for pin in try await db.pins.current() {
            print(pin.name, pin.documentCount, pin.byteCount, pin.asOf ?? "never complete", pin.isCurrent)
        }
        // end snippet
        #expect(try await db.pins.current().isEmpty)
    }

    @Test func `the queue and the failed writes`() async throws {
        let db = try TestFirestore().firestore
        // snippet: offline-queue
        for try await writes in db.pendingWrites {
            print(writes.isEmpty ? "Saved" : "\(writes.count) changes to upload")
        }
        // end snippet

        // snippet: offline-failed
        for failure in try await db.failedWrites.current() {
            print(failure.documents.map(\.path), failure.error.localizedDescription)
            try await db.failedWrites.dismiss(failure.id)
        }
        // end snippet
    }
}
