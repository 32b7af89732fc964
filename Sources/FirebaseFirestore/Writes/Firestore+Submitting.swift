import Dispatch
import FirestoreCore

extension Firestore {
    /// Hands writes over in call order; what could not be built fails without reaching the database.
    func submit(
        _ writes: Result<[Write], FirestoreError>, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        let receipt = WriteReceipt()
        let callback = completion.map { UserCallback($0) }
        let queue = callbackQueue
        let report: @Sendable (FirestoreError?) -> Void = { error in
            let error = error?.publicError
            receipt.finish(error.map { .failure($0) } ?? .success(()))
            callback?.call(on: queue, error)
        }
        do throws(FirestoreError) {
            let writes = try writes.get()
            try backend().write(writes) { result in
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

    /// Runs a read and delivers its result on the callback queue.
    func deliver<Value: Sendable>(
        _ callback: UserCallback<Result<Value, any Error>>, _ read: @escaping @Sendable () async throws -> Value
    ) {
        let queue = callbackQueue
        Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await read())
            } catch {
                result = .failure(error)
            }
            callback.call(on: queue, result)
        }
    }
}
