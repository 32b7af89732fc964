// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

/// The result of a query at one moment, and how it differs from the snapshot before.
public final class QuerySnapshot: NSObject, Sendable {
    /// The query of the result.
    public let query: Query
    /// Whether the result comes from a cache, or shows writes that are not acknowledged yet.
    public let metadata: SnapshotMetadata
    private let view: ViewSnapshot
    // Made when first requested: most listeners use one of the two.
    private let documentCache = Mutex<[QueryDocumentSnapshot]?>(nil)
    private let changeCache = Mutex<[DocumentChange]?>(nil)

    package init(query: Query, view: ViewSnapshot) {
        self.query = query
        self.view = view
        metadata = SnapshotMetadata(hasPendingWrites: view.hasPendingWrites, isFromCache: view.isFromCache)
        super.init()
    }

    /// Whether there are no documents.
    public var isEmpty: Bool { view.documents.isEmpty }

    /// The number of documents.
    public var count: Int { view.documents.count }

    /// The documents, in the order of the query.
    public var documents: [QueryDocumentSnapshot] {
        documentCache.withLock { cache in
            if let cache { return cache }
            let documents = view.documents.map { snapshot(of: $0) }
            cache = documents
            return documents
        }
    }

    /// How the result differs from the snapshot before. In a first snapshot every document is an added one.
    ///
    /// Removed documents come first, then added, then modified ones. The indices apply when the changes are performed
    /// one after the other.
    public var documentChanges: [DocumentChange] {
        changeCache.withLock { cache in
            if let cache { return cache }
            let changes = changes { $0 != .metadata }
            cache = changes
            return changes
        }
    }

    /// How the result differs from the snapshot before, with the documents of which only the metadata changed if asked for:
    /// those are `modified` ones. With the embedded database metadata never changes.
    public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] {
        includeMetadataChanges ? changes { _ in true } : documentChanges
    }

    private func changes(where isIncluded: (ViewChange.Kind) -> Bool) -> [DocumentChange] {
        view.changes.compactMap { change in
            isIncluded(change.kind) ? DocumentChange(change, document: snapshot(of: change.document)) : nil
        }
    }

    private func snapshot(of document: Document) -> QueryDocumentSnapshot {
        QueryDocumentSnapshot(document: document, firestore: query.firestore, metadata: metadata(of: document))
    }

    /// A document shows its own pending writes, not those of its neighbours.
    private func metadata(of document: Document) -> SnapshotMetadata {
        guard metadata.hasPendingWrites, !view.pendingKeys.contains(document.key) else { return metadata }
        return SnapshotMetadata(hasPendingWrites: false, isFromCache: view.isFromCache)
    }

    /// Equal when query, documents and metadata are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? QuerySnapshot else { return false }
        return query == other.query && metadata == other.metadata && view.documents.elementsEqual(other.view.documents) {
            $0.key == $1.key && $0.fields == $1.fields
        }
    }

    /// Combines query and number of documents.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(count)
        return hasher.finalize()
    }

    /// The number of documents.
    public override var description: String { "<QuerySnapshot: \(count) documents>" }
}
