// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// How an archive reaches its bucket.
package struct S3Settings: Sendable {
    package var bucket: S3Bucket
    package var endpoint: S3Endpoint
    package var region: String
    package var credentials: S3CredentialSource
    /// The certificates that the endpoint's is checked with.
    package var trust = HTTPTrust()
    package var clock: any WallClock = SystemClock()
    /// How often a request is sent before its failure is reported.
    package var attempts = 5
    package var backoff = Backoff(first: .milliseconds(200), factor: 3, longest: .seconds(10))
    /// An attempt ends after so much time without progress.
    package var idlePatience = Duration.seconds(30)
    /// An attempt ends after this time, with progress or not.
    package var patience = Duration.seconds(600)

    package init(bucket: S3Bucket, endpoint: S3Endpoint, region: String, credentials: S3CredentialSource) {
        self.bucket = bucket
        self.endpoint = endpoint
        self.region = region
        self.credentials = credentials
    }
}
