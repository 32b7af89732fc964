// SPDX-License-Identifier: Apache-2.0
package import FirestoreCoding

/// The documents of a query as values, and the documents that could not be decoded.
///
/// One invalid document does not affect the others: `values` contains everything that was decoded, in the order of the
/// query, and `failures` contains the errors of the others.
///
/// Beyond the Apple SDK.
public struct DecodedDocuments<Value> {
    /// A document that could not be decoded, and the reason.
    public struct Failure: Sendable {
        /// The document.
        public let document: QueryDocumentSnapshot
        /// A `DecodingError`, or the error that the type's `init(from:)` threw.
        public let error: any Error
    }

    /// The decoded documents, in the order of the query.
    public let values: [Value]
    /// The documents that could not be decoded, in the order of the query.
    public let failures: [Failure]
    /// The snapshot they come from.
    public let snapshot: QuerySnapshot
    /// Records the deviations that tolerant types allowed, if the decoder had such types.
    package let recorder: (any ToleranceRecorder)?
}

extension DecodedDocuments: Sendable where Value: Sendable {}

/// The collection of the values that decoded, so that `for`, `map` and `count` need no ``values``.
extension DecodedDocuments: RandomAccessCollection {
    /// The position of the first value.
    public var startIndex: Int { values.startIndex }
    /// The position after the last value.
    public var endIndex: Int { values.endIndex }
    /// The value at a position.
    public subscript(position: Int) -> Value { values[position] }
}

extension QuerySnapshot {
    /// Decodes every document and collects failures instead of stopping at the first.
    ///
    /// Beyond the Apple SDK.
    public func documents<T: Decodable>(
        as type: T.Type, decoder: Firestore.Decoder = .init()
    ) -> DecodedDocuments<T> {
        let decoded = decoder.decodingEach(of: documents) { try $0.data(as: type, decoder: decoder) }
        return DecodedDocuments(
            values: decoded.values, failures: decoded.failures.map { DecodedDocuments.Failure(document: $0.element, error: $0.error) },
            snapshot: self, recorder: decoded.recorder)
    }
}

extension Firestore.Decoder {
    /// Decodes elements one by one. Deviations in them are recorded separately from earlier ones.
    func decodingEach<Element, Value>(
        of elements: [Element], _ decode: (Element) throws -> Value
    ) -> (values: [Value], failures: [(element: Element, error: any Error)], recorder: (any ToleranceRecorder)?) {
        var values: [Value] = []
        var failures: [(element: Element, error: any Error)] = []
        values.reserveCapacity(elements.count)
        let whole = toleranceRecorder
        let recorder = whole?.forCall()
        if recorder != nil { toleranceRecorder = recorder }
        defer {
            if let whole, let recorder {
                toleranceRecorder = whole
                whole.merge(recorder)
            }
        }
        for element in elements {
            do {
                values.append(try decode(element))
            } catch {
                failures.append((element, error))
            }
        }
        return (values, failures, recorder)
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
    /// A document that cannot be decoded is reported beside the others; it neither hides them nor ends the sequence. If
    /// the loop is slower than the changes, it gets fewer results; nothing accumulates.
    ///
    /// Beyond the Apple SDK.
    public func snapshots<T: Decodable>(as type: T.Type) -> DecodedSnapshotsSequence<T> {
        DecodedSnapshotsSequence(snapshots: snapshots)
    }

    /// The results of a query as values, one after the other; see ``Query/snapshots(as:)``.
    ///
    /// Beyond the Apple SDK.
    public struct DecodedSnapshotsSequence<Value: Decodable>: AsyncSequence {
        /// The decoded documents, and the failures.
        public typealias Element = DecodedDocuments<Value>
        /// The error of the listener.
        public typealias Failure = any Error

        let snapshots: QuerySnapshotsSequence

        /// Starts a listener.
        public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots.makeAsyncIterator()) }

        /// Ends its listener when it is destroyed.
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
