import Dispatch
import FirestoreCore

extension Query {
    /// Runs the query.
    ///
    /// An empty result is no error. Sees every write made before the call. `completion` is called on the queue of the
    /// settings, with `invalidArgument` for a query that cannot be asked. Costs in proportion to the result.
    public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
        getDocuments(source: .default, completion: completion)
    }

    /// Runs the query; throws `invalidArgument` for one that cannot be asked.
    @discardableResult
    public nonisolated(nonsending) func getDocuments() async throws -> QuerySnapshot {
        try await firestore.reading { try await self.fetch($0) }
    }

    /// Runs the query. The embedded database is server and cache in one: every source gives the same.
    public func getDocuments(
        source: FirestoreSource, completion: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) {
        firestore.deliver(UserCallback(completion)) { try await self.fetch($0, from: source) }
    }

    /// Runs the query. The embedded database is server and cache in one: every source gives the same.
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
    /// The first snapshot sees every write made before the call. A slow listener gets fewer snapshots, each telling all
    /// changes since the one before. Called on the queue of the settings; after an error (a query that cannot be asked, a
    /// terminated instance) nothing follows. Keep the registration to end it with `remove`; dropping it does not.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(includeMetadataChanges: false, listener: listener)
    }

    /// Calls back with the result, and again after every change, of metadata too if asked for.
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
            snapshot: { QuerySnapshot(query: self, view: $0) })
    }

    /// Calls back with the result, and again after every change.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions, listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        listen(options: options.internalForm, callback: UserCallback(listener))
    }
}
