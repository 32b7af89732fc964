// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension TypedPipeline {
    /// Runs the pipeline and decodes its documents.
    ///
    /// Documents that cannot be decoded are in `failures`; they neither hide the others nor fail the call. Throws the errors of
    /// `Pipeline.execute(source:)`.
    public nonisolated(nonsending) func execute(source: FirestoreSource = .default) async throws -> DecodedResults<Model> {
        coder.decode(try await pipeline.execute(source: source))
    }

    /// Runs the pipeline on an earlier state of the database, and decodes its documents.
    ///
    /// Throws the errors of `Pipeline.execute(at:)`.
    public nonisolated(nonsending) func execute(at time: Timestamp) async throws -> DecodedResults<Model> {
        coder.decode(try await pipeline.execute(at: time))
    }

    /// Reports how the pipeline is executed, by running it and counting its reads; see `Pipeline.explain(analyze:source:)`.
    public nonisolated(nonsending) func explain(
        analyze: Bool = true, source: FirestoreSource = .default
    ) async throws -> Pipeline.Explanation {
        try await pipeline.explain(analyze: analyze, source: source)
    }

    /// The documents one after the other, for results of any size.
    ///
    /// ```swift
    /// for try await city in cities.pipeline().results() {
    ///     if let city = try? city.get() { export(city) }
    /// }
    /// ```
    /// A document that cannot be decoded is a failure, and the loop continues behind it. The documents come in pages, as those of
    /// `Pipeline.results(source:)`.
    public func results(source: FirestoreSource = .default) -> TypedResults<Model> {
        TypedResults(results: pipeline.results(source: source), coder: coder)
    }
}

/// The documents of a typed pipeline, one after the other; see ``TypedPipeline/results(source:)``.
///
/// Beyond the Apple SDK.
public struct TypedResults<Model: FirestoreModel>: AsyncSequence, Sendable {
    /// A document, or the error of decoding it.
    public typealias Element = Result<Model, any Error>
    /// The error of the execution.
    public typealias Failure = any Error

    let results: Pipeline.ResultsSequence
    let coder: ModelCoder<Model>

    /// Begins a new execution, which starts with the first document that is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(results: results.makeAsyncIterator(), decoder: coder.makeDecoder()) }

    /// Ends its execution when it is destroyed.
    public struct Iterator: AsyncIteratorProtocol {
        var results: Pipeline.ResultsSequence.Iterator
        let decoder: Firestore.Decoder

        /// The next document; nil behind the last one.
        public nonisolated(nonsending) mutating func next() async throws -> Result<Model, any Error>? {
            guard let result = try await results.next() else { return nil }
            return Result { try result.data(as: Model.self, decoder: decoder) }
        }
    }
}
