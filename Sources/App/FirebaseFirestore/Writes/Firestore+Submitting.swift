// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore

extension Firestore {
    /// Submits writes in call order; a write that could not be built fails without reaching the database.
    ///
    /// Without a completion handler, a failure that is not awaited either is logged. Writes with conditions of the caller are not
    /// queued: the authority decides immediately (MP-78).
    func submit(
        _ writes: Result<[Write], FirestoreError>, onConflict policy: ConflictPolicy? = nil, isConditional: Bool = false,
        completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        let batch: [Write]
        let backend: any ClientBackend
        do throws(FirestoreError) {
            batch = try writes.get()
            backend = try self.backend()
        } catch {
            let receipt = WriteReceipt()
            WriteReport(to: receipt, completion, of: (try? writes.get()) ?? [], isQueued: false, in: self).fail(error)
            return receipt
        }
        let queue = isConditional ? nil : backend.queue
        let receipt = WriteReceipt(in: queue)
        let report = WriteReport(to: receipt, completion, of: batch, isQueued: queue != nil, in: self)
        if isConditional {
            backend.commitPastQueue(batch) { report.finish($0) }
        } else {
            let rule = conflictRule(policy ?? settingsValues.conflictPolicy)
            backend.write(batch, onConflict: rule, saved: { [weak receipt] id in receipt?.save(id) }) { report.finish($0) }
        }
        return receipt
    }

    /// The receipt of a write that was not necessary.
    func finished(_ location: Result<DocumentKey, FirestoreError>, completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        guard case .success = location else { return submit(location.map { _ in [] }, completion: completion) }
        let receipt = WriteReceipt()
        receipt.finish(.success(()))
        if let completion { UserCallback(completion).call(on: callbackQueue, nil) }
        return receipt
    }

    /// Waits for a write as `settings.awaitedWrites` says.
    package nonisolated(nonsending) func wait(for receipt: WriteReceipt) async throws {
        switch settingsValues.awaitedWrites {
        case .acknowledged: try await receipt.reach(.acknowledged)
        case .saved: try await receipt.reach(.saved)
        case .acknowledgedOrOffline:
            guard let queue = (try? backend())?.queue else { return try await receipt.reach(.acknowledged) }
            offlineObservation.add(receipt, in: queue)
            defer { offlineObservation.remove(receipt) }
            try await receipt.reach(.savedOffline)
        }
    }
}
