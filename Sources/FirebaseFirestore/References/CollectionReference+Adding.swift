import FirestoreCore

extension CollectionReference {
    /// Creates a document with a random id.
    ///
    /// Returns the new reference at once; reads and listeners started afterwards see the document. `completion` is
    /// called on the queue of the settings when the write is durable, or with an error.
    @discardableResult
    public func addDocument(
        data: [String: Any], completion: (((any Error)?) -> Void)? = nil
    ) -> DocumentReference {
        let reference = document()
        reference.setData(data, completion: completion)
        return reference
    }

    /// Creates a document with a random id and returns when that is durable.
    @discardableResult
    public nonisolated(nonsending) func addDocument(data: [String: Any]) async throws -> DocumentReference {
        let reference = document()
        try await reference.setData(data)
        return reference
    }
}
