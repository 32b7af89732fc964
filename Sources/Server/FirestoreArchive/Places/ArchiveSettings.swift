// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What an archive needs besides its place.
package struct ArchiveSettings: Sendable {
    /// The URL of a server of S3; nil for AWS.
    package var endpoint: String?
    /// nil for the variables `AWS_REGION` and `AWS_DEFAULT_REGION`, and without them `us-east-1`.
    package var region: String?
    /// A file like `~/.aws/credentials`; nil for the variables of the environment.
    package var credentialsFile: String?
    /// The section of that file; nil for the variable `AWS_PROFILE`, and without it `default`.
    package var profile: String?
    /// A PEM file with the certificates to trust; nil for those of the system.
    package var trustFile: String?
    /// The file of the key that objects are encrypted with; nil for an archive that is not encrypted.
    package var keyFile: String?
    package var environment: [String: String]
    package var clock: any WallClock = SystemClock()
    /// Replaced by tests.
    package var backoff: Backoff?

    package init(environment: [String: String]) { self.environment = environment }
}
