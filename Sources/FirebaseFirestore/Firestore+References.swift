import FirestoreCore

extension Firestore {
    /// The collection at a slash-separated path; one leading and one trailing slash are tolerated.
    ///
    /// Costs nothing. With a path that names no collection, every operation of the reference fails with
    /// `invalidArgument`.
    public func collection(_ collectionPath: String) -> CollectionReference {
        CollectionReference(path: collectionPath, firestore: self)
    }

    /// The document at a slash-separated path; one leading and one trailing slash are tolerated.
    ///
    /// Costs nothing. With a path that names no document, every operation of the reference fails with
    /// `invalidArgument`.
    public func document(_ documentPath: String) -> DocumentReference {
        DocumentReference(path: documentPath, firestore: self)
    }

    /// All collections with an id, at any depth.
    ///
    /// Costs nothing. With an id that is empty or contains a slash, every operation of the query fails with
    /// `invalidArgument`.
    public func collectionGroup(_ collectionID: String) -> Query {
        Query(
            firestore: self,
            definition: Result { () throws(FirestoreError) in
                try PathCheck.collectionID(collectionID)
                return ClientQuery(StructuredQuery(scope: .collectionGroup(id: collectionID, under: nil)))
            })
    }

    /// A new empty batch of writes.
    public func batch() -> WriteBatch { WriteBatch(firestore: self) }
}
