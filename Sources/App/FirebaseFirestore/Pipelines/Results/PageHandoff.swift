// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Hands the pages of a running pipeline to a reader, one after the other: the pipeline waits until its page is taken.
final class PageHandoff: Sendable {
    private typealias Reader = CheckedContinuation<PipelinePage?, any Error>

    private struct State {
        /// A page that waits for the reader, and the pipeline that waits with it.
        var offered: (page: PipelinePage, pipeline: CheckedContinuation<ScanStep, Never>)?
        var reader: Reader?
        /// How the reading ends: with an error, or with nil behind the last page.
        var end: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    // MARK: The pipeline's side

    /// Offers a page; returns when it is taken, or when no more pages are wanted.
    func offer(_ page: PipelinePage) async -> ScanStep {
        await withCheckedContinuation { pipeline in
            let (reader, step) = state.withLock { state -> (Reader?, ScanStep?) in
                if state.end != nil { return (nil, .stop) }
                guard let reader = state.reader.take() else {
                    state.offered = (page, pipeline)
                    return (nil, nil)
                }
                return (reader, .next)
            }
            reader?.resume(returning: page)
            if let step { pipeline.resume(returning: step) }
        }
    }

    // MARK: The reader's side

    /// The next page; nil behind the last one.
    func next() async throws -> PipelinePage? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { take(for: $0) }
        } onCancel: {
            finish(.failure(FirestoreError(.cancelled, "the task was cancelled before it had read all results").publicError))
        }
    }

    private func take(for reader: Reader) {
        var outcome: Result<PipelinePage?, any Error>?
        var earlier: Reader?
        let pipeline = state.withLock { state -> CheckedContinuation<ScanStep, Never>? in
            if let offered = state.offered.take() {
                outcome = .success(offered.page)
                return offered.pipeline
            }
            if let end = state.end {
                outcome = end.map { nil }
            } else {
                // Two tasks share the iterator: the earlier one gets nil.
                earlier = state.reader
                state.reader = reader
            }
            return nil
        }
        pipeline?.resume(returning: .next)
        earlier?.resume(returning: nil)
        if let outcome { reader.resume(with: outcome) }
    }

    // MARK: Both sides

    /// Ends the reading. The first end is used.
    func finish(_ end: Result<Void, any Error>) {
        let (reader, offered) = state.withLock { state in
            if state.end == nil { state.end = end }
            return (state.reader.take(), state.offered.take())
        }
        offered?.pipeline.resume(returning: .stop)
        reader?.resume(with: end.map { nil })
    }
}
