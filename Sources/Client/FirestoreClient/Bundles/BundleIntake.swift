// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Checks the order of a bundle's elements, and at the end their number (LO-12).
package struct BundleIntake {
    package enum Step {
        case begin(BundleMetadata)
        case query(NamedQuery)
        case change(BundledChange)
        /// Nothing: the document itself comes next.
        case wait
    }

    private var metadata: BundleMetadata?
    /// The document whose metadata has been read, and which has not arrived yet.
    private var announced: BundledDocument?
    package private(set) var documents = 0
    package private(set) var bytes = 0

    package init() {}

    package mutating func take(_ element: BundleElement, length: Int) throws(FirestoreError) -> Step {
        guard metadata != nil else {
            guard case .metadata(let first) = element else {
                throw .invalidArgument("a bundle must begin with its metadata")
            }
            metadata = first
            return .begin(first)
        }
        bytes += length
        if let announced {
            guard case .document(let document) = element, document.key == announced.key else {
                throw .invalidArgument("the metadata of an existing document must be followed by the document", at: announced.key.path)
            }
            self.announced = nil
            documents += 1
            return .change(
                BundledChange(
                    key: document.key, version: document.updateTime, fields: document.fields, createTime: document.createTime,
                    queries: announced.queries))
        }
        switch element {
        case .metadata: throw .invalidArgument("a bundle must have its metadata only once")
        case .query(let query): return .query(query)
        case .document(let document):
            throw .invalidArgument("a document must follow its metadata", at: document.key.path)
        case .documentMetadata(let document):
            if document.exists {
                announced = document
                return .wait
            }
            documents += 1
            return .change(
                BundledChange(key: document.key, version: document.readTime, fields: nil, queries: document.queries))
        }
    }

    /// Throws if elements are missing.
    package func finish() throws(FirestoreError) {
        guard let metadata else { throw .invalidArgument("the bundle is empty") }
        if let announced {
            throw .invalidArgument("the bundle ends before a document whose metadata it contains", at: announced.key.path)
        }
        guard documents == metadata.totalDocuments else {
            throw .invalidArgument(
                "the bundle should contain \(metadata.totalDocuments) documents, but contains \(documents)")
        }
        guard bytes == metadata.totalBytes else {
            throw .invalidArgument("the bundle should have \(metadata.totalBytes) bytes, but has \(bytes)")
        }
    }
}

/// The state of one document in a bundle.
package struct BundledChange {
    package let key: DocumentKey
    /// When the document was last changed, or was found missing.
    package let version: DocumentVersion
    /// nil: the document does not exist.
    package let fields: FieldBytes?
    /// `.none` for a missing document.
    package var createTime = DocumentVersion.none
    /// The named queries of the bundle that had it in their results.
    package var queries: [String] = []
}
