// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Firestore {
    /// The collection at a slash-separated path.
    ///
    /// One leading and one trailing slash are tolerated. Creating a reference reads nothing. If the path does not name
    /// a collection, every operation of the reference fails with `invalidArgument`.
    public func collection(_ collectionPath: String) -> CollectionReference {
        CollectionReference(path: collectionPath, firestore: self)
    }

    /// The document at a slash-separated path.
    ///
    /// One leading and one trailing slash are tolerated. Creating a reference reads nothing. If the path does not name
    /// a document, every operation of the reference fails with `invalidArgument`.
    public func document(_ documentPath: String) -> DocumentReference {
        DocumentReference(path: documentPath, firestore: self)
    }

    /// A query over all collections with an id, at any depth.
    ///
    /// If the id is empty or contains a slash, every operation of the query fails with `invalidArgument`.
    public func collectionGroup(_ collectionID: String) -> Query {
        Query(
            firestore: self,
            definition: Result { () throws(FirestoreError) in
                try PathCheck.collectionID(collectionID)
                return ClientQuery(StructuredQuery(scope: .collectionGroup(id: collectionID, under: nil)))
            })
    }
}
