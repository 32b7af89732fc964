// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore

extension Query {
    /// Runs the query.
    ///
    /// An empty result is not an error. Sees every write made before the call. `completion` is called on the queue of
    /// the settings, with `invalidArgument` for an invalid query. The cost is proportional to the result if an index
    /// answers the query.
    public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
        getDocuments(source: .default, completion: completion)
    }

    /// Runs the query. Throws `invalidArgument` for an invalid query.
    @discardableResult
    public nonisolated(nonsending) func getDocuments() async throws -> QuerySnapshot {
        try await firestore.reading { try await self.fetch($0) }
    }

    /// Runs the query, with an explicit source.
    ///
    /// A database on a server that is used with a cache: `.default` asks the server, and answers from the cache while the
    /// client is offline; `.server` fails with `unavailable` then; `.cache` sends no request and may give an empty result. All of
    /// them show writes that are still queued. The embedded database is server and cache in one, and without a cache every
    /// source is the server.
    public func getDocuments(
        source: FirestoreSource, completion: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) {
        firestore.deliver(UserCallback(completion)) { try await self.fetch($0, from: source) }
    }

    /// Runs the query, with an explicit source.
    ///
    /// A database on a server that is used with a cache: `.default` asks the server, and answers from the cache while the
    /// client is offline; `.server` fails with `unavailable` then; `.cache` sends no request and may give an empty result. All of
    /// them show writes that are still queued. The embedded database is server and cache in one, and without a cache every
    /// source is the server.
    @discardableResult
    public nonisolated(nonsending) func getDocuments(source: FirestoreSource) async throws -> QuerySnapshot {
        try await firestore.reading { try await self.fetch($0, from: source) }
    }

    private func fetch(
        _ backend: any ClientBackend, from source: FirestoreSource = .default
    ) async throws -> QuerySnapshot {
        QuerySnapshot(query: self, view: try await backend.run(try runnable.get(), from: source.internalForm))
    }

    /// Calls back with the result, and again after every change.
    ///
    /// The first snapshot sees every write made before the call. A slow listener gets fewer snapshots, each with all
    /// changes since the one before. The listener is called on the queue of the settings. After an error (an invalid
    /// query, a terminated instance) it is not called again. To stop it, keep the registration and call `remove`;
    /// dropping the registration does not stop it.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(includeMetadataChanges: false, listener: listener)
    }

    /// Calls back with the result, and again after every change; optionally also when only metadata changes.
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool, listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        listen(
            options: ListenOptions(includeMetadataChanges: includeMetadataChanges), callback: UserCallback(listener))
    }

    /// Starts a listener on the queue of the settings, or on another one.
    func listen(
        on queue: DispatchQueue? = nil, options: ListenOptions,
        callback: UserCallback<Result<QuerySnapshot, any Error>>
    ) -> any ListenerRegistration {
        firestore.listen(
            to: runnable.map { .query($0) }, options: options, on: queue, callback: callback,
            snapshot: { QuerySnapshot(query: self, view: $0, includesMetadataChanges: options.includeMetadataChanges) })
    }

    /// Calls back with the result, and again after every change, as `options` say.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions, listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        listen(options: options.internalForm, callback: UserCallback(listener))
    }
}
