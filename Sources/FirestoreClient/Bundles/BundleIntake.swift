import FirestoreCore

/// Follows the elements of a bundle: what may come next, and whether the counts match in the end (LO-12).
struct BundleIntake {
    enum Step {
        case begin(BundleMetadata)
        case query(NamedQuery)
        case change(BundledChange)
        /// Nothing yet: the document itself comes next.
        case wait
    }

    private var metadata: BundleMetadata?
    /// Announced, and not there yet.
    private var announced: BundledDocument?
    private(set) var documents = 0
    private(set) var bytes = 0

    mutating func take(_ element: BundleElement, length: Int) throws(FirestoreError) -> Step {
        guard metadata != nil else {
            guard case .metadata(let first) = element else {
                throw .invalidArgument("a bundle begins with its metadata")
            }
            metadata = first
            return .begin(first)
        }
        bytes += length
        if let announced {
            guard case .document(let document) = element, document.key == announced.key else {
                throw .invalidArgument("the metadata of an existing document is followed by the document", at: announced.key.path)
            }
            self.announced = nil
            documents += 1
            return .change(BundledChange(key: document.key, version: document.updateTime, fields: document.fields))
        }
        switch element {
        case .metadata: throw .invalidArgument("a bundle has its metadata once")
        case .query(let query): return .query(query)
        case .document(let document):
            throw .invalidArgument("a document follows its metadata", at: document.key.path)
        case .documentMetadata(let document):
            if document.exists {
                announced = document
                return .wait
            }
            documents += 1
            return .change(BundledChange(key: document.key, version: document.readTime, fields: nil))
        }
    }

    /// Fails if something is missing.
    func finish() throws(FirestoreError) {
        guard let metadata else { throw .invalidArgument("the bundle is empty") }
        if let announced {
            throw .invalidArgument("the bundle ends before a document it announced", at: announced.key.path)
        }
        guard documents == metadata.totalDocuments else {
            throw .invalidArgument(
                "the bundle says it has \(metadata.totalDocuments) documents, but there are \(documents)")
        }
        guard bytes == metadata.totalBytes else {
            throw .invalidArgument("the bundle says it has \(metadata.totalBytes) bytes, but there are \(bytes)")
        }
    }
}

/// What a bundle says about one document.
struct BundledChange {
    let key: DocumentKey
    /// When the document was last changed, or was seen missing.
    let version: DocumentVersion
    /// nil: it does not exist.
    let fields: FieldBytes?
}
