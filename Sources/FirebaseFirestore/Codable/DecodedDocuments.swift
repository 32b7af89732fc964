/// The documents of a query as values, and the ones that would not decode.
///
/// One bad document does not cost the others: `values` has everything that decoded, in the order of the query, and
/// `failures` says what is wrong with the rest.
public struct DecodedDocuments<Value> {
    /// A document that did not decode, and why.
    public struct Failure: Sendable {
        /// The document.
        public let document: QueryDocumentSnapshot
        /// A `DecodingError`, or what the type's own `init(from:)` threw.
        public let error: any Error
    }

    /// What decoded, in the order of the query.
    public let values: [Value]
    /// What did not, in the order of the query.
    public let failures: [Failure]
    /// The snapshot they come from.
    public let snapshot: QuerySnapshot
}

extension DecodedDocuments: Sendable where Value: Sendable {}

extension QuerySnapshot {
    /// Decodes every document, keeping those that fail apart instead of stopping at the first.
    public func documents<T: Decodable>(
        as type: T.Type, decoder: Firestore.Decoder = .init()
    ) -> DecodedDocuments<T> {
        var values: [T] = []
        var failures: [DecodedDocuments<T>.Failure] = []
        values.reserveCapacity(count)
        for document in documents {
            do {
                values.append(try document.data(as: type, decoder: decoder))
            } catch {
                failures.append(DecodedDocuments<T>.Failure(document: document, error: error))
            }
        }
        return DecodedDocuments(values: values, failures: failures, snapshot: self)
    }
}

extension Query {
    /// The result as values now and after every change, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await result in db.collection("colors").snapshots(as: ColorEntry.self) {
    ///     show(result.values)
    ///     for failure in result.failures { log(failure.document.documentID, failure.error) }
    /// }
    /// ```
    /// A document that does not decode is reported beside the others; it neither hides them nor ends the sequence. A
    /// slow loop gets fewer results; nothing piles up.
    public func snapshots<T: Decodable>(as type: T.Type) -> DecodedSnapshotsSequence<T> {
        DecodedSnapshotsSequence(snapshots: snapshots)
    }

    /// The results of a query as values, one after the other; see ``Query/snapshots(as:)``.
    public struct DecodedSnapshotsSequence<Value: Decodable>: AsyncSequence {
        /// A state: what decoded and what did not.
        public typealias Element = DecodedDocuments<Value>
        /// What a listener would be told as an error.
        public typealias Failure = any Error

        let snapshots: QuerySnapshotsSequence

        /// Starts a listener.
        public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots.makeAsyncIterator()) }

        /// Ends its listener when it goes away.
        public struct Iterator: AsyncIteratorProtocol {
            var snapshots: QuerySnapshotsSequence.Iterator

            /// The next result; nil when the task is cancelled.
            public nonisolated(nonsending) mutating func next() async throws -> DecodedDocuments<Value>? {
                try await snapshots.next()?.documents(as: Value.self)
            }
        }
    }
}

extension Query.DecodedSnapshotsSequence: Sendable {}
