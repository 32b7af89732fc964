// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import TestSupport
import Testing

/// Security rules in a test database: what each user may do, and why not.
struct RulesTests {
    typealias Operation = @Sendable (Firestore) async throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Who may: `alice`, `bob`, `ed`, `root` with a claim, `-` for signed out.
        let granted: String
        let operation: Operation

        init(_ name: String, _ granted: String, _ operation: @escaping Operation) { (self.name, self.granted, self.operation) = (name, granted, operation) }

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case("get a note", "alice") { _ = try await $0.document("notes/alices").getDocument() },
        Case("get a missing note", "") { _ = try await $0.document("notes/none").getDocument() },
        Case("query one's notes", "alice") { _ = try await $0.collection("notes").whereField("owner", isEqualTo: "alice").getDocuments() },
        Case("count one's notes", "alice") { _ = try await $0.collection("notes").whereField("owner", isEqualTo: "alice").count.getAggregation(source: .server) },
        Case("query all notes", "") { _ = try await $0.collection("notes").getDocuments() },
        Case("query a group", "") { _ = try await $0.collectionGroup("notes").whereField("owner", isEqualTo: "alice").getDocuments() },
        Case("query the board", "- alice bob ed root") { _ = try await $0.collection("board").getDocuments() },
        Case("create for oneself", "alice") { try await $0.document("notes/new").setData(["owner": "alice"]) },
        Case("take over a note", "bob") { try await $0.document("notes/bobs").setData(["owner": "alice"]) },
        Case("update", "alice") { try await $0.document("notes/alices").updateData(["text": "Milk"]) },
        Case("update what is missing", "") { try await $0.document("notes/none").updateData(["text": "Milk"]) },
        Case("delete", "bob") { try await $0.document("notes/bobs").delete() },
        Case("post", "ed root") { try await $0.document("board/new").setData(["text": "News"]) },
        Case("count from one", "- alice bob ed root") { try await $0.document("counters/c").setData(["n": FieldValue.increment(Int64(1))]) },
        Case("count from two", "") { try await $0.document("counters/c").setData(["n": 2]) },
        Case("a batch of which one part is denied", "") {
            let batch = $0.batch()
            batch.setData(["n": 1], forDocument: $0.document("counters/c"))
            batch.setData(["n": 1], forDocument: $0.document("unknown/c"))
            try await batch.commit()
        },
        Case("a batch of one's own", "alice") {
            let batch = $0.batch()
            batch.setData(["owner": "alice"], forDocument: $0.document("notes/x"))
            batch.updateData(["text": "Milk"], forDocument: $0.document("notes/alices"))
            try await batch.commit()
        },
        Case("a transaction that reads", "alice") { db in
            try await db.runTransaction { transaction, errorPointer in
                do {
                    let note = try transaction.getDocument(db.document("notes/alices"))
                    transaction.updateData(["seen": true], forDocument: note.reference)
                } catch { errorPointer?.pointee = error as NSError }
                return nil
            }
        },
        Case("a transaction that only writes", "bob") { db in
            try await db.runTransaction { transaction, _ in
                transaction.deleteDocument(db.document("notes/bobs"))
                return nil
            }
        },
    ]

    static let users = ["-", "alice", "bob", "ed", "root"]

    private func handle(_ user: String, of db: TestFirestore) -> Firestore {
        switch user {
        case "-": db.signedOut
        case "root": db.as(user: "root", claims: ["admin": true])
        default: db.as(user: user)
        }
    }

    @Test(arguments: cases)
    func `rules decide for each user`(row: Case) async throws {
        for user in Self.users {
            let db = try await NotesRules.database()
            let firestore = handle(user, of: db)
            if row.granted.split(separator: " ").contains(Substring(user)) {
                try await row.operation(firestore)
            } else {
                let reason = try await expectDenied { try await row.operation(firestore) }
                #expect(reason.hasPrefix("Missing or insufficient permissions.\n") && reason.contains("denied."), "\(user): \(reason)")
            }
            try await db.close()
        }
    }

    @Test func `a denied write changes nothing`() async throws {
        let db = try await NotesRules.database()
        let bob = db.as(user: "bob")
        try await expectDenied { try await bob.document("notes/alices").delete() }
        #expect(try await db.withoutRules.document("notes/alices").getDocument().exists)
    }

    @Test func `a denial has line, column and values`() async throws {
        let db = try await NotesRules.database()
        let reason = try await expectDenied { try await db.as(user: "bob").document("notes/alices").getDocument() }
        #expect(reason.contains("get notes/alices: denied."))
        #expect(reason.contains("L8:22 match /databases/{db}/documents/notes/{note}: false"), "\(reason)")
        #expect(reason.contains("resource.data.owner == request.auth.uid = false") && reason.contains("resource.data.owner = \"alice\""), "\(reason)")
    }

    @Test func `the app's instance is signed out until a user is set, and follows the setting`() async throws {
        let db = try await NotesRules.database()
        let note = db.firestore.document("notes/alices")
        try await expectDenied { try await note.getDocument() }
        for (user, isGranted) in [("alice", true), ("bob", false), ("alice", true)] {
            let settings = db.firestore.settings
            settings.user = SecurityRules.User(uid: user)
            db.firestore.settings = settings
            if isGranted { #expect(try await note.getDocument().exists) } else { try await expectDenied { try await note.getDocument() } }
        }
    }

    @Test func `users see one database, and one user is one object`() async throws {
        let db = try await NotesRules.database()
        #expect(db.as(user: "alice") === db.as(user: "alice") && db.as(user: "alice") !== db.as(user: "bob"))
        #expect(db.as(user: "alice", claims: ["admin": true]) !== db.as(user: "alice"))
        #expect(db.signedOut === db.signedOut && db.signedOut !== db.firestore)
        try await db.as(user: "ed").document("board/news").setData(["text": "Rain"])
        #expect(try await db.signedOut.document("board/news").getDocument()["text"] as? String == "Rain")
    }

    @Test func `tokens have the claims of the project at the time of the clock`() async throws {
        let db = try TestFirestore(
            rules: .source(
                """
                rules_version = '2';
                service cloud.firestore { match /databases/{db}/documents/a/{x} {
                  allow get: if request.auth.token.sub == 'u' && request.auth.token.user_id == request.auth.uid
                    && request.auth.token.aud == 'demo-claims' && request.auth.token.iss == 'https://securetoken.google.com/demo-claims'
                    && request.auth.token.iat == 1735689600 && request.auth.token.exp == 1735693200
                    && request.auth.token.firebase.sign_in_provider == 'custom'
                    && request.auth.token.level is int && request.auth.token.level == 3 && request.auth.token.ratio == 0.5
                    && request.auth.token.teams == ['red', null, true] && request.auth.token.at.home == 7 && request.auth.token.name == 'U 1';
                } }
                """), projectID: "demo-claims")
        let user = db.as(user: "u", claims: ["level": 3.0, "ratio": 0.5, "teams": ["red", nil, true], "at": ["home": 7], "name": "U \(1)", "sub": "other"])
        _ = try await user.document("a/b").getDocument()
    }

    @Test func `without rules each user may do everything`() async throws {
        let db = try TestFirestore()
        try await db.as(user: "alice").document("a/b").setData(["n": 1])
        #expect(try await db.signedOut.document("a/b").getDocument().exists)
        #expect(try await db.withoutRules.document("a/b").getDocument().exists)
        #expect(db.rulesCoverage == nil)
    }

    @Test func `planned failures come before the rules`() async throws {
        let db = try await NotesRules.database()
        db.failNext(.reads, with: .unavailable)
        await #expect { try await db.as(user: "bob").document("notes/alices").getDocument() } throws: { FirestoreErrorCode.unavailable ~= $0 }
        #expect(db.pendingFailures == 0)
    }

    @Test func `after close every user's operations fail`() async throws {
        let db = try await NotesRules.database()
        let (alice, bob) = (db.as(user: "alice"), db.as(user: "bob"))
        _ = try await alice.document("notes/alices").getDocument()
        try await db.close()
        for firestore in [alice, bob, db.as(user: "carol"), db.firestore] {
            await #expect { try await firestore.document("notes/alices").getDocument() } throws: { FirestoreErrorCode.failedPrecondition ~= $0 }
        }
    }

    // MARK: Expectations

    @Test func `an operation that is granted against expectation says why`() async throws {
        let db = try await NotesRules.database()
        let error = await #expect(throws: (any Error).self) {
            try await expectDenied { try await db.as(user: "alice").document("notes/alices").getDocument() }
        }
        let text = String(describing: try #require(error))
        #expect(text.contains("RulesTests.swift:") && text.contains("the operation was granted") && text.contains("get notes/alices: granted."), "\(text)")
        #expect(text.contains("L8:22") && error?.localizedDescription == text)
    }

    @Test func `an operation without rules, or that fails otherwise, is not a denial`() async throws {
        let db = try await NotesRules.database()
        var error = await #expect(throws: (any Error).self) {
            try await expectDenied { try await db.withoutRules.document("notes/alices").getDocument() }
        }
        #expect(String(describing: try #require(error)).contains("No rules were asked"))
        error = await #expect(throws: (any Error).self) {
            try await expectDenied { try await db.withoutRules.document("notes/none").updateData([:]) }
        }
        #expect(String(describing: try #require(error)).contains("failed otherwise: notFound"))
    }

    // MARK: Coverage

    @Test func `coverage counts lines and conditions`() async throws {
        let db = try await NotesRules.database()
        _ = try await db.as(user: "alice").document("notes/alices").getDocument()
        try await expectDenied { try await db.signedOut.document("notes/alices").getDocument() }
        let lcov = try #require(db.rulesCoverage).lcov
        #expect(lcov.hasPrefix("TN:\nSF:firestore.rules\n") && lcov.hasSuffix("end_of_record\n"))
        #expect(lcov.contains("DA:4,2\n") && lcov.contains("DA:8,2\n") && lcov.contains("DA:9,0\n"), "\(lcov)")
    }

    // MARK: Rules that cannot be used

    @Test func `rules with errors open no database, and the error names line and column`() throws {
        let error = #expect(throws: FirestoreErrorCode.self) {
            try TestFirestore(rules: .source("rules_version = '2';\nservice cloud.firestore {\n  match /a/{b} { allow read: if ); }\n}"))
        }
        #expect(error?.code == .invalidArgument && error?.localizedDescription.contains("L3:33") == true, "\(String(describing: error))")
        #expect(throws: FirestoreErrorCode.self) { try TestFirestore(rules: .source("")) }
    }

    @Test func `rules are read from a file`() async throws {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.file("my.rules"))
        let missing = #expect(throws: FirestoreErrorCode.self) { try TestFirestore(rules: .file(file)) }
        #expect(missing?.code == .failedPrecondition && missing?.localizedDescription.contains("my.rules") == true)
        try NotesRules.text.write(to: file, atomically: true, encoding: .utf8)
        let db = try TestFirestore(rules: .file(file))
        try await expectDenied { try await db.signedOut.collection("notes").getDocuments() }
        #expect(try #require(db.rulesCoverage).lcov.contains("SF:\(file.path)\n"))
    }
}
