// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
package import FirestoreCore
public import Foundation
import Logging

/// The result of a query at one moment, and how it differs from the snapshot before.
public final class QuerySnapshot: NSObject, Sendable {
    /// The query of the result.
    public let query: Query
    /// Whether the result comes from a cache, or shows writes that are not acknowledged yet.
    public let metadata: SnapshotMetadata
    private let view: ViewSnapshot
    /// Whether the listener was added with metadata changes. Reads have no such choice and no snapshot before.
    private let includesMetadataChanges: Bool
    // Made when first requested: most listeners use one of the two.
    private let documentCache = Mutex<[QueryDocumentSnapshot]?>(nil)
    private let changeCache = Mutex<[DocumentChange]?>(nil)

    package init(query: Query, view: ViewSnapshot, includesMetadataChanges: Bool = true) {
        self.query = query
        self.view = view
        self.includesMetadataChanges = includesMetadataChanges
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
    ///
    /// `true` requires a listener that was added with metadata changes. For any other listener the list does not contain
    /// them, and a message is logged: it did not receive every change of metadata.
    public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] {
        guard includeMetadataChanges else { return documentChanges }
        guard includesMetadataChanges else {
            Self.metadataChangesWithoutListener()
            return documentChanges
        }
        return changes { _ in true }
    }

    private static func metadataChangesWithoutListener() {
        FirebaseConfiguration.shared.logger(label: "hearth.firestore").warning(
            """
            documentChanges(includeMetadataChanges: true) was called on a snapshot of a listener without metadata changes, so it \
            returns only changes of data. Add the listener with includeMetadataChanges: true.
            """)
    }

    private func changes(where isIncluded: (ViewChange.Kind) -> Bool) -> [DocumentChange] {
        view.changes.compactMap { change in
            guard isIncluded(change.kind) else { return nil }
            // A removed document is no longer among the pending ones, but is shown in its earlier state.
            return DocumentChange(
                change, document: snapshot(of: change.document, mayHavePendingTimestamps: change.kind == .removed ? true : nil))
        }
    }

    private func snapshot(of document: Document, mayHavePendingTimestamps: Bool? = nil) -> QueryDocumentSnapshot {
        QueryDocumentSnapshot(
            document: document, firestore: query.firestore, metadata: view.metadata(of: document.key),
            mayHavePendingTimestamps: mayHavePendingTimestamps)
    }

    /// Equal when query, documents and metadata are, those of each document included.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? QuerySnapshot else { return false }
        return query == other.query && metadata == other.metadata && view.pendingKeys == other.view.pendingKeys
            && view.documents.elementsEqual(other.view.documents) { $0.key == $1.key && $0.fields == $1.fields }
    }

    /// Combines query and number of documents.
    public override var hash: Int { Hasher.hash(query, count) }

    /// The number of documents.
    public override var description: String { "<QuerySnapshot: \(count) documents>" }
}
