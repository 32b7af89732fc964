// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the article "Testing security rules".
@Suite struct RulesSnippets {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /huts/{hut} {
              allow read: if true;
              allow write: if request.auth.token.role == 'warden';

              match /guests/{guest} {
                allow read: if resource.data.uid == request.auth.uid;
                allow create: if request.resource.data.uid == request.auth.uid;
              }
            }
          }
        }
        """

    private let rulesFile: URL

    init() throws {
        rulesFile = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-\(UUID().uuidString).rules")
        try Self.rules.write(to: rulesFile, atomically: true, encoding: .utf8)
    }

    // snippet: rules-test
    @Test func `guests see only their own entry`() async throws {
        let db = try TestFirestore(rules: .file(rulesFile))
        try await db.withoutRules.document("huts/stone/guests/first").setData(["uid": "ada"])

        let entry = try await db.as(user: "ada").document("huts/stone/guests/first").getDocument()
        #expect(entry.exists)
        try await expectDenied {
            try await db.as(user: "ben").document("huts/stone/guests/first").getDocument()
        }
    }
    // end snippet

    // snippet: rules-claims
    @Test func `only wardens change a hut`() async throws {
        let db = try TestFirestore(rules: .file(rulesFile))
        let warden = db.as(user: "eva", claims: ["role": "warden"])
        try await warden.document("huts/stone").setData(["beds": 4])
        for firestore in [db.as(user: "ada"), db.signedOut] {
            try await expectDenied { try await firestore.document("huts/stone").delete() }
        }
    }
    // end snippet

    @Test func `why`() async throws {
        let db = try TestFirestore(rules: .file(rulesFile))
        // snippet: rules-reason
        let reason = try await expectDenied {
            try await db.as(user: "ada", claims: ["role": "cook"]).document("huts/stone").delete()
        }
        #expect(reason.contains(#"request.auth.token.role = "cook""#))
        // end snippet
        // As the article shows it.
        #expect(
            reason == """
                Missing or insufficient permissions.
                delete huts/stone: denied.
                  L6:23 match /databases/{database}/documents/huts/{hut}: false
                    L6:23 request.auth.token.role = "cook"
                """)
    }

    // snippet: rules-lists
    @Test func `a query has to name its guest`() async throws {
        let db = try TestFirestore(rules: .file(rulesFile), strictLists: true)
        let guests = db.as(user: "ada").collection("huts/stone/guests")
        try await expectDenied { try await guests.getDocuments() }
        #expect(try await guests.whereField("uid", isEqualTo: "ada").getDocuments().isEmpty)
    }
    // end snippet

    // snippet: rules-listener
    @Test func `a listener ends when its user signs out`() async throws {
        let db = try TestFirestore(rules: .file(rulesFile))
        let settings = db.firestore.settings
        settings.user = SecurityRules.User(uid: "ada")
        db.firestore.settings = settings
        let own = db.firestore.collection("huts/stone/guests").whereField("uid", isEqualTo: "ada")
        try await db.nextSnapshot(of: own)

        settings.user = .signedOut
        db.firestore.settings = settings
        try await expectDenied { try await db.nextSnapshot(of: own) }
    }
    // end snippet

    @Test func coverage() async throws {
        let db = try TestFirestore(rules: .file(rulesFile))
        let file = rulesFile.appendingPathExtension("lcov")
        // snippet: rules-coverage
        try db.rulesCoverage?.lcov.write(to: file, atomically: true, encoding: .utf8)
        // end snippet
        #expect(FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.removeItem(at: file)
    }

    @Test func `in the app`() async throws {
        FirebaseApp.configure(name: "rules-snippet", options: FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1"))
        let db = Firestore.firestore(app: try #require(FirebaseApp.app(name: "rules-snippet")))
        // snippet: rules-settings
        let settings = FirestoreSettings()
        settings.storage = .memory
        settings.rules = .file(rulesFile)
        settings.user = SecurityRules.User(uid: "ada", claims: ["role": "warden"])
        db.settings = settings
        // end snippet
        try await db.document("huts/stone").setData(["beds": 4])
        try await db.terminate()
    }
}
