// SPDX-License-Identifier: Apache-2.0
extension DocumentReference {
    /// The document as a value now and after every change, as an asynchronous sequence.
    ///
    /// An element is a failure when the document cannot be decoded; the sequence continues. A missing document is nil
    /// for an optional type, and otherwise a `DecodingError.valueNotFound`.
    ///
    /// Beyond the Apple SDK.
    public func snapshots<T: Decodable>(as type: T.Type) -> DecodedSnapshotsSequence<T> {
        DecodedSnapshotsSequence(snapshots: snapshots)
    }

    /// The states of a document as values, one after the other; see ``DocumentReference/snapshots(as:)``.
    ///
    /// Beyond the Apple SDK.
    public struct DecodedSnapshotsSequence<Value: Decodable>: AsyncSequence {
        /// The value, or the error that prevented decoding it.
        public typealias Element = Result<Value, any Error>
        /// The error of the listener.
        public typealias Failure = any Error

        let snapshots: DocumentSnapshotsSequence

        /// Starts a listener.
        public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots.makeAsyncIterator()) }

        /// Ends its listener when it is destroyed.
        public struct Iterator: AsyncIteratorProtocol {
            var snapshots: DocumentSnapshotsSequence.Iterator

            /// The next state; nil when the task is cancelled.
            public nonisolated(nonsending) mutating func next() async throws -> Result<Value, any Error>? {
                guard let snapshot = try await snapshots.next() else { return nil }
                return Result { try snapshot.data(as: Value.self) }
            }
        }
    }
}

extension DocumentReference.DecodedSnapshotsSequence: Sendable {}
