// SPDX-License-Identifier: Apache-2.0
package import FirestoreClient
package import FirestoreCore

extension SyncEngine {
    /// Loads a whole bundle (LO-12). Throws what is wrong with its bytes; nothing is stored then.
    package func loadBundle(_ bytes: [UInt8]) throws(FirestoreError) {
        var bundle = CollectedBundle(database: store.databaseID)
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
        // Shown immediately: what fails after this is done again when the bundle is loaded again, and the documents are not new then.
        deliver(try store.applyBundle(documents: bundle.documents.map(\.remote), bundleID: metadata.id))
        for query in bundle.queries {
            let keys = bundle.documents.filter { $0.fields != nil && $0.queries.contains { equalUTF8($0, query.name) } }.map(\.key)
            try save(query, ByteSlice(query.json.bytes()), Set(keys))
        }
        try store.saveBundle(id: metadata.id, createTime: metadata.createTime)
    }

    /// Only the process that listens knows how far it has come with a target.
    private func save(_ query: NamedQuery, _ bytes: ByteSlice, _ keys: Set<DocumentKey>) throws(FirestoreError) {
        let isSaved = try exclusively { () throws(FirestoreError) in
            try store.saveNamedQuery(
                name: query.name, query: bytes, target: ClientTarget.query(query.query).syncTarget, readTime: query.readTime, keys: keys)
        }
        if !isSaved { try store.offerNamedQuery(name: query.name, query: bytes, readTime: query.readTime, keys: keys) }
    }

    /// A named query of a loaded bundle.
    package func namedQuery(_ name: String) throws(FirestoreError) -> ClientQuery? {
        guard let stored = try store.namedQuery(name) else { return nil }
        defer { withExtendedLifetime(stored) {} }
        return try NamedQuery(JSONNode(try JSON(stored.query.buffer)), in: store.databaseID).query
    }
}
