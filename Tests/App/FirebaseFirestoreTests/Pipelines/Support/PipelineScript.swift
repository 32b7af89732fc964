// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore

/// What pipelines give: pages, and an error at the end.
final class PipelineScript: Sendable {
    struct Execution: Sendable {
        let text: String
        let source: ReadSource
        let options: PipelineOptions
    }

    private let pages: [PipelinePage]
    private let error: FirestoreError?
    private let log = Mutex<(executions: [Execution], taken: Int, isStopped: Bool)>(([], 0, false))

    init(_ pages: [[PipelineRow]], at microseconds: Int64 = 5_000_000, isFromCache: Bool = false, failing error: FirestoreError? = nil) {
        self.pages = pages.map {
            PipelinePage(readTime: DocumentVersion(microseconds: microseconds), rows: $0, isFromCache: isFromCache)
        }
        self.error = error
    }

    var executions: [Execution] { log.withLock { $0.executions } }
    /// How many pages the reader has taken.
    var taken: Int { log.withLock { $0.taken } }
    /// Whether the reader wanted no more pages.
    var isStopped: Bool { log.withLock { $0.isStopped } }

    func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let text = PipelineText.print(pipeline.stages)
        log.withLock { $0.executions.append(Execution(text: text, source: source, options: options)) }
        for next in pages {
            guard try await page(next) == .next else { return log.withLock { $0.isStopped = true } }
            log.withLock { $0.taken += 1 }
        }
        if let error { throw error }
    }

    /// A database whose pipelines give what the script says.
    func firestore() -> Firestore {
        let backend = QueueingBackend(pipelines: self)
        return Firestore(databaseID: DatabaseID(projectID: "scripted"), opening: { _ throws(FirestoreError) in backend })
    }
}
