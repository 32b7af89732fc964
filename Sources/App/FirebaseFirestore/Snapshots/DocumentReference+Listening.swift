// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore

extension DocumentReference {
    /// Calls back with the document, and again after every change.
    ///
    /// The first snapshot sees every write made before the call. A slow listener gets fewer snapshots, always ending
    /// with the newest. The listener is called on the queue of the settings. After an error (an invalid path, a
    /// terminated instance) it is not called again. To stop it, keep the registration and call `remove`; dropping the
    /// registration does not stop it.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(includeMetadataChanges: false, listener: listener)
    }

    /// Calls back with the document, and again after every change; optionally also when only metadata changes.
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool, listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
    ) -> any ListenerRegistration {
        listen(options: ListenOptions(includeMetadataChanges: includeMetadataChanges), callback: UserCallback(listener))
    }

    /// Calls back with the document, and again after every change, as `options` say.
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
