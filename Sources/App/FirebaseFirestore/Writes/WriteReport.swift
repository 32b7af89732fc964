// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore

/// Reports the outcome of a write: to its receipt, to its completion handler, and to the log if neither is there to take a failure.
struct WriteReport: Sendable {
    /// nil once it was released: then it can no longer be awaited.
    private weak let receipt: WriteReceipt?
    private weak let firestore: Firestore?
    private let callback: UserCallback<(any Error)?>?
    private let callbackQueue: DispatchQueue
    private let writes: [Write]
    private let isQueued: Bool

    init(
        to receipt: WriteReceipt, _ completion: (((any Error)?) -> Void)?, of writes: [Write], isQueued: Bool, in firestore: Firestore
    ) {
        self.receipt = receipt
        self.firestore = firestore
        self.writes = writes
        self.isQueued = isQueued
        callback = completion.map { UserCallback($0) }
        callbackQueue = firestore.callbackQueue
    }

    func finish(_ result: Result<CommitResponse, FirestoreError>) {
        if case .failure(let error) = result { return fail(error) }
        receipt?.finish(.success(()))
        callback?.call(on: callbackQueue, nil)
    }

    func fail(_ error: FirestoreError) {
        if isQueued, error.code == .cancelled {
            receipt?.finish(.failure(error.publicError))
            // Terminated: the write is still in the queue and has not failed.
            if firestore?.isTerminated == false { callback?.call(on: callbackQueue, error.publicError) }
        } else if let callback {
            receipt?.finish(.failure(error.publicError))
            callback.call(on: callbackQueue, error.publicError)
        } else {
            let notice = UnhandledFailure.notice(of: error, writing: writes)
            guard let receipt else { return UnhandledFailure.log(notice) }
            receipt.finish(.failure(error.publicError), unhandled: notice)
        }
    }
}
