import FirestoreCore

extension DocumentReference {
    /// The document now and after every change, as an asynchronous sequence.
    public var snapshots: DocumentSnapshotsSequence { snapshots(includeMetadataChanges: false) }

    /// The document now and after every change, of metadata too if asked for.
    public func snapshots(includeMetadataChanges: Bool) -> DocumentSnapshotsSequence {
        DocumentSnapshotsSequence(self, includeMetadataChanges: includeMetadataChanges)
    }

    /// The states of a document, one after the other.
    ///
    /// Each iterator has its own listener. A slow loop gets fewer snapshots, always ending with the newest; nothing piles
    /// up. The sequence ends with the task that iterates it, and throws what a listener would be told as an error.
    public struct DocumentSnapshotsSequence: AsyncSequence, Sendable {
        /// A state.
        public typealias Element = DocumentSnapshot
        /// What a listener would be told as an error.
        public typealias Failure = any Error

        private let reference: DocumentReference
        private let options: ListenOptions

        /// The states of a document.
        public init(_ documentReference: DocumentReference, includeMetadataChanges: Bool) {
            reference = documentReference
            options = ListenOptions(includeMetadataChanges: includeMetadataChanges)
        }

        /// Starts a listener.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                reference: reference,
                source: PulledSnapshots(
                    reference.location.map { .document($0) }, options: options, firestore: reference.firestore))
        }

        /// Ends its listener when it goes away.
        public struct Iterator: AsyncIteratorProtocol {
            let reference: DocumentReference
            let source: PulledSnapshots

            /// The next state; nil when the task is cancelled.
            public nonisolated(nonsending) mutating func next() async throws -> DocumentSnapshot? {
                try await source.next().map { reference.snapshot(of: $0) }
            }
        }
    }
}

@available(*, unavailable)
extension DocumentReference.DocumentSnapshotsSequence.Iterator: Sendable {}
