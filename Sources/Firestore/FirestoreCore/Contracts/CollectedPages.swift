// SPDX-License-Identifier: Apache-2.0

/// The pages of one execution of a pipeline, joined to one.
final class CollectedPages: Sendable {
    private let pages = Mutex<PipelinePage?>(nil)

    func append(_ page: PipelinePage) -> ScanStep {
        pages.withLock { all in
            if all == nil { all = page } else { all?.rows += page.rows }
        }
        return .next
    }

    func all() throws(FirestoreError) -> PipelinePage {
        guard let all = pages.withLock({ $0 }) else { throw FirestoreError(.internal, "a pipeline has returned no page") }
        return all
    }
}

extension ClientBackend {
    /// Returns all rows of a pipeline.
    package func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions
    ) async throws(FirestoreError) -> PipelinePage {
        let pages = CollectedPages()
        try await execute(pipeline, from: source, options: options) { pages.append($0) }
        return try pages.all()
    }
}
