// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension LocalStore {
    /// Queues the batches of several calls and applies them to the local view, in one transaction (SY-31).
    ///
    /// `options`: of each call, in the same order; empty if none has one. `isSentAtOnce`: the batches are sent as soon as they are stored,
    /// so it is recorded that they were.
    package func write(
        _ calls: [[Write]], options: [(any WriteOption)?] = [], isSentAtOnce: Bool = false
    ) throws(FirestoreError) -> [LocalWriteResult] {
        try perform(.writeLocally) { (cache) throws(FirestoreError) in
            try cache.admitWrite(of: ownUser)
            var results: [LocalWriteResult] = []
            results.reserveCapacity(calls.count)
            for (place, writes) in calls.enumerated() { results.append(try cache.write(writes, options.isEmpty ? nil : options[place])) }
            if isSentAtOnce { try cache.noteSent(upTo: cache.meta.highestBatch, of: cache.meta.user) }
            return results
        }
    }

    /// Applies what the authority answered, in one transaction, and removes the batches (SY-60). Returns what each has changed.
    ///
    /// `waitsForDisk`: whether the batches are not sent again even if the machine fails.
    package func acknowledge(
        _ answers: [AnsweredBatch], waitsForDisk: Bool = true
    ) throws(FirestoreError) -> [[LocalChange]] {
        try perform(.acknowledge, waitsForDisk: waitsForDisk) { (cache) throws(FirestoreError) in
            var changes: [[LocalChange]] = []
            var newest: AnsweredBatch?
            for answer in answers {
                // An answer that comes late says nothing of where the stream is now.
                if answer.streamToken != nil, try cache.isQueued(answer.batch.id) { newest = answer }
                try cache.note(.answered(answer))
                changes.append(try cache.acknowledge(answer.batch, at: answer.commitTime, answer.results))
            }
            if let newest, let token = newest.streamToken { try cache.setStreamToken(token, of: newest.batch.user) }
            return changes
        }
    }

    /// Removes the batch and its effect (SY-67). `isRetained`: its writes stay among the failed ones.
    package func reject(
        _ batch: PendingBatch, because error: FirestoreError, isRetained: Bool = true, streamToken: ByteSlice? = nil
    ) throws(FirestoreError) -> [LocalChange] {
        try perform(.reject) { (cache) throws(FirestoreError) in
            guard try cache.isQueued(batch.id) else { return [] }
            if let streamToken { try cache.setStreamToken(streamToken, of: batch.user) }
            try cache.keepFailed(batch, error, isRetained ? .kept : .dropped)
            return try cache.drop(batch)
        }
    }

    package func nextBatch(after id: BatchID?) throws(FirestoreError) -> PendingBatch? { try nextBatches(after: id, limit: 1).first }

    /// The oldest batches of the current user after another one: at most `limit`, and not more than one beyond `bytes`.
    package func nextBatches(after id: BatchID?, limit: Int, bytes: Int = .max) throws(FirestoreError) -> [PendingBatch] {
        if meta.batchCount == 0, ownsFile {
            try willRun?(.nextBatch)
            return []
        }
        return try read(.nextBatch) { (_, rows) throws(FirestoreError) in
            try rows.nextBatches(of: user, after: id ?? 0, limit: limit, bytes: bytes)
        }
    }

    /// The newest batch of the current user; nil if the queue is empty.
    package func highestBatchID() throws(FirestoreError) -> BatchID? {
        try read(.highestBatch) { (_, rows) throws(FirestoreError) in try rows.highestBatch(of: user) }
    }

    /// The oldest batch of the current user; nil if the queue is empty.
    func lowestBatchID() throws(FirestoreError) -> BatchID? {
        try read(.highestBatch) { (snapshot, _) throws(FirestoreError) in
            try snapshot.first("SELECT min(id) FROM batches WHERE user = ?1", user) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
        }
    }

    /// Records an attempt to send a batch, and how it failed.
    package func noteAttempt(_ id: BatchID, error: FirestoreError?) throws(FirestoreError) {
        let now = configuration.clock.now()
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in
            try cache.sql.run(
                "UPDATE batches SET attempts = attempts + 1, last_code = ?2, last_text = ?3, last_try = ?4 WHERE id = ?1",
                id, error.map { Int64($0.code.rawValue) }, error?.message, now)
        }
    }

    /// Whether a batch of this process's user is in the queue.
    func isPending(_ id: BatchID) throws(FirestoreError) -> Bool {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            try snapshot.exists("SELECT 1 FROM batches WHERE id = ?1 AND user = ?2", id, ownUser)
        }
    }

    /// Removes a batch that was not sent, and its effect.
    package func cancel(_ id: BatchID) throws(FirestoreError) -> [LocalChange] {
        try perform(.reject) { (cache) throws(FirestoreError) in
            guard let batch = try cache.batch(id)?.batch else { return [] }
            try cache.keepFailed(batch, .canceledWrite, .forgotten)
            try cache.note(.other)
            return try cache.drop(batch)
        }
    }

    /// What resumes the Write stream of the user of this process behind the newest answer.
    package func streamToken() throws(FirestoreError) -> ByteSlice { try writeStream().token }

    /// Where the Write stream of the user of this process is: what resumes it behind the newest answer, and the newest batch that may have
    /// been sent, by this process or another one. Batches behind that one were not.
    package func writeStream() throws(FirestoreError) -> (token: ByteSlice, sentUpTo: BatchID) {
        try read(.streamToken) { (snapshot, _) throws(FirestoreError) in
            let stream = try snapshot.first("SELECT token, stream FROM stream_tokens WHERE user = ?1", ownUser) { row in
                (row.blob(0).map { ByteSlice(copying: $0) } ?? .empty, row.integer(1))
            }
            return stream ?? (.empty, 0)
        }
    }

    package func setStreamToken(_ token: ByteSlice) throws(FirestoreError) {
        try perform(.streamToken) { (cache) throws(FirestoreError) in try cache.setStreamToken(token, of: ownUser) }
    }

    /// Records, before it is so, that batches of the user of this process are sent. `token`: what resumes the stream on which they are.
    package func noteSent(upTo id: BatchID, token: ByteSlice? = nil) throws(FirestoreError) {
        try perform(.streamToken) { (cache) throws(FirestoreError) in
            if let token { try cache.setStreamToken(token, of: ownUser) }
            try cache.noteSent(upTo: id, of: ownUser)
        }
    }

    /// Nothing resumes the Write stream of the user of this process any more. Batches up to `last` may have been applied: those that would
    /// do harm if applied twice leave the queue, as failed writes. One transaction: a process that starts after it was interrupted finds
    /// either a stream that it can resume, or no batch that it must not send.
    package func forgetStream(
        doubtfulUpTo last: BatchID, because error: FirestoreError, isRetained: Bool
    ) throws(FirestoreError) -> (rejected: [BatchID], changes: [LocalChange]) {
        let user = ownUser
        return try perform(.reject) { (cache) throws(FirestoreError) in
            var rejected: [BatchID] = []
            var changes: [LocalChange] = []
            var place: BatchID = 0
            while let batch = try cache.rows.nextBatches(of: user, after: place, limit: 1, bytes: .max).first, batch.id <= last {
                place = batch.id
                guard batch.writes.contains(where: { !$0.isIdempotent }) else { continue }
                try cache.keepFailed(batch, error, isRetained ? .kept : .dropped)
                changes += try cache.drop(batch)
                rejected.append(batch.id)
            }
            try cache.setStreamToken(.empty, of: user)
            return (rejected, changes)
        }
    }

    /// Changes the user: the other one's pending writes leave the local view, this one's enter it (SY-77, SY-D12).
    package func changeUser(to user: SyncUser) throws(FirestoreError) -> [LocalChange] { try changeUser(to: user, moving: []).changes }

    /// Changes the user, and moves some batches to the queue of the new one.
    ///
    /// - Parameter moving: Batches of the user before that move to the queue of this one, unless they may have been sent.
    /// - Returns: What has changed in the local view, and the oldest batch that is left of the user before.
    package func changeUser(
        to user: SyncUser, moving batches: [BatchID]
    ) throws(FirestoreError) -> (changes: [LocalChange], oldestLeft: BatchID?) {
        let former = ownUser
        let result = try perform(.changeUser) { (cache) throws(FirestoreError) in
            try cache.note(.other)
            try cache.move(batches, of: former, to: user)
            let changes = try cache.changeUser(to: user, hasMoved: !batches.isEmpty)
            return (changes, try cache.rows.nextBatches(of: former, after: 0, limit: 1, bytes: .max).first?.id)
        }
        ownUser = user
        return result
    }

    /// How many batches each other user has in the queue.
    package func queuesOfOthers() throws(FirestoreError) -> [(user: SyncUser, count: Int)] {
        guard meta.batchCount > 0 else { return [] }
        return try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            try snapshot.all("SELECT user, count(*) FROM batches WHERE user <> ?1 GROUP BY user", ownUser) {
                (row) throws(FirestoreError) in
                guard let user = row.blob(0).flatMap({ SyncUser(stored: $0) }) else { throw snapshot.damaged("a pending write") }
                return (user, Int(row.integer(1)))
            }
        }
    }
}

extension CacheTransaction {
    /// Throws if the user of this process must not write now.
    func admitWrite(of user: SyncUser) throws(FirestoreError) { for feature in features { try feature.admitWrite(of: user, in: self) } }

    func write(_ writes: [Write], _ option: (any WriteOption)? = nil) throws(FirestoreError) -> LocalWriteResult {
        var entries: [CacheEntry] = []
        var places: [DocumentKey: Int] = [:]
        for write in writes where places[write.key] == nil {
            places[write.key] = entries.count
            entries.append(try entry(write.key))
        }
        var applications = entries.map(\.application)
        let baseWrites = writes.compactMap { write in places[write.key].flatMap { applications[$0].baseWrite(for: write) } }
        var batch = PendingBatch(
            id: meta.highestBatch + 1, user: meta.user, localWriteTime: now, baseWrites: baseWrites, writes: writes)
        if let option { for feature in features { feature.prepare(&batch, option, entries, database) } }
        let time = TimestampValue(microsecondsSince1970: now)
        for write in baseWrites + writes {
            if let place = places[write.key] { applications[place].apply(write, at: time) }
        }
        var changes: [LocalChange] = []
        changes.reserveCapacity(entries.count)
        for (old, application) in zip(entries, applications) {
            var application = application
            // A document that only pending writes have created has no base to patch (SY-42).
            if old.remote.kind == .none { application.mutatedFields = nil }
            var new = old
            new.take(application, of: batch.id)
            try store(new, replacing: old)
            changes.append(LocalChange(old: old.local, new: new.local))
        }
        try add(batch)
        return LocalWriteResult(batch: batch, changes: changes)
    }

    func acknowledge(
        _ batch: PendingBatch, at commitTime: DocumentVersion, _ results: [WriteResult]
    ) throws(FirestoreError) -> [LocalChange] {
        guard try isQueued(batch.id) else { return [] }
        var changes: [(old: CacheEntry, new: CacheEntry, isComputed: Bool)] = []
        var places: [DocumentKey: Int] = [:]
        for key in batch.keys {
            places[key] = changes.count
            let entry = try entry(key)
            changes.append((entry, entry, false))
        }
        var versions: [DocumentKey: DocumentVersion] = [:]
        let outcome = batch.writes.enumerated().map { place, write in
            let result = place < results.count ? results[place] : WriteResult(updateTime: nil)
            versions[write.key] = result.updateTime.flatMap { $0 == .none ? nil : $0 } ?? commitTime
            return (write, result)
        }
        var remotes = changes.map(\.old.remote)
        for (write, result) in outcome {
            guard let place = places[write.key], let version = versions[write.key] else { continue }
            if !result.transformResults.isEmpty { changes[place].isComputed = true }
            // Otherwise the watch was faster.
            if changes[place].old.remote.version < version { remotes[place].apply(write, result: result, at: commitTime) }
        }
        try remove(batch)
        for feature in features { try feature.acknowledged(batch, outcome, at: commitTime, in: self) }
        var answer: [LocalChange] = []
        for (place, change) in changes.enumerated() {
            var new = change.new
            if remotes[place] != change.old.remote {
                remotes[place].readTime = commitTime
                new.setRemote(remotes[place])
            }
            if new.overlay?.batch == batch.id { new.removeOverlay() }
            if change.isComputed, try !keepsOverlay(new, behind: batch) { try replay(&new) }
            try store(new, replacing: change.old)
            answer.append(LocalChange(old: change.old.local, new: new.local))
        }
        return answer
    }

    /// Removes a batch that the authority will not apply.
    func drop(_ batch: PendingBatch) throws(FirestoreError) -> [LocalChange] {
        try remove(batch)
        return try replay(batch.keys)
    }

    func isQueued(_ id: BatchID) throws(FirestoreError) -> Bool {
        try sql.exists("SELECT 1 FROM batches WHERE id = ?1", id)
    }

    func setStreamToken(_ token: ByteSlice, of user: SyncUser) throws(FirestoreError) {
        try sql.run(
            "INSERT INTO stream_tokens(user, token) VALUES(?1, ?2) ON CONFLICT(user) DO UPDATE SET token = excluded.token",
            user, token)
    }

    /// The mark does not go back. It is in the column that was meant for the name of the stream, which the token contains.
    func noteSent(upTo id: BatchID, of user: SyncUser) throws(FirestoreError) {
        try sql.run(
            """
            INSERT INTO stream_tokens(user, token, stream) VALUES(?1, zeroblob(0), ?2) ON CONFLICT(user) DO UPDATE
            SET stream = CASE typeof(stream) WHEN 'integer' THEN max(stream, excluded.stream) ELSE excluded.stream END
            """, user, id)
    }

    /// Puts batches of one user into the queue of another. Those that may have been sent stay: the authority has them as the first user's.
    func move(_ batches: [BatchID], of former: SyncUser, to user: SyncUser) throws(FirestoreError) {
        for id in batches {
            try sql.run(
                """
                UPDATE batches SET user = ?1 WHERE id = ?2 AND user = ?3 AND id > COALESCE(
                    (SELECT stream FROM stream_tokens WHERE user = ?3 AND typeof(stream) = 'integer'), 0)
                """, user, id, former)
            knownBatches[id] = nil
            keptBatches[id] = nil
        }
    }

    /// `hasMoved`: batches have entered the queue of the user, who may be shown already.
    func changeUser(to user: SyncUser, hasMoved: Bool = false) throws(FirestoreError) -> [LocalChange] {
        guard user != meta.user || hasMoved else { return [] }
        let keys = try keys(of: meta.user, and: user)
        meta.user = user
        return try replay(keys)
    }

    /// The documents that pending batches of two users write, in the order of their names.
    private func keys(of user: SyncUser, and other: SyncUser) throws(FirestoreError) -> [DocumentKey] {
        guard meta.batchCount > 0 else { return [] }
        return try sql.all(
            """
            SELECT DISTINCT collection, batch_documents.id FROM batch_documents JOIN batches ON batches.id = batch
            WHERE user = ?1 OR user = ?2
            """, user, other
        ) { (row) throws(FirestoreError) in try rows.key(in: row, at: 0) }.sorted()
    }
}
