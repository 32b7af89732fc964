// SPDX-License-Identifier: Apache-2.0
import FirebaseAuth
import FirebaseFirestore
import Foundation

/// An app outside this repository with users and rules. Firestore comes first: it has to find FirebaseAuth by itself, also when both are
/// linked statically into a release build without symbols.
@main
@MainActor
struct Secured {
    static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /notes/{note} {
              allow get: if request.auth != null && resource.data.author == request.auth.uid;
              allow create: if request.resource.data.author == request.auth.uid;
            }
          }
        }
        """

    static func main() async throws {
        let db = Firestore.firestore()
        let settings = db.settings
        settings.rules = .source(rules)
        db.settings = settings
        let notes = db.collection("notes")
        try await expectDenied("without a user") { try await notes.document("1").setData(["author": "nobody"]) }

        let user = try await Auth.auth().signInAnonymously().user
        try await notes.document("1").setData(["author": user.uid, "text": "Buy towels"])
        let text = try await notes.document("1").getDocument().get("text") as? String
        guard text == "Buy towels" else { throw Failure("the user's own note is not there") }
        try await expectDenied("as another author") { try await notes.document("2").setData(["author": "zaphod"]) }

        try Auth.auth().signOut()
        try await expectDenied("after signing out") { _ = try await notes.document("1").getDocument() }
        print("consumer with users and rules: everything worked")
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    static func expectDenied(_ when: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as NSError where error.code == FirestoreErrorCode.Code.permissionDenied.rawValue {
            return
        }
        throw Failure("a request \(when) is not denied")
    }
}
