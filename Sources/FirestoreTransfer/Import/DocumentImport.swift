import Dispatch
package import FirestoreCore

/// Brings the documents of a file into a database: sets, by path, so that doing it twice is doing it once.
///
/// Reading and checking happen on a thread of their own, with a bounded number of commits on their way meanwhile; of the
/// file no more is in memory than they hold. What is in stays in, whatever happens afterwards.
package struct DocumentImport: Sendable {
    package var service: any DocumentService
    package var context: RequestContext
    package var limits: ImportLimits
    /// How many documents may be bad before the import stops; each is reported and left out.
    package var badAllowed: Int
    /// Told now and then how far it has come.
    package var onProgress: @Sendable (TransferProgress) -> Void
    /// Told about each document that is left out.
    package var onBadDocument: @Sendable (FirestoreError) -> Void
    /// Waits on the calling thread before something is tried again.
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

    /// Imports everything that `open` opens, which happens on the thread of the import. A task that is cancelled sends
    /// nothing more and waits for what it has sent.
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

/// What an import came to.
package struct ImportSummary: Sendable {
    package var progress: TransferProgress
    /// Documents that were left out.
    package var bad: Int
    /// Why it stopped before the end.
    package var failure: FirestoreError?

    package init(progress: TransferProgress, bad: Int, failure: FirestoreError?) {
        self.progress = progress
        self.bad = bad
        self.failure = failure
    }
}
