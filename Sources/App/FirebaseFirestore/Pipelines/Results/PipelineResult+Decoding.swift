// SPDX-License-Identifier: Apache-2.0
package import FirestoreCoding

extension PipelineResult {
    /// Decodes the row.
    ///
    /// `@DocumentID` properties get the document of the row, and are nil if it has none. Decodes the bytes directly, without building a
    /// dictionary.
    ///
    /// Beyond the Apple SDK.
    public func data<T: Decodable>(as type: T.Type, decoder: Firestore.Decoder = .init()) throws -> T {
        try decoder.decode(type, fromRow: fields, of: ref, in: firestore)
    }
}

extension Pipeline.Snapshot {
    /// Decodes every row and collects failures instead of stopping at the first.
    ///
    /// ```swift
    /// let trails = try await pipeline.execute().results(as: Trail.self)
    /// for failure in trails.failures { print(failure.error) }
    /// ```
    /// Beyond the Apple SDK.
    public func results<T: Decodable>(as type: T.Type, decoder: Firestore.Decoder = .init()) -> DecodedResults<T> {
        let decoded = decoder.decodingEach(of: results) { try $0.data(as: type, decoder: decoder) }
        return DecodedResults(
            values: decoded.values, failures: decoded.failures.map { DecodedResults.Failure(result: $0.element, error: $0.error) },
            snapshot: self, recorder: decoded.recorder)
    }
}

/// The rows of a pipeline as values, and the rows that could not be decoded.
///
/// One invalid row does not affect the others: `values` contains everything that was decoded, in the order of the pipeline, and `failures`
/// contains the errors of the others.
///
/// Beyond the Apple SDK.
public struct DecodedResults<Value> {
    /// A row that could not be decoded, and the reason.
    public struct Failure: Sendable {
        /// The row.
        public let result: PipelineResult
        /// A `DecodingError`, or the error that the type's `init(from:)` threw.
        public let error: any Error
    }

    /// The decoded rows, in the order of the pipeline.
    public let values: [Value]
    /// The rows that could not be decoded, in the order of the pipeline.
    public let failures: [Failure]
    /// The result they come from.
    public let snapshot: Pipeline.Snapshot
    /// Records the deviations that tolerant types allowed, if the decoder had such types.
    package let recorder: (any ToleranceRecorder)?
}

extension DecodedResults: Sendable where Value: Sendable {}

/// The collection of the values that decoded, so that `for`, `map` and `count` need no ``values``.
extension DecodedResults: RandomAccessCollection {
    /// The position of the first value.
    public var startIndex: Int { values.startIndex }
    /// The position after the last value.
    public var endIndex: Int { values.endIndex }
    /// The value at a position.
    public subscript(position: Int) -> Value { values[position] }
}
