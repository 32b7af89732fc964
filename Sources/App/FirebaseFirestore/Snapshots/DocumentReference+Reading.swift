// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore

extension DocumentReference {
    /// Reads the document.
    ///
    /// A missing document is a snapshot whose `exists` is false. The read sees every write made before the call.
    /// With a cache and while offline, a document that the cache does not have, or knows to be missing, fails with
    /// `unavailable`.
    /// `completion` is called on the queue of the settings, with an error for an invalid path or a database that cannot
    /// be opened.
    public func getDocument(completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void) {
        getDocument(source: .default, completion: completion)
    }

    /// Reads the document. Throws for an invalid path or a database that cannot be opened.
    ///
    /// A missing document is a snapshot whose `exists` is false. The read sees every write made before the call.
    /// With a cache and while offline, a document that the cache does not have, or knows to be missing, fails with
    /// `unavailable`.
    @discardableResult
    public nonisolated(nonsending) func getDocument() async throws -> DocumentSnapshot {
        try await firestore.reading { try await self.fetch($0) }
    }

    /// Reads the document, with an explicit source.
    ///
    /// A database on a server that is used with a cache: `.default` asks the server, and answers from the cache while the
    /// client is offline; `.server` fails with `unavailable` then; `.cache` sends no request. Without an answer of the server, a
    /// document that is not cached fails with `unavailable`, and for `.default` also one that is known to be missing. All of
    /// them show writes that are still queued. The embedded database is server and cache in one, and without a cache every
    /// source is the server.
    public func getDocument(
        source: FirestoreSource, completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void
    ) {
        firestore.deliver(UserCallback(completion)) { try await self.fetch($0, from: source) }
    }

    /// Reads the document, with an explicit source.
    ///
    /// A database on a server that is used with a cache: `.default` asks the server, and answers from the cache while the
    /// client is offline; `.server` fails with `unavailable` then; `.cache` sends no request. Without an answer of the server, a
    /// document that is not cached fails with `unavailable`, and for `.default` also one that is known to be missing. All of
    /// them show writes that are still queued. The embedded database is server and cache in one, and without a cache every
    /// source is the server.
    @discardableResult
    public nonisolated(nonsending) func getDocument(source: FirestoreSource) async throws -> DocumentSnapshot {
        try await firestore.reading { try await self.fetch($0, from: source) }
    }

    private func fetch(
        _ backend: any ClientBackend, from source: FirestoreSource = .default
    ) async throws -> DocumentSnapshot {
        let key = try location.get()
        let found = try await backend.documents([key], from: source.internalForm)
        return DocumentSnapshot(reference: self, document: found.documents.first ?? nil, metadata: found.metadata(of: key))
    }
}
