// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The keys that requests to S3 are signed with.
package struct S3Credentials: Sendable, Hashable {
    package var accessKeyID: String
    package var secretAccessKey: String
    /// Of temporary credentials.
    package var sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the secrets, which must not reach a log.
    package var description: String { "credentials \(accessKeyID)" }
    package var debugDescription: String { description }
}
