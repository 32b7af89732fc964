// SPDX-License-Identifier: Apache-2.0

/// Inspects and changes the writes that a client stores until the authority has answered them, and those that it rejected.
///
/// A client with a cache conforms. The numbers of writes are those of the cache: they ascend in the order of the calls, over all
/// users, and are never used again. The lists show the writes of the current user.
package protocol WriteQueueAdministration: Sendable {
    /// Identifies the cache, so that a number is not looked up in another one. Random; lasts as long as the cache file. Another user
    /// may have another cache; while `saved` of a write is called, it is that of the write.
    var cacheID: UInt64 { get }

    /// The writes that wait for the authority, oldest first.
    func pendingWrites() async throws(FirestoreError) -> [QueuedWrite]

    /// The number of calls in the cache that wait for another user than the current one.
    func countOfOtherUsers() async throws(FirestoreError) -> Int

    /// The writes that the authority has rejected and that were not dismissed, oldest first.
    func failedWrites() async throws(FirestoreError) -> [RejectedWrite]

    /// Calls `body` on any thread after every change of the two lists, and when the client is terminated, until the handle is
    /// removed.
    func observeWrites(_ body: @escaping @Sendable () -> Void) -> any ListenHandle

    /// Calls `body` on any thread with whether the client is offline: once now, then after every change, one call at a time, until
    /// the handle is removed. A client that does not know yet is not offline.
    func observeOffline(_ body: @escaping @Sendable (_ isOffline: Bool) -> Void) -> any ListenHandle

    /// The outcome of a write, of any user of the cache; nil if the cache never had it, or if the write was canceled or dismissed. Fails
    /// with `failedPrecondition` if another cache is in use now.
    func state(of id: Int64, in cache: UInt64) async throws(FirestoreError) -> QueuedWriteState?

    /// Removes a pending write and its effect; its `completion` is called with `cancelled`. Fails with `notFound` if it is not in the
    /// queue, with `failedPrecondition` once it is in flight to the authority.
    func cancel(_ id: Int64) async throws(FirestoreError)

    /// Connects and sends now, without waiting for the next attempt.
    func retryNow() async throws(FirestoreError)

    /// Puts a failed write at the end of the queue and returns its new number. Fails with `notFound` if there is no such failed write.
    func retryFailed(_ id: Int64) async throws(FirestoreError) -> Int64

    /// Forgets a failed write. Under the policy `hold` the queue continues. Fails with `notFound` if there is no such failed write.
    func dismissFailed(_ id: Int64) async throws(FirestoreError)
}

/// The writes of one call that wait for the authority.
package struct QueuedWrite: Sendable {
    package enum Stage: Sendable, Hashable {
        /// Not sent yet, or to be sent again.
        case queued
        /// In flight: the answer is outstanding.
        case sent
        /// Behind a failed write that has to be decided about first.
        case held
        /// Until a sign-in that was in progress at the time of the call has ended.
        case signingIn
    }

    package var id: Int64
    package var writes: [Write]
    /// When the call was made, in microseconds since 1970.
    package var localWriteTime: Int64
    /// How often sending it has failed without an answer, attempts to connect included; counted for the oldest call only.
    package var attempts: Int
    /// The error of the last of these attempts.
    package var lastError: FirestoreError?
    /// The size in the queue.
    package var byteCount: Int
    package var stage: Stage

    package init(
        id: Int64, writes: [Write], localWriteTime: Int64, attempts: Int = 0, lastError: FirestoreError? = nil, byteCount: Int,
        stage: Stage = .queued
    ) {
        self.id = id
        self.writes = writes
        self.localWriteTime = localWriteTime
        self.attempts = attempts
        self.lastError = lastError
        self.byteCount = byteCount
        self.stage = stage
    }
}

/// The writes of one call that the authority has rejected: rolled back from all views, and stored.
package struct RejectedWrite: Sendable {
    package var id: Int64
    package var writes: [Write]
    package var error: FirestoreError
    /// In microseconds since 1970.
    package var failedAt: Int64

    package init(id: Int64, writes: [Write], error: FirestoreError, failedAt: Int64) {
        self.id = id
        self.writes = writes
        self.error = error
        self.failedAt = failedAt
    }
}

/// The outcome of a queued write.
package enum QueuedWriteState: Sendable {
    /// In the queue, behind so many others of its user.
    case queued(position: Int)
    case sent
    case acknowledged
    case rejected(FirestoreError)
}

/// The policy for a write that the authority rejects.
package enum FailedWritePolicy: Sendable, Hashable {
    /// It is rolled back and forgotten.
    case drop
    /// It is rolled back and stored among the failed writes.
    case keep
    /// It is rolled back and stored among the failed writes, and the queue waits until it is retried or dismissed.
    case hold
}
