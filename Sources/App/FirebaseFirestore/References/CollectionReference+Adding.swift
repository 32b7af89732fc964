// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension CollectionReference {
    /// Creates a document with a random id, without waiting.
    ///
    /// Like ``addDocument(data:completion:)`` without a handler: a failure is logged.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func addDocument(data: [String: Any]) -> DocumentReference {
        addDocument(data: data, completion: nil)
    }

    /// Creates a document with a random id.
    ///
    /// Returns the new reference immediately; reads and listeners started afterwards see the document. `completion` is
    /// called on the queue of the settings when the write is durable, or when the server has accepted it; not while the
    /// client is offline. It is called with an error if the write fails.
    @discardableResult
    public func addDocument(data: [String: Any], completion: (((any Error)?) -> Void)?) -> DocumentReference {
        let reference = document()
        reference.setData(data, completion: completion)
        return reference
    }

    /// Creates a document with a random id and returns when the write is durable.
    ///
    /// For a database on a server: when the server has accepted it, or, with a cache, when it is queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// - Throws: `invalidArgument` for an invalid path or data that cannot be stored, `permissionDenied` if security rules deny the
    ///   write.
    @discardableResult
    public nonisolated(nonsending) func addDocument(data: [String: Any]) async throws -> DocumentReference {
        let reference = document()
        try await reference.setData(data)
        return reference
    }
}
