import FirestoreCore

extension DocumentReference {
    /// Calls back with the document, and again after every change.
    ///
    /// The first snapshot sees every write made before the call. A slow listener gets fewer snapshots, always ending
    /// with the newest. Called on the queue of the settings; after an error (a bad path, a terminated instance) nothing
    /// follows. Keep the registration to end it with `remove`; dropping it does not.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(includeMetadataChanges: false, listener: listener)
    }

    /// Calls back with the document, and again after every change, of metadata too if asked for.
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool, listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        listen(options: ListenOptions(includeMetadataChanges: includeMetadataChanges), callback: UserCallback(listener))
    }

    /// Calls back with the document, and again after every change.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions, listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        listen(options: options.internalForm, callback: UserCallback(listener))
    }

    private func listen(
        options: ListenOptions, callback: UserCallback<Result<DocumentSnapshot, any Error>>
    ) -> any ListenerRegistration {
        firestore.listen(
            to: location.map { .document($0) }, options: options, callback: callback, snapshot: { self.snapshot(of: $0) })
    }

    func snapshot(of view: ViewSnapshot) -> DocumentSnapshot {
        DocumentSnapshot(
            reference: self, document: view.documents.first,
            metadata: SnapshotMetadata(hasPendingWrites: view.hasPendingWrites, isFromCache: view.isFromCache))
    }
}
