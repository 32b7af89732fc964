// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import FirestoreWire

/// A batch of the queue as people look at it (SY-D22).
package struct QueuedBatch: Sendable {
    package let id: BatchID
    package let writes: [Write]
    /// When the call was made, in microseconds since 1970.
    package let localWriteTime: Int64
    package let attempts: Int
    package let lastError: FirestoreError?
    /// The size of its writes.
    package let bytes: Int
}

/// A batch that the authority rejected (SY-D23).
package struct FailedBatch: Sendable {
    package let id: BatchID
    package let writes: [Write]
    /// When it was rejected, in microseconds since 1970.
    package let failedAt: Int64
    package let error: FirestoreError
}

/// What became of a batch.
package enum ReceiptState: Sendable {
    /// It waits, behind `position` others of its user.
    case queued(position: Int)
    case acknowledged
    case rejected(FirestoreError)
    /// No such batch was ever queued, or it was canceled or dismissed, or rejected too long ago.
    case unknown
}

extension LocalStore {
    /// The queue of the current user, oldest first.
    package func pendingBatches() throws(FirestoreError) -> [QueuedBatch] {
        try read(.inspectQueue) { (snapshot, rows) throws(FirestoreError) in
            let row = try snapshot.statement(
                """
                SELECT \(rows.batchColumns), length(writes), attempts, last_code, last_text
                FROM batches WHERE user = ?1 ORDER BY id
                """)
            defer { row.reset() }
            row.bind(1, copying: user.stored)
            var result: [QueuedBatch] = []
            while try row.step() {
                let batch = try rows.batch(in: row)
                let error = row.isNull(8) ? nil : FirestoreError(storedCode: row.integer(8), text: row.blob(9))
                result.append(
                    QueuedBatch(
                        id: batch.id, writes: batch.writes, localWriteTime: batch.localWriteTime, attempts: Int(row.integer(7)),
                        lastError: error, bytes: Int(row.integer(6))))
            }
            return result
        }
    }

    /// Records an attempt to send a batch, and how it failed.
    package func noteAttempt(_ id: BatchID, error: FirestoreError?) throws(FirestoreError) {
        let now = configuration.clock.now()
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in
            let row = try cache.sql.statement(
                "UPDATE batches SET attempts = attempts + 1, last_code = ?2, last_text = ?3, last_try = ?4 WHERE id = ?1")
            row.bind(1, id)
            if let error {
                row.bind(2, Int64(error.code.rawValue))
                row.bind(3, copying: [UInt8](error.message.utf8))
            } else {
                row.bindNull(2)
                row.bindNull(3)
            }
            row.bind(4, now)
            try row.run()
        }
    }

    /// The rejected batches of the current user that were not dismissed, oldest first.
    package func failedBatches() throws(FirestoreError) -> [FailedBatch] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement(
                "SELECT id, failed_at, code, text, writes FROM failed_batches WHERE user = ?1 AND dismissed = 0 ORDER BY id")
            defer { row.reset() }
            row.bind(1, copying: user.stored)
            var result: [FailedBatch] = []
            while try row.step() {
                guard let bytes = row.blob(4) else { throw snapshot.damaged("a rejected write") }
                let writes = try CommitRequest(decoding: ByteSlice(copying: bytes)).writes
                result.append(
                    FailedBatch(
                        id: row.integer(0), writes: writes, failedAt: row.integer(1),
                        error: FirestoreError(storedCode: row.integer(2), text: row.blob(3))))
            }
            return result
        }
    }

    /// The writes of a rejected batch of this process's user; nil if it is no longer kept.
    package func failedWrites(_ id: BatchID) throws(FirestoreError) -> [Write]? {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in try snapshot.failedWrites(id, of: ownUser) }
    }

    /// Puts the writes of a rejected batch at the end of the queue and forgets them there, in one transaction: after a crash they are in
    /// one of the two. nil if they are no longer kept, or not of this process's user.
    package func retryFailed(_ id: BatchID) throws(FirestoreError) -> LocalWriteResult? {
        try perform(.writeLocally) { (cache) throws(FirestoreError) in
            if let membership, cache.meta.user != ownUser { throw membership.showsOtherUser(cache.meta.user) }
            guard let writes = try cache.sql.failedWrites(id, of: ownUser) else { return nil }
            try cache.dismissFailed(id)
            return try cache.write(writes)
        }
    }

    /// Forgets a rejected batch, of any user.
    package func dismissFailed(_ id: BatchID) throws(FirestoreError) {
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in
            cache.log?.hasNews = true
            try cache.dismissFailed(id)
        }
    }

    /// Whether a batch of this process's user is in the queue.
    func isPending(_ id: BatchID) throws(FirestoreError) -> Bool {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement("SELECT 1 FROM batches WHERE id = ?1 AND user = ?2")
            defer { row.reset() }
            row.bind(1, id)
            row.bind(2, copying: ownUser.stored)
            return try row.step()
        }
    }

    /// Removes a batch that was not sent, and its effect.
    package func cancel(_ id: BatchID) throws(FirestoreError) -> [LocalChange] {
        try perform(.reject) { (cache) throws(FirestoreError) in
            guard let batch = try cache.batch(id)?.batch else { return [] }
            try cache.keepFailed(batch, .canceledWrite, .forgotten)
            cache.log?.hasNews = true
            return try cache.drop(batch)
        }
    }

    /// What became of a batch. Rejections are remembered for 30 days.
    package func receiptState(of id: BatchID) throws(FirestoreError) -> ReceiptState {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let queued = try snapshot.statement(
                """
                SELECT (SELECT count(*) FROM batches AS o WHERE o.user = b.user AND o.id < b.id) FROM batches AS b WHERE b.id = ?1
                """)
            defer { queued.reset() }
            queued.bind(1, id)
            if try queued.step() { return .queued(position: Int(queued.integer(0))) }
            let failed = try snapshot.statement("SELECT code, text, dismissed FROM failed_batches WHERE id = ?1")
            defer { failed.reset() }
            failed.bind(1, id)
            if try failed.step() {
                if failed.integer(2) == FailedBatchFate.forgotten.rawValue { return .unknown }
                return .rejected(FirestoreError(storedCode: failed.integer(0), text: failed.blob(1)))
            }
            return id > 0 && id <= meta.highestBatch ? .acknowledged : .unknown
        }
    }
}

/// What is kept of a batch that the authority did not apply: the column `dismissed`.
enum FailedBatchFate: Int64 {
    /// Its writes and its error.
    case kept = 0
    /// Its number: a batch without a row was acknowledged.
    case forgotten = 1
    /// Its error.
    case dropped = 2
}

extension StatementSource {
    /// nil: of any user.
    func failedWrites(_ id: BatchID, of user: SyncUser? = nil) throws(FirestoreError) -> [Write]? {
        let row = try statement("SELECT writes FROM failed_batches WHERE id = ?1 AND (?2 IS NULL OR user = ?2) AND dismissed = 0")
        defer { row.reset() }
        row.bind(1, id)
        if let user { row.bind(2, copying: user.stored) } else { row.bindNull(2) }
        guard try row.step(), let bytes = row.blob(0) else { return nil }
        return try CommitRequest(decoding: ByteSlice(copying: bytes)).writes
    }
}

extension CacheTransaction {
    func dismissFailed(_ id: BatchID) throws(FirestoreError) {
        let row = try sql.statement("\(Self.forgetting) WHERE id = ?1")
        row.bind(1, id)
        try row.run()
    }

    /// 30 days, in microseconds.
    private static let retention: Int64 = 30 * 86_400_000_000

    static let forgetting = "UPDATE failed_batches SET dismissed = 1, user = x'', text = x'', writes = x''"

    func keepFailed(_ batch: PendingBatch, _ error: FirestoreError, _ fate: FailedBatchFate) throws(FirestoreError) {
        try forgetOldFailures()
        let row = try sql.statement("INSERT OR REPLACE INTO failed_batches VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        let writes = ByteSlice(fate != .kept ? [] : CommitRequest(database: database, writes: batch.writes).encoded())
        defer { withExtendedLifetime(writes) {} }
        row.bind(1, batch.id)
        row.bind(2, copying: batch.user.stored)
        row.bind(3, now)
        row.bind(4, Int64(error.code.rawValue))
        row.bind(5, copying: [UInt8](error.message.utf8))
        row.bind(6, writes.buffer)
        row.bind(7, fate.rawValue)
        try row.run()
    }

    func forgetOldFailures() throws(FirestoreError) {
        let row = try sql.statement("\(Self.forgetting) WHERE failed_at < ?1 AND dismissed <> 1")
        row.bind(1, now - Self.retention)
        try row.run()
    }
}

extension FirestoreError {
    /// What the callers of a canceled write get, in all processes.
    static let canceledWrite = FirestoreError(.cancelled, "the write was canceled before it was sent")

    init(storedCode code: Int64, text: UnsafeRawBufferPointer?) {
        self.init(Code(rawValue: Int(code)) ?? .unknown, text.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}
