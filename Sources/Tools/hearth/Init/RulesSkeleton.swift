// SPDX-License-Identifier: Apache-2.0

/// The rules that a new server starts with. The package installs the same file.
enum RulesSkeleton {
    static let text = """
        rules_version = '2';

        // Security rules: what users may read and write. An administrator, who has the key, is not subject to them.
        //
        // This file refuses everything. Grant what your app needs, and check the file with `hearth rules check`.
        // A running server notices that the file has changed, and reads it again.
        service cloud.firestore {
          match /databases/{database}/documents {
            // Users who are signed in read and write the documents below their own id:
            //
            // match /users/{user}/{document=**} {
            //   allow read, write: if request.auth != null && request.auth.uid == user;
            // }

            match /{document=**} {
              allow read, write: if false;
            }
          }
        }

        """
}
