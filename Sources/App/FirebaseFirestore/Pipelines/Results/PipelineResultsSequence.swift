// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore

extension Pipeline {
    /// The rows one after the other, for results of any size.
    ///
    /// ```swift
    /// for try await row in pipeline.results() { try export(row.data) }
    /// ```
    /// The rows come in pages, and the database is asked for no more than one page ahead of the loop. They are of one moment. Ending the
    /// loop early ends the pipeline; so does the cancellation of the task, with `cancelled`.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter source: Where the pipeline is executed; see ``execute(source:)``.
    public func results(source: FirestoreSource = .default) -> ResultsSequence {
        ResultsSequence(pipeline: self, source: source.internalForm, options: .success(.latest))
    }

    /// The rows of an earlier state of the database, one after the other.
    ///
    /// Otherwise like ``results(source:)``. Beyond the Apple SDK.
    ///
    /// - Parameter time: The moment; see ``execute(at:)``, whose errors the loop throws.
    public func results(at time: Timestamp) -> ResultsSequence {
        let options = Result { () throws(FirestoreError) in PipelineOptions(.past(try time.asReadTime())) }
        return ResultsSequence(pipeline: self, source: .server, options: options)
    }

    /// The rows of a pipeline, one after the other; see ``Pipeline/results(source:)``.
    ///
    /// Beyond the Apple SDK.
    public struct ResultsSequence: AsyncSequence, Sendable {
        /// A row.
        public typealias Element = PipelineResult
        /// The errors of ``Pipeline/execute()``.
        public typealias Failure = any Error

        let pipeline: Pipeline
        let source: ReadSource
        let options: Result<PipelineOptions, FirestoreError>

        /// Begins a new execution, which starts with the first row that is asked for.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: PulledPages(pipeline, from: source, options)) }

        /// Ends its execution when it is destroyed.
        public struct Iterator: AsyncIteratorProtocol {
            private let pages: PulledPages
            private var rows: ArraySlice<PipelineRow> = []

            init(pages: PulledPages) { self.pages = pages }

            /// The next row; nil behind the last one.
            public nonisolated(nonsending) mutating func next() async throws -> PipelineResult? {
                while rows.isEmpty {
                    guard let page = try await pages.next() else { return nil }
                    rows = page.rows[...]
                }
                guard let row = rows.popFirst(), let firestore = pages.firestore else { return nil }
                return PipelineResult(row, firestore: firestore)
            }
        }
    }
}

/// An execution whose pages are pulled. Begins with the first call, ends when it is destroyed.
final class PulledPages: Sendable {
    private let pipeline: Pipeline
    private let source: ReadSource
    private let options: Result<PipelineOptions, FirestoreError>
    private let handoff = PageHandoff()
    private let hasBegun = Mutex(false)

    init(_ pipeline: Pipeline, from source: ReadSource, _ options: Result<PipelineOptions, FirestoreError>) {
        self.pipeline = pipeline
        self.source = source
        self.options = options
    }

    deinit { handoff.finish(.success(())) }

    var firestore: Firestore? { pipeline.firestore }

    func next() async throws -> PipelinePage? {
        let begins = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if begins { begin() }
        return try await handoff.next()
    }

    private func begin() {
        do {
            let (firestore, request) = try pipeline.runnable()
            let options = try options.mapError { $0.publicError }.get()
            Self.run(request, in: firestore, from: source, options, to: handoff)
        } catch {
            handoff.finish(.failure(error))
        }
    }

    /// Holds on to the handoff only, so that the end of the reader is noticed.
    private static func run(
        _ request: PipelineRequest, in firestore: Firestore, from source: ReadSource, _ options: PipelineOptions, to handoff: PageHandoff
    ) {
        firestore.openResults.begin(handoff)
        Task {
            do {
                try await firestore.reading { backend in
                    try await backend.execute(request, from: source, options: options) { await handoff.offer($0) }
                }
                handoff.finish(.success(()))
            } catch {
                handoff.finish(.failure(error))
            }
            firestore.openResults.end(handoff)
        }
    }
}
