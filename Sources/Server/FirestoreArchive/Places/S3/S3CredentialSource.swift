// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Where the credentials for S3 are, and the ones in use.
///
/// A file is read again when a request is refused, so that a process which renews temporary credentials needs only replace the file.
package final class S3CredentialSource: Sendable {
    private let file: S3CredentialsFile?
    private let current: Mutex<S3Credentials>

    /// Credentials that do not change.
    package init(_ credentials: S3Credentials) {
        file = nil
        current = Mutex(credentials)
    }

    /// Reads a file.
    package init(file path: String, profile: String = "default") throws(FirestoreError) {
        let file = S3CredentialsFile(path: path, profile: profile)
        self.file = file
        current = Mutex(try file.read())
    }

    /// Takes the variables that the programs of AWS use, too.
    package convenience init(environment: [String: String]) throws(FirestoreError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") else {
            throw FirestoreError(
                .failedPrecondition,
                "there are no credentials for S3; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a credentials file")
        }
        self.init(S3Credentials(accessKeyID: key, secretAccessKey: secret, sessionToken: value("AWS_SESSION_TOKEN")))
    }

    var credentials: S3Credentials { current.withLock { $0 } }

    /// For messages: where an operator can replace the credentials.
    var place: String { file.map { "in \($0.path)" } ?? "in the environment of this process" }

    /// Reads the file again after these credentials were refused, and returns whether there are now other ones. A file that cannot be read
    /// is as good as one that has not changed: it may be in the middle of being replaced.
    func renew(after refused: S3Credentials) -> Bool {
        guard let file, let new = try? file.read() else { return credentials != refused }
        return current.withLock { current in
            current = new
            return new != refused
        }
    }
}
