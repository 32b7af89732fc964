// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    package import FirestoreStorage
    import PostgresLink

    /// What all processes have committed to a database (DN-5).
    package final class PostgresCommitLog: CommitLog {
        private let store: PostgresStore

        init(_ store: PostgresStore) { self.store = store }

        package func lastCommit() async throws(FirestoreError) -> DocumentVersion {
            let result: Result<DocumentVersion, FirestoreError> = await withCheckedContinuation { continuation in
                if store.followers.wait(continuation) { look() }
            }
            return try result.get()
        }

        /// Asks once for all callers that have arrived before; those that arrive in the meantime need a later answer.
        private func look() {
            let store = store
            let waiting = store.followers.takeWaiting()
            store.start { (connection) throws(FirestoreError) in
                try store.lastCommit(StoreSession(connection, store.place))
            } completion: { result in
                for continuation in waiting { continuation.resume(returning: result) }
                if store.followers.hasWaiting() { PostgresCommitLog(store).look() }
            }
        }

        package func commits(after time: DocumentVersion, limit: Int) throws(FirestoreError) -> LogStretch {
            let entry = try store.gate.enter()
            defer { store.gate.leave() }
            let found = try store.pool.withConnection(failure: store.place.errors.translate) { (connection) throws(FirestoreError) in
                let session = StoreSession(connection, store.place)
                defer { store.noteTrips(session.roundTrips) }
                guard limit > 0 else { return LogStretch(commits: [], end: try store.lastCommit(session), isLast: true) }
                var limit = limit
                while true {
                    if let stretch = try stretch(session, after: time, limit: limit) { return stretch }
                    // The first commit alone is larger.
                    limit *= 4
                }
            }
            try store.gate.confirm(entry)
            return found
        }

        /// One statement: entries, their documents before and after. The state after is that before the document's next entry, or the
        /// document (DN-3.9).
        private static func text(_ tables: PostgresTables) -> String {
            """
            SELECT m.last_commit, \(tables.presentHistory), m.log_floor, l.* FROM \(tables.meta) m LEFT JOIN (
            SELECT l.commit_time, l.ord, l.collection, l.id, c.path, l.previous_create, l.previous_update, l.previous,
            CASE WHEN n.found THEN n.previous_create ELSE d.create_time END, CASE WHEN n.found THEN n.previous_update ELSE d.update_time
            END,
            CASE WHEN n.found THEN n.previous ELSE d.fields END
            FROM (SELECT * FROM \(tables.changes) WHERE db = $1 AND commit_time > $2 ORDER BY commit_time, ord LIMIT $3) l
            JOIN \(tables.collections) c ON c.db = $1 AND c.number = l.collection
            LEFT JOIN LATERAL (SELECT true AS found, previous_create, previous_update, previous FROM \(tables.changes) n
            WHERE n.db = $1 AND n.collection = l.collection AND n.id = l.id AND n.commit_time > l.commit_time
            ORDER BY n.commit_time LIMIT 1) n ON true
            LEFT JOIN LATERAL (SELECT create_time, update_time, fields FROM \(tables.documents) d
            WHERE d.db = $1 AND d.collection = l.collection AND d.id = l.id OFFSET 0) d ON true) l ON true
            WHERE m.db = $1 ORDER BY l.commit_time, l.ord
            """
        }

        /// nil if the first commit has more changes than `limit`.
        private func stretch(
            _ session: StoreSession, after time: DocumentVersion, limit: Int
        ) throws(FirestoreError) -> LogStretch? {
            let result = try session.query(Self.text(session.tables), .int8(time.microseconds), .int8(Int64(limit) + 1))
            guard result.count > 0 else { throw store.endDeleted() }
            let lastCommit = result.integer(0, 0)
            if !store.record.saw(lastCommit, in: result.integer(0, 1)) { try store.learn(session, lastCommit: lastCommit) }
            guard result.integer(0, 2) <= time.microseconds + 1 else {
                throw FirestoreError(.outOfRange, "the change log no longer has the commits after this time; read everything again")
            }
            var commits: [CommittedChanges] = []
            var (current, changes): (Int64?, [CommittedChange]) = (nil, [])
            for row in 0..<result.count where !result.isNull(row, 3) {
                let commitTime = result.integer(row, 3)
                if let current, current != commitTime {
                    commits.append(CommittedChanges(time: DocumentVersion(microseconds: current), changes: changes))
                    changes = []
                }
                current = commitTime
                changes.append(try change(result, row, session.errors))
            }
            if result.count > limit {
                // The last commit may be cut.
                guard let last = commits.last else { return nil }
                return LogStretch(commits: commits, end: last.time, isLast: false)
            }
            if let current { commits.append(CommittedChanges(time: DocumentVersion(microseconds: current), changes: changes)) }
            return LogStretch(commits: commits, end: max(time, DocumentVersion(microseconds: lastCommit)), isLast: true)
        }

        private func change(_ result: PostgresResult, _ row: Int, _ errors: ServerErrors) throws(FirestoreError) -> CommittedChange {
            guard let path = result.string(row, 7), let id = result.bytes(row, 6).flatMap(DocumentIDEncoding.decode) else {
                throw errors.damaged("an entry of the change log")
            }
            let key = DocumentKey(collection: CollectionPath(trusted: path), id: id)
            let old = result.isNull(row, 8) ? nil : try DocumentRows.document(key, result, row, startingAt: 8, errors)
            let new = result.isNull(row, 11) ? nil : try DocumentRows.document(key, result, row, startingAt: 11, errors)
            return CommittedChange(key: key, old: old, new: new)
        }

        package func follow(
            _ wake: @escaping @Sendable () -> Void, ended: @escaping @Sendable (FirestoreError) -> Void
        ) -> any FollowHandle {
            let number = store.followers.add(wake, ended)
            if let end = store.gate.end { store.followers.end(end) }
            store.cluster.poller.add(store)
            let store = store
            return FollowEnd {
                if store.followers.remove(number) { store.cluster.poller.remove(store) }
            }
        }
    }

    extension PostgresStore {
        fileprivate func lastCommit(_ session: StoreSession) throws(FirestoreError) -> DocumentVersion {
            guard let meta = MetaRow(try session.query(MetaRow.call(session))) else { throw endDeleted() }
            if !record.saw(meta.lastCommit, in: meta.history) { try learn(session, lastCommit: meta.lastCommit) }
            return DocumentVersion(microseconds: meta.lastCommit)
        }
    }

    private final class FollowEnd: FollowHandle {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func stop() { body() }
    }

    /// The followers of the log, and the callers that wait for the time of the last commit.
    final class FollowerList: Sendable {
        typealias Waiter = CheckedContinuation<Result<DocumentVersion, FirestoreError>, Never>

        private struct Follower {
            let wake: @Sendable () -> Void
            let ended: @Sendable (FirestoreError) -> Void
        }

        private struct State {
            var followers: [Int: Follower] = [:]
            var next = 0
            var waiting: [Waiter] = []
            var isLooking = false
        }

        private let state = Mutex(State())

        func add(_ wake: @escaping @Sendable () -> Void, _ ended: @escaping @Sendable (FirestoreError) -> Void) -> Int {
            state.withLock { state in
                state.next += 1
                state.followers[state.next] = Follower(wake: wake, ended: ended)
                return state.next
            }
        }

        /// Returns whether no follower is left.
        func remove(_ number: Int) -> Bool {
            state.withLock { state in
                state.followers[number] = nil
                return state.followers.isEmpty
            }
        }

        func wake() {
            for follower in state.withLock({ Array($0.followers.values) }) { follower.wake() }
        }

        /// Calls every follower for the last time.
        func end(_ error: FirestoreError) {
            let all = state.withLock { state in
                defer { state.followers = [:] }
                return Array(state.followers.values)
            }
            for follower in all { follower.ended(error) }
        }

        /// Returns whether the caller has to look.
        func wait(_ waiter: Waiter) -> Bool {
            state.withLock { state in
                state.waiting.append(waiter)
                defer { state.isLooking = true }
                return !state.isLooking
            }
        }

        func takeWaiting() -> [Waiter] {
            state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
        }

        /// Whether a caller came in the meantime; otherwise looking is over.
        func hasWaiting() -> Bool {
            state.withLock { state in
                state.isLooking = !state.waiting.isEmpty
                return state.isLooking
            }
        }
    }
#endif
