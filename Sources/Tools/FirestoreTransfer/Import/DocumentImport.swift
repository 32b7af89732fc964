// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore

/// Imports the documents of a file into a database. Documents are set by path, so an import is idempotent.
///
/// A separate thread reads and checks, while a bounded number of commits is in flight; memory holds only the documents
/// of these commits. Documents that are imported remain, whatever happens afterwards.
package struct DocumentImport: Sendable {
    package var service: any DocumentService
    package var context: RequestContext
    package var limits: ImportLimits
    /// The number of malformed documents that are reported and left out before the import stops.
    package var badAllowed: Int
    /// Called from time to time with the progress.
    package var onProgress: @Sendable (TransferProgress) -> Void
    /// Called for each document that is left out.
    package var onBadDocument: @Sendable (FirestoreError) -> Void
    /// Waits on the calling thread before a retry.
    package var pause: @Sendable (Duration) -> Void

    package init(
        into service: any DocumentService, context: RequestContext, limits: ImportLimits = ImportLimits(), badAllowed: Int = 0,
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in },
        onBadDocument: @escaping @Sendable (FirestoreError) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.service = service
        self.context = context
        self.limits = limits
        self.badAllowed = badAllowed
        self.onProgress = onProgress
        self.onBadDocument = onBadDocument
        self.pause = pause
    }

    /// Imports all documents of the input that `open` returns, which is called on the thread of the import. After
    /// cancellation nothing more is sent, and commits in flight are awaited.
    package func run(
        _ open: @escaping @Sendable () throws(FirestoreError) -> any DocumentInput
    ) async -> ImportSummary {
        let traffic = ImportTraffic(limits)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "hearth.import", qos: .userInitiated).async {
                    continuation.resume(returning: summary(of: open, traffic))
                }
            }
        } onCancel: {
            traffic.cancel()
        }
    }

    private func summary(of open: () throws(FirestoreError) -> any DocumentInput, _ traffic: ImportTraffic) -> ImportSummary {
        do throws(FirestoreError) {
            var run = ImportRun(self, try open(), traffic)
            return run.perform()
        } catch {
            return ImportSummary(progress: TransferProgress(), bad: 0, failure: error)
        }
    }
}

/// The result of an import.
package struct ImportSummary: Sendable {
    package var progress: TransferProgress
    /// The number of documents that were left out.
    package var bad: Int
    /// The reason why it stopped before the end.
    package var failure: FirestoreError?
}
