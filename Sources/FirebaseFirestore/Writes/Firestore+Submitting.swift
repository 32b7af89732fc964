// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

extension Firestore {
    /// Submits writes in call order; a write that could not be built fails without reaching the database.
    ///
    /// Without a completion handler, a failure that is not awaited either is logged.
    func submit(
        _ writes: Result<[Write], FirestoreError>, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        let receipt = WriteReceipt()
        let callback = completion.map { UserCallback($0) }
        let queue = callbackQueue
        // A receipt that was released by then can no longer be awaited.
        let report: @Sendable (FirestoreError?) -> Void = { [weak receipt] error in
            guard let error else {
                receipt?.finish(.success(()))
                callback?.call(on: queue, nil)
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
            let writes = try writes.get()
            try backend().write(writes, in: nil, saved: { [weak receipt] in receipt?.save() }) { result in
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
}
