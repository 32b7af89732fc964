// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Calls in the wrong order crash the process; each runs in a separate process.
@Suite struct MisuseTests {
    @Test func `configuring twice crashes the process`() async {
        await #expect(processExitsWith: .failure) {
            FirebaseApp.configure()
            FirebaseApp.configure()
        }
    }

    @Test func `an app name with a slash crashes the process`() async {
        await #expect(processExitsWith: .failure) {
            FirebaseApp.configure(name: "a/b", options: FirebaseOptions(googleAppID: "1", gcmSenderID: "1"))
        }
    }

    @Test func `changing the settings after the first write crashes the process`() async {
        await #expect(processExitsWith: .failure) {
            let db = Scratch.firestore()
            try await db.document("a/b").setData([:])
            let settings = db.settings
            settings.durability = .relaxed
            db.settings = settings
        }
    }

    @Test func `assigning equal settings after the first write is fine`() async throws {
        let db = Scratch.firestore()
        try await db.document("a/b").setData([:])
        db.settings = db.settings
    }

    @Test func `changing a batch after its commit`() async {
        await #expect(processExitsWith: .failure) {
            let db = Scratch.firestore()
            let batch = db.batch()
            try await batch.commit()
            batch.deleteDocument(db.document("a/b"))
        }
    }

    @Test func `committing a batch twice crashes the process`() async {
        await #expect(processExitsWith: .failure) {
            let batch = Scratch.firestore().batch()
            try await batch.commit()
            try await batch.commit()
        }
    }

    @Test func `using a transaction after its block`() async {
        await #expect(processExitsWith: .failure) {
            let db = Scratch.firestore()
            let kept = Collector<Transaction>()
            try await db.runTransaction { transaction, _ in
                kept.append(transaction)
                return nil
            }
            kept.elements.first?.deleteDocument(db.document("a/b"))
        }
    }
}
