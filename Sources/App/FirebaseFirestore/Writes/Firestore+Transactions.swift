// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreClient
import FirestoreCore
public import Foundation

#if !canImport(ObjectiveC)
    /// Where a transaction block stores its error. Foundation declares it on Apple platforms only.
    public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
#endif

extension Firestore {
    /// Runs a block whose reads and writes take effect atomically, isolated from all other writes.
    ///
    /// The block runs on a background queue, up to five times if documents it read change meanwhile. Conflicting
    /// transactions take turns. To give up, set the error pointer and return nil. `completion` is called on the queue
    /// of the settings with the block's return value, or with an error.
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
        run(TransactionBlock(updateBlock), options) { callback.call(on: queue, $0) }
    }

    /// Runs a block whose reads and writes take effect atomically, isolated from all other writes, and returns the
    /// block's return value.
    ///
    /// The block runs on a background queue, up to five times if documents it read change meanwhile. Conflicting
    /// transactions take turns. To give up, set the error pointer and return nil; that error is thrown.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        _ updateBlock: @escaping (Transaction, NSErrorPointer) -> sending Any?
    ) async throws -> sending Any? {
        try await outcome(of: updateBlock, nil).take()
    }

    /// Runs a transaction with options and returns the block's return value; nil means the defaults.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        with options: TransactionOptions?, block updateBlock: @escaping (Transaction, NSErrorPointer) -> sending Any?
    ) async throws -> sending Any? {
        try await outcome(of: updateBlock, options).take()
    }

    private nonisolated(nonsending) func outcome(
        of updateBlock: @escaping (Transaction, NSErrorPointer) -> sending Any?, _ options: TransactionOptions?
    ) async -> TransactionOutcome {
        let block = TransactionBlock { transaction, errorPointer in updateBlock(transaction, errorPointer) }
        return await withCheckedContinuation { continuation in
            run(block, options) { continuation.resume(returning: $0) }
        }
    }

    /// Runs the block until its commit succeeds or fails permanently.
    ///
    /// Every transaction has a serial queue, not a share of a concurrent one: reads block, and outside of Apple
    /// platforms concurrent queues have only as many threads as there are processors, which they share with Swift's
    /// tasks. A transaction that waits for its next attempt or its commit holds no thread.
    private func run(
        _ block: TransactionBlock, _ options: TransactionOptions?,
        completion: @escaping @Sendable (TransactionOutcome) -> Void
    ) {
        let queue = DispatchQueue(label: "hearth.transaction")
        do throws(FirestoreError) {
            let plan = TransactionPlan(
                block: block, mode: try options?.mode() ?? .readWrite(retrying: nil), queue: queue, completion: completion)
            let retry = TransactionRetry(attempts: options?.maxAttempts ?? TransactionRetry.defaultAttempts)
            attempt(plan, retry: retry, claim: nil, after: .zero)
        } catch {
            completion(TransactionOutcome(.failure(error.publicError)))
        }
    }

    private func attempt(_ plan: TransactionPlan, retry: TransactionRetry, claim: TransactionClaim?, after delay: Duration) {
        plan.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1)))) { [self] in
            let attempt: TransactionAttempt
            do throws(FirestoreError) {
                attempt = TransactionAttempt(plan.mode, on: try backend(), turns: transactionTurns, claim: claim)
            } catch {
                claim?.end()
                return plan.completion(TransactionOutcome(.failure(error.publicError)))
            }
            let transaction = Transaction(firestore: self, attempt: attempt)
            let value = plan.block.run(transaction)
            transaction.finish()
            if let reported = value.error {
                attempt.abandon()
                // An error of another domain ends the transaction; a Firestore error may be a conflict (TX-17).
                guard let error = FirestoreError(publicError: reported) else {
                    attempt.endTurns()
                    return plan.completion(TransactionOutcome(.failure(reported)))
                }
                return again(plan, retry, after: attempt, failed: error, reported: FirestoreErrorCode(_nsError: reported))
            }
            attempt.commit { result in
                switch result {
                case .success:
                    attempt.endTurns()
                    plan.completion(value.outcome)
                case .failure(let error):
                    self.again(plan, retry, after: attempt, failed: error, reported: error.publicError)
                }
            }
        }
    }

    private func again(
        _ plan: TransactionPlan, _ retry: TransactionRetry, after attempt: TransactionAttempt,
        failed error: FirestoreError, reported: any Error
    ) {
        var retry = retry
        let client = try? backend()
        guard let client, !isTerminated, !client.isNetworkDisabled, let delay = retry.delay(after: error, isShared: client.isShared) else {
            attempt.endTurns()
            return plan.completion(TransactionOutcome(.failure(reported)))
        }
        Task { [retry] in
            let (claim, hasWaited) = await attempt.claim(after: error)
            var plan = plan
            plan.mode = attempt.modeOfRetry
            // A transaction that has waited for its turn does not wait for a backoff, too.
            self.attempt(plan, retry: retry, claim: claim, after: hasWaited ? .zero : delay)
        }
    }
}

/// The constant part of all attempts.
private struct TransactionPlan: Sendable {
    let block: TransactionBlock
    var mode: TransactionMode
    let queue: DispatchQueue
    let completion: @Sendable (TransactionOutcome) -> Void
}

extension FirestoreError {
    /// The Firestore error that the developer's code passes back.
    fileprivate init?(publicError error: NSError) {
        guard error.domain == FirestoreErrorDomain, let code = Code(rawValue: error.code) else { return nil }
        self.init(code, error.localizedDescription)
    }
}

/// The developer's transaction block.
///
/// `@unchecked Sendable`: attempts follow one another, each on one thread of a queue that orders them, so the block is
/// never run by two threads simultaneously; Hearth does not access what it captures.
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

/// The outcome of a transaction.
///
/// `@unchecked Sendable`: the value was made by the block, which has returned; it is passed on once, to the developer's
/// completion handler or caller, and not accessed in between.
private struct TransactionOutcome: @unchecked Sendable {
    let result: Result<Any?, any Error>

    init(_ result: Result<Any?, any Error>) { self.result = result }

    func take() throws -> sending Any? {
        // Handed out once; nothing here uses it afterwards.
        nonisolated(unsafe) let value = try result.get()
        return value
    }
}
