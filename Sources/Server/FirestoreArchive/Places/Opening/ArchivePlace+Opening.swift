// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRPC

extension ArchivePlace {
    /// The archive at this place. Reads the files of keys and credentials; does not contact the place.
    package func open(_ settings: ArchiveSettings) throws(FirestoreError) -> any ArchiveStore {
        let store: any ArchiveStore
        switch self {
        case .directory(let path):
            guard settings.endpoint == nil, settings.region == nil, settings.credentialsFile == nil else {
                throw .invalidArgument(
                    "an endpoint, a region and credentials are for an archive in a bucket (s3://BUCKET/PREFIX), not in a folder", at: path)
            }
            store = DirectoryArchive(path: path, clock: settings.clock)
        case .bucket(let bucket): store = S3Archive(try Self.settings(of: bucket, settings))
        }
        guard let file = settings.keyFile else { return store }
        return EncryptedArchive(store, key: try ArchiveKey(reading: file, environment: settings.environment))
    }

    private static func settings(of bucket: S3Bucket, _ settings: ArchiveSettings) throws(FirestoreError) -> S3Settings {
        func value(_ name: String) -> String? { settings.environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let region = settings.region ?? value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? S3Region.usual
        guard S3Region.isValid(region) else {
            throw .invalidArgument("\"\(ArchiveName.printable(region))\" is not a region; give one such as eu-central-1")
        }
        let credentials: S3CredentialSource =
            if let file = settings.credentialsFile {
                try S3CredentialSource(file: file, profile: settings.profile ?? value("AWS_PROFILE") ?? "default")
            } else {
                try S3CredentialSource(environment: settings.environment)
            }
        let endpoint =
            try settings.endpoint.map { text throws(FirestoreError) in try S3Endpoint(text, bucket: bucket.name) }
            ?? S3Endpoint(bucket: bucket.name, region: region)
        var s3 = S3Settings(bucket: bucket, endpoint: endpoint, region: region, credentials: credentials)
        s3.trust = HTTPTrust(file: settings.trustFile)
        s3.clock = settings.clock
        if let backoff = settings.backoff { s3.backoff = backoff }
        return s3
    }

    /// Whether objects cross a network in a form that others on the way can read: over http, to another machine, without encryption.
    package func isReadableInTransit(_ settings: ArchiveSettings) -> Bool {
        guard case .bucket(let bucket) = self, settings.keyFile == nil, let text = settings.endpoint,
            let endpoint = try? S3Endpoint(text, bucket: bucket.name), !endpoint.usesTLS
        else { return false }
        return !(["localhost", "::1"].contains(endpoint.host.lowercased()) || endpoint.host.hasPrefix("127."))
    }
}
