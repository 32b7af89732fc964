import Dispatch
import FirestoreClient
import FirestoreCore
public import Foundation

#if !canImport(ObjectiveC)
    /// Where a transaction block puts its error; Foundation declares it on Apple platforms only.
    public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
#endif

extension Firestore {
    /// Runs a block whose reads and writes happen as if nobody else did anything in between.
    ///
    /// The block runs on a background queue, up to five times when a document it read changes meanwhile. To give up, set
    /// the error pointer and return nil. `completion` is called on the queue of the settings with what the block returned,
    /// or with an error.
    public func runTransaction(
        _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?, completion: @escaping (Any?, (any Error)?) -> Void
    ) {
        runTransaction(with: nil, block: updateBlock, completion: completion)
    }

    /// Runs a transaction with options; nil means the defaults.
    public func runTransaction(
        with options: TransactionOptions?, block updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
        completion: @escaping (Any?, (any Error)?) -> Void
    ) {
        let callback = UserCallback<TransactionOutcome> { outcome in
            switch outcome.result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
        let queue = callbackQueue
        run(TransactionBlock(updateBlock), attempts: options?.maxAttempts ?? TransactionRetry.defaultAttempts) {
            callback.call(on: queue, $0)
        }
    }

    /// Runs a block whose reads and writes happen as if nobody else did anything in between, and returns what it
    /// returned.
    ///
    /// The block runs on a background queue, up to five times when a document it read changes meanwhile. To give up, set
    /// the error pointer and return nil; that error is thrown.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        _ updateBlock: @escaping (Transaction, NSErrorPointer) -> sending Any?
    ) async throws -> sending Any? {
        let block = TransactionBlock { transaction, errorPointer in updateBlock(transaction, errorPointer) }
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<TransactionOutcome, Never>) in
            run(block, attempts: TransactionRetry.defaultAttempts) { continuation.resume(returning: $0) }
        }
        return try outcome.take()
    }

    /// Runs the block until its commit succeeds or cannot.
    ///
    /// Every transaction has a serial queue, not a share of a concurrent one: reads block, and outside of Apple platforms
    /// concurrent queues have only as many threads as there are processors, which they share with Swift's tasks. A
    /// transaction that waits for its next attempt or its commit holds no thread.
    private func run(
        _ block: TransactionBlock, attempts: Int, completion: @escaping @Sendable (TransactionOutcome) -> Void
    ) {
        attempt(
            block, on: DispatchQueue(label: "hearth.transaction"), retry: TransactionRetry(attempts: attempts),
            after: .zero, completion: completion)
    }

    private func attempt(
        _ block: TransactionBlock, on queue: DispatchQueue, retry: TransactionRetry, after delay: Duration,
        completion: @escaping @Sendable (TransactionOutcome) -> Void
    ) {
        let nanoseconds = delay / .nanoseconds(1)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
            let transaction = Transaction(firestore: self)
            let value = block.run(transaction)
            let writes = transaction.finish()
            let again: @Sendable (FirestoreError, any Error) -> Void = { error, reported in
                var retry = retry
                var generator = SystemRandomNumberGenerator()
                if !self.isTerminated, let delay = retry.delay(after: error, using: &generator) {
                    self.attempt(block, on: queue, retry: retry, after: delay, completion: completion)
                } else {
                    completion(TransactionOutcome(.failure(reported)))
                }
            }
            if let reported = value.error {
                // Somebody else's error is the block's last word; one of ours may be a conflict (TX-17).
                guard let error = FirestoreError(publicError: reported) else {
                    return completion(TransactionOutcome(.failure(reported)))
                }
                return again(error, FirestoreErrorCode(reported))
            }
            do throws(FirestoreError) {
                try self.backend().write(try writes.get()) { result in
                    switch result {
                    case .success: completion(value.outcome)
                    case .failure(let error): again(error, error.publicError)
                    }
                }
            } catch {
                completion(TransactionOutcome(.failure(error.publicError)))
            }
        }
    }
}

extension FirestoreError {
    /// Our own error, back from the app developer's hands.
    fileprivate init?(publicError error: NSError) {
        guard error.domain == FirestoreErrorDomain, let code = Code(rawValue: error.code) else { return nil }
        self.init(code, error.localizedDescription)
    }
}

/// The developer's transaction block.
///
/// `@unchecked Sendable`: attempts follow one another, each on one thread of a queue that orders them, so the block is
/// never run by two threads at once; nobody on our side touches what it captures.
private struct TransactionBlock: @unchecked Sendable {
    private let body: (Transaction, NSErrorPointer) -> Any?

    init(_ body: @escaping (Transaction, NSErrorPointer) -> Any?) { self.body = body }

    func run(_ transaction: Transaction) -> BlockResult {
        var error: NSError?
        let value = withUnsafeMutablePointer(to: &error) { body(transaction, $0) }
        return BlockResult(outcome: TransactionOutcome(.success(value)), error: error)
    }
}

private struct BlockResult: Sendable {
    let outcome: TransactionOutcome
    let error: NSError?
}

/// What a transaction came to.
///
/// `@unchecked Sendable`: the value was made by the block, which has returned; it is passed on once, to the developer's
/// completion or caller, and not looked at in between.
private struct TransactionOutcome: @unchecked Sendable {
    let result: Result<Any?, any Error>

    init(_ result: Result<Any?, any Error>) { self.result = result }

    func take() throws -> sending Any? {
        nonisolated(unsafe) let value = try result.get()
        return value
    }
}
