// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Query {
    /// The result now and after every change, as an asynchronous sequence.
    public var snapshots: QuerySnapshotsSequence { snapshots(includeMetadataChanges: false) }

    /// The result now and after every change, optionally also when only metadata changes.
    public func snapshots(includeMetadataChanges: Bool) -> QuerySnapshotsSequence {
        QuerySnapshotsSequence(self, includeMetadataChanges: includeMetadataChanges)
    }

    /// The results of a query, one after the other.
    ///
    /// Each iterator has a separate listener. A slow loop gets fewer snapshots, each with all changes since the one
    /// before; nothing accumulates. The sequence ends with the task that iterates it, and throws the error of the
    /// listener.
    public struct QuerySnapshotsSequence: AsyncSequence, Sendable {
        /// A snapshot.
        public typealias Element = QuerySnapshot
        /// The error of the listener.
        public typealias Failure = any Error

        private let query: Query
        private let options: ListenOptions

        /// Creates a sequence of the results of a query.
        public init(_ query: Query, includeMetadataChanges: Bool) {
            self.query = query
            options = ListenOptions(includeMetadataChanges: includeMetadataChanges)
        }

        /// Starts a listener.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                query: query, includesMetadataChanges: options.includeMetadataChanges,
                source: PulledSnapshots(query.runnable.map { .query($0) }, options: options, firestore: query.firestore))
        }

        /// Ends its listener when it is destroyed.
        public struct Iterator: AsyncIteratorProtocol {
            let query: Query
            let includesMetadataChanges: Bool
            let source: PulledSnapshots

            /// The next result; nil when the task is cancelled.
            public nonisolated(nonsending) mutating func next() async throws -> QuerySnapshot? {
                try await source.next().map {
                    QuerySnapshot(query: query, view: $0, includesMetadataChanges: includesMetadataChanges)
                }
            }
        }
    }
}

@available(*, unavailable)
extension Query.QuerySnapshotsSequence.Iterator: Sendable {}
