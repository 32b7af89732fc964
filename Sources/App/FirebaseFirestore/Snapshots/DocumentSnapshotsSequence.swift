// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension DocumentReference {
    /// The document now and after every change, as an asynchronous sequence.
    public var snapshots: DocumentSnapshotsSequence { snapshots(includeMetadataChanges: false) }

    /// The document now and after every change, optionally also when only metadata changes.
    public func snapshots(includeMetadataChanges: Bool) -> DocumentSnapshotsSequence {
        DocumentSnapshotsSequence(self, includeMetadataChanges: includeMetadataChanges)
    }

    /// The states of a document, one after the other.
    ///
    /// Each iterator has a separate listener. A slow loop gets fewer snapshots, always ending with the newest; nothing
    /// accumulates. The sequence ends with the task that iterates it, and throws the error of the listener.
    public struct DocumentSnapshotsSequence: AsyncSequence, Sendable {
        /// A snapshot.
        public typealias Element = DocumentSnapshot
        /// The error of the listener.
        public typealias Failure = any Error

        private let reference: DocumentReference
        private let options: ListenOptions

        /// Creates a sequence of the states of a document.
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

        /// Ends its listener when it is destroyed.
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
