// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Writes the documents of a database into a file or folder: all of them as of one moment, sorted by name, so that the
/// same documents give the same bytes. Holds one page of them in memory.
package struct DocumentExport: Sendable {
    package var service: any DocumentService
    package var database: DatabaseID
    package var context: RequestContext
    /// What is exported: the present state, or an earlier one.
    package var moment = ReadMoment.latest
    /// How often the rest is requested again when a connection breaks.
    package var retries: Int
    /// Called from time to time with the progress.
    package var onProgress: @Sendable (TransferProgress) -> Void
    /// Waits before a retry.
    package var pause: @Sendable (Duration) async -> Void
    /// Called after each page: the next one is read when it returns.
    package var afterPage: @Sendable () async throws(FirestoreError) -> Void = {}

    package init(
        of service: any DocumentService, database: DatabaseID, context: RequestContext, retries: Int = 0,
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) async -> Void = { _ in }
    ) {
        self.service = service
        self.database = database
        self.context = context
        self.retries = retries
        self.onProgress = onProgress
        self.pause = pause
    }

    package func run(
        _ selections: [ExportSelection], into output: sending any DocumentOutput
    ) async throws(FirestoreError) -> TransferProgress {
        let state = ExportState(output, moment)
        let sorted = selections.sorted(by: ExportSelection.precedes)
        for (index, selection) in sorted.enumerated() {
            state.begin()
            try await export(selection, without: sorted[..<index], to: state)
        }
        try state.finish()
        return state.progress
    }

    private func export(
        _ selection: ExportSelection, without earlier: ArraySlice<ExportSelection>, to state: ExportState
    ) async throws(FirestoreError) {
        var failuresInARow = 0
        while true {
            let before = state.progress.documents
            do throws(FirestoreError) {
                let query = selection.query(in: database, behind: state.last)
                return try await service.run(query, options: ReadOptions(state.moment), context: context) {
                    (page: QueryResponse) async throws(FirestoreError) -> ScanStep in
                    if Task.isCancelled { throw FirestoreError(.cancelled, "the export was interrupted") }
                    try state.take(page, without: earlier)
                    onProgress(state.progress)
                    try await afterPage()
                    return .next
                }
            } catch {
                if state.progress.documents > before { failuresInARow = 0 }
                guard error.code == .unavailable, failuresInARow < retries else { throw error }
                failuresInARow += 1
                await pause(Backoff.transfer.delay(afterFailures: failuresInARow))
            }
        }
    }
}

/// The progress of one export, and where it continues. Pages arrive one after the other, on any thread.
private final class ExportState: Sendable {
    private struct State {
        var output: any DocumentOutput
        var documents = 0
        var last: DocumentKey?
        var moment: ReadMoment
    }

    private let state: Mutex<State>

    init(_ output: sending any DocumentOutput, _ moment: ReadMoment) { state = Mutex(State(output: output, moment: moment)) }

    var progress: TransferProgress {
        state.withLock { TransferProgress(documents: $0.documents, bytes: $0.output.bytesWritten) }
    }

    /// The last document of the selection that was read.
    var last: DocumentKey? { state.withLock { $0.last } }

    /// The first page determines the moment; later requests read at the same one.
    var moment: ReadMoment { state.withLock { $0.moment } }

    func begin() { state.withLock { $0.last = nil } }

    func take(_ page: QueryResponse, without earlier: ArraySlice<ExportSelection>) throws(FirestoreError) {
        try state.withLock { (state) throws(FirestoreError) in
            if state.moment == .latest, page.readTime != .none { state.moment = .past(page.readTime) }
            for document in page.documents {
                state.last = document.key
                if earlier.contains(where: { $0.contains(document.key) }) { continue }
                try state.output.write(TransferredDocument(key: document.key, fields: document.fields))
                state.documents += 1
            }
        }
    }

    func finish() throws(FirestoreError) {
        try state.withLock { (state) throws(FirestoreError) in try state.output.finish() }
    }
}
