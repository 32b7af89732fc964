// SPDX-License-Identifier: Apache-2.0
import Dispatch
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
        let target = writes.flatMap { writes in
            Result { () throws(FirestoreError) in (backend: try backend(), writes: writes) }
        }
        let writeQueue = isConditional ? nil : (try? target.get())?.backend.queue
        let receipt = WriteReceipt(in: writeQueue)
        let callback = completion.map { UserCallback($0) }
        let queue = callbackQueue
        let isQueued = writeQueue != nil
        // A receipt that was released by then can no longer be awaited.
        let report: @Sendable (FirestoreError?) -> Void = { [weak receipt, weak self] error in
            guard let error else {
                receipt?.finish(.success(()))
                callback?.call(on: queue, nil)
                return
            }
            if isQueued, error.code == .cancelled {
                receipt?.finish(.failure(error.publicError))
                // Terminated: the write is still in the queue and has not failed.
                if self?.isTerminated == false { callback?.call(on: queue, error.publicError) }
                return
            }
            if let callback {
                receipt?.finish(.failure(error.publicError))
                return callback.call(on: queue, error.publicError)
            }
            let notice = UnheededFailure.notice(of: error, writing: (try? writes.get()) ?? [])
            if let receipt {
                receipt.finish(.failure(error.publicError), unheeded: notice)
            } else {
                UnheededFailure.log(notice)
            }
        }
        do throws(FirestoreError) {
            let (backend, writes) = try target.get()
            if isConditional {
                backend.commitPastQueue(writes) { result in
                    switch result {
                    case .success: report(nil)
                    case .failure(let error): report(error)
                    }
                }
                return receipt
            }
            let rule = conflictRule(policy ?? settingsValues.conflictPolicy)
            backend.write(writes, onConflict: rule, saved: { [weak receipt] id in receipt?.save(id) }) { result in
                switch result {
                case .success: report(nil)
                case .failure(let error): report(error)
                }
            }
        } catch {
            report(error)
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
