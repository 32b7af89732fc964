// SPDX-License-Identifier: Apache-2.0
package import FirestoreClient
package import FirestoreCore

extension SyncEngine {
    /// Loads a whole bundle (LO-12). Throws what is wrong with its bytes; nothing is stored then.
    package func loadBundle(_ bytes: [UInt8]) throws(FirestoreError) {
        var bundle = CollectedBundle(database: database)
        _ = try bundle.add(bytes)
        try bundle.finish()
        try store(bundle)
    }

    /// Whether a bundle was loaded before, in this version or a later one.
    package func hasLoaded(_ bundle: BundleMetadata) throws(FirestoreError) -> Bool {
        try store.hasBundle(id: bundle.id, createTime: bundle.createTime)
    }

    /// Takes the documents of a complete bundle into the cache: each like a report of the authority, which never replaces a newer
    /// state, and all of them like the members of a target (SY-14, SY-138).
    package func store(_ bundle: CollectedBundle) throws(FirestoreError) {
        guard let metadata = bundle.metadata, try !hasLoaded(metadata) else { return }
        // Shown at once: what fails after this is done again when the bundle is loaded again, and the documents are not new then.
        deliver(try store.applyBundle(documents: bundle.documents.map(\.remote), bundleID: metadata.id))
        for query in bundle.queries {
            let keys = bundle.documents.filter { $0.fields != nil && $0.queries.contains { equalUTF8($0, query.name) } }.map(\.key)
            try save(query, ByteSlice(query.json.bytes()), Set(keys))
        }
        try store.saveBundle(id: metadata.id, createTime: metadata.createTime)
    }

    /// Only the process that listens knows how far it has come with a target.
    private func save(_ query: NamedQuery, _ bytes: ByteSlice, _ keys: Set<DocumentKey>) throws(FirestoreError) {
        func save() throws(FirestoreError) {
            try store.saveNamedQuery(
                name: query.name, query: bytes, target: ClientTarget.query(query.query).syncTarget, readTime: query.readTime, keys: keys)
        }
        guard let sharing else { return try save() }
        guard try sharing.deciding({ () throws(FirestoreError) in try save() }) == nil else { return }
        try store.offerNamedQuery(name: query.name, query: bytes, readTime: query.readTime, keys: keys)
    }

    /// What another process has found in a bundle.
    func takeOffer(_ bytes: ByteSlice, from holder: TargetID) throws(FirestoreError) {
        defer { withExtendedLifetime(bytes) {} }
        var query: NamedQuery?
        do throws(FirestoreError) {
            query = try NamedQuery(JSONNode(try JSON(bytes.buffer)), in: database)
        } catch {
            settings.log("a query of a bundle that another process has loaded cannot be read: \(error)")
        }
        try store.takeOffer(
            query.map { ClientTarget.query($0.query).syncTarget }, readTime: query?.readTime ?? .none, from: holder)
    }

    /// A named query of a loaded bundle.
    package func namedQuery(_ name: String) throws(FirestoreError) -> ClientQuery? {
        guard let stored = try store.namedQuery(name) else { return nil }
        defer { withExtendedLifetime(stored) {} }
        return try NamedQuery(JSONNode(try JSON(stored.query.buffer)), in: database).query
    }
}

extension BundledChange {
    fileprivate var remote: RemoteDocument {
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
    fileprivate private(set) var documents: [BundledChange] = []
    fileprivate private(set) var queries: [NamedQuery] = []

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
