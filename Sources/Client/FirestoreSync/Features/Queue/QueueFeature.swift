// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What happens to writes that the authority rejects: they are stored until they are retried or dismissed, and with `hold` the queue
/// waits for that (SY-D22, SY-D23).
final class QueueFeature: SyncFeature {
    private weak var engine: SyncEngine?
    private var isHeld = false

    private var policy: FailedWritePolicy { engine?.settings.failedWrites ?? .keep }

    var firstHeldBatch: BatchID? { isHeld ? 0 : nil }
    var retainsRejectedWrites: Bool { policy != .drop }

    func attach(to engine: SyncEngine) {
        self.engine = engine
        isHeld = false
    }

    func handle(_ event: SyncEvent) { if case .failing = event, policy == .hold { isHeld = true } }

    /// A failed write of an earlier process holds the queue as well.
    func load() throws(FirestoreError) {
        guard policy == .hold, let engine else { return }
        isHeld = try !engine.store.failedBatches().isEmpty
    }

    func reload() throws(FirestoreError) { try load() }
}

extension SyncSettings {
    private enum FailedWrites: SyncSettingKey { static let defaultValue = FailedWritePolicy.keep }

    /// The policy for writes that the authority rejects.
    package var failedWrites: FailedWritePolicy {
        get { self[FailedWrites.self] }
        set { self[FailedWrites.self] = newValue }
    }
}

extension SyncEngine {
    /// Whether a failed write has to be retried or dismissed before others are sent.
    var isQueueHeld: Bool { feature(QueueFeature.self)?.firstHeldBatch != nil }

    /// Puts the writes of a failed batch at the end of the queue. Returns the number of the new batch.
    package func retryFailed(_ id: BatchID) throws(FirestoreError) -> BatchID {
        if let error = users.missing(store.user) { throw error }
        guard let result = try store.retryFailed(id) else { throw .noFailedWrite(id) }
        deliver(result.changes)
        resumeQueue()
        return result.batch.id
    }

    package func dismissFailed(_ id: BatchID) throws(FirestoreError) {
        guard try store.failedWrites(id) != nil else { throw .noFailedWrite(id) }
        try store.dismissFailed(id)
        resumeQueue()
    }

    /// Reads again whether the queue is held, and sends it if it is not.
    private func resumeQueue() {
        observers.changed(.queue)
        let feature: QueueFeature? = feature()
        streams.retry { (streams) throws(FirestoreError) in
            try feature?.load()
            streams.fillPipeline()
        }
    }
}

extension FirestoreError {
    fileprivate static func noFailedWrite(_ id: BatchID) -> FirestoreError {
        FirestoreError(.notFound, "there is no failed write \(id); it was retried, dismissed, or is older than 30 days")
    }
}
