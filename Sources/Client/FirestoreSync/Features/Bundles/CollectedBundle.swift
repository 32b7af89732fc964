// SPDX-License-Identifier: Apache-2.0
package import FirestoreClient
package import FirestoreCore

extension BundledChange {
    var remote: RemoteDocument {
        guard let fields else { return RemoteDocument(missing: key, at: version) }
        return RemoteDocument(Document(key: key, createTime: createTime, updateTime: version, fields: fields))
    }
}

/// A bundle as it arrives: held as a whole, because it is applied as a whole.
package struct CollectedBundle: Sendable {
    /// No bundle for a cache is longer; a larger one is for a database of its own.
    private static let longest = 256 << 20

    private let database: DatabaseID
    private var reader = BundleReader()
    private var intake = BundleIntake()
    package private(set) var metadata: BundleMetadata?
    private(set) var documents: [BundledChange] = []
    private(set) var queries: [NamedQuery] = []

    package init(database: DatabaseID) { self.database = database }

    /// Takes the next bytes. Returns the metadata when it has arrived with them.
    package mutating func add(_ bytes: [UInt8]) throws(FirestoreError) -> BundleMetadata? {
        var arrived: BundleMetadata?
        reader.append(bytes)
        while let (json, length) = try reader.next() {
            switch try intake.take(BundleElement(json, in: database), length: length) {
            case .begin(let metadata):
                guard metadata.totalBytes <= Self.longest else {
                    throw FirestoreError(.resourceExhausted, "the bundle is larger than \(Self.longest) bytes; split it", at: metadata.id)
                }
                self.metadata = metadata
                arrived = metadata
            case .query(let query): queries.append(query)
            case .change(let change):
                // Of a watch the server has checked the documents; a bundle may come from anywhere.
                if let fields = change.fields { try DocumentCheck.check(fields, of: change.key) }
                documents.append(change)
            case .wait: break
            }
            guard intake.bytes <= Self.longest else {
                throw FirestoreError(.resourceExhausted, "the bundle is larger than \(Self.longest) bytes; split it")
            }
        }
        return arrived
    }

    /// Checks that nothing is missing.
    package func finish() throws(FirestoreError) {
        guard reader.isAtEnd else { throw .invalidArgument("the bundle ends in the middle of an element") }
        try intake.finish()
    }

    package var progress: BundleProgress {
        var progress = BundleProgress()
        progress.documentsLoaded = intake.documents
        progress.bytesLoaded = intake.bytes
        progress.totalDocuments = metadata?.totalDocuments ?? 0
        progress.totalBytes = metadata?.totalBytes ?? 0
        return progress
    }
}
