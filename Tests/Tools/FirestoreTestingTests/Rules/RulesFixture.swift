// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting

/// Notes with an owner, profiles with a role, and a board that editors write and all users read.
enum NotesRules {
    static let text = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{db}/documents {
            function signedIn() { return request.auth != null; }
            function role() { return get(/databases/$(db)/documents/profiles/$(request.auth.uid)).data.role; }

            match /notes/{note} {
              allow read: if signedIn() && resource.data.owner == request.auth.uid;
              allow create: if request.resource.data.owner == request.auth.uid;
              allow update, delete: if resource.data.owner == request.auth.uid;
            }
            match /board/{post} {
              allow read: if true;
              allow write: if role() == 'editor' || request.auth.token.get('admin', false);
            }
            match /counters/{counter} {
              allow get: if true;
              allow write: if request.resource.data.n == (resource == null ? 1 : resource.data.n + 1);
            }
            match /timed/{any} { allow read: if resource == null || request.time < resource.data.until; }
          }
        }
        """

    /// With a note of Alice, a note of Bob, and an editor, Ed.
    static func database() async throws -> TestFirestore {
        let db = try TestFirestore(rules: .source(text))
        let batch = db.withoutRules.batch()
        for (path, data) in [
            ("notes/alices", ["owner": "alice"]), ("notes/bobs", ["owner": "bob"]), ("profiles/ed", ["role": "editor"]),
            ("profiles/alice", ["role": "reader"]), ("board/welcome", ["text": "Hello"]),
        ] { batch.setData(data, forDocument: db.withoutRules.document(path)) }
        try await batch.commit()
        return db
    }
}
