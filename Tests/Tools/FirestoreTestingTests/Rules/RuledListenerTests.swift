// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// Listeners under rules: judged when they start, and again when data, user or time change.
struct RuledListenerTests {
    private func change(_ user: SecurityRules.User?, of firestore: Firestore) {
        let settings = firestore.settings
        settings.user = user
        firestore.settings = settings
    }

    @Test func `a listener starts if the rules grant it`() async throws {
        let db = try await NotesRules.database()
        let alice = db.as(user: "alice")
        #expect(try await db.nextSnapshot(of: alice.document("notes/alices")).exists)
        let own = alice.collection("notes").whereField("owner", isEqualTo: "alice")
        #expect(try await db.nextSnapshot(of: own).count == 1)
        try await expectDenied { try await db.nextSnapshot(of: alice.collection("notes")) }
        try await expectDenied { try await db.nextSnapshot(of: alice.document("notes/bobs")) }
        try await alice.document("notes/more").setData(["owner": "alice"])
        #expect(try await db.nextSnapshot(of: own).count == 2)
    }

    @Test func `a document that is taken away ends its listener`() async throws {
        let db = try await NotesRules.database()
        let note = db.as(user: "alice").document("notes/alices")
        try await db.nextSnapshot(of: note)
        try await db.withoutRules.document("notes/alices").updateData(["owner": "bob"])
        try await expectDenied { try await db.nextSnapshot(of: note) }
    }

    @Test func `another user ends the listeners that are not theirs, and no others`() async throws {
        let db = try await NotesRules.database()
        change(SecurityRules.User(uid: "alice"), of: db.firestore)
        let (note, board) = (db.firestore.document("notes/alices"), db.firestore.collection("board"))
        try await db.nextSnapshot(of: note)
        try await db.nextSnapshot(of: board)

        change(SecurityRules.User(uid: "bob"), of: db.firestore)
        try await expectDenied { try await db.nextSnapshot(of: note) }
        try await db.withoutRules.document("board/news").setData(["text": "Rain"])
        #expect(try await db.nextSnapshot(of: board).count == 2)
        #expect(try await db.nextSnapshot(of: db.firestore.document("notes/bobs")).exists)
    }

    @Test func `an administrator's listener is judged when the administrator becomes a user`() async throws {
        let db = try await NotesRules.database()
        change(.administrator, of: db.firestore)
        let notes = db.firestore.collection("notes")
        #expect(try await db.nextSnapshot(of: notes).count == 2)
        try await db.withoutRules.document("notes/more").setData(["owner": "alice"])
        #expect(try await db.nextSnapshot(of: notes).count == 3)
        change(.signedOut, of: db.firestore)
        try await expectDenied { try await db.nextSnapshot(of: notes) }
    }

    @Test func `one user's change does not concern the listeners of others`() async throws {
        let db = try await NotesRules.database()
        let note = db.as(user: "bob").document("notes/bobs")
        try await db.nextSnapshot(of: note)
        change(SecurityRules.User(uid: "alice"), of: db.firestore)
        change(.signedOut, of: db.firestore)
        try await db.as(user: "bob").document("notes/bobs").updateData(["text": "Tea"])
        #expect(try await db.nextSnapshot(of: note)["text"] as? String == "Tea")
    }

    @Test func `moving the clock judges conditions about the time`() async throws {
        let db = try await NotesRules.database()
        try await db.withoutRules.document("timed/t").setData(["until": Timestamp(date: db.clock.now + 60)])
        let timed = db.signedOut.document("timed/t")
        try await db.nextSnapshot(of: timed)
        db.clock.advance(by: .seconds(61))
        try await expectDenied { try await db.nextSnapshot(of: timed) }
    }

    @Test func `a listener that starts while the user changes is judged as one of the two, and ends as the last`() async throws {
        for _ in 0..<40 {
            let db = try await NotesRules.database()
            change(SecurityRules.User(uid: "alice"), of: db.firestore)
            let note = db.firestore.document("notes/alices")
            async let first: Void = { change(SecurityRules.User(uid: "bob"), of: db.firestore) }()
            let isDenied: Bool
            do {
                try await db.nextSnapshot(of: note)
                isDenied = false
            } catch FirestoreErrorCode.permissionDenied { isDenied = true }
            await first
            if !isDenied { try await expectDenied { try await db.nextSnapshot(of: note) } }
            try await db.close()
        }
    }
}
