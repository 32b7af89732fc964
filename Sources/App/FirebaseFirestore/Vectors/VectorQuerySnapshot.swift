// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// The result of a `VectorQuery`.
///
/// Beyond the Apple SDK.
public final class VectorQuerySnapshot: NSObject, Sendable {
    /// The search this is the result of.
    public let query: VectorQuery
    /// The documents, nearest first; each with its distance if a result field is given.
    public let documents: [QueryDocumentSnapshot]

    init(query: VectorQuery, view: ViewSnapshot) {
        self.query = query
        documents = view.documents.map {
            QueryDocumentSnapshot(document: $0, firestore: query.query.firestore, metadata: view.metadata(of: $0.key))
        }
        super.init()
    }

    /// Whether no documents were found.
    public var isEmpty: Bool { documents.isEmpty }

    /// The number of documents.
    public var count: Int { documents.count }

    /// Equal when search and documents are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VectorQuerySnapshot else { return false }
        return query == other.query && documents == other.documents
    }

    /// Combines search and number of documents.
    public override var hash: Int { Hasher.hash(query, count) }

    /// The number of documents.
    public override var description: String { "<VectorQuerySnapshot: \(count) documents>" }
}
