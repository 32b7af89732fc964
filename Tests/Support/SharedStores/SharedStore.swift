// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// One process's store of a shared database. Nothing is near: every snapshot, transaction and question is a round trip.
final class SharedStore: InspectableStore {
    private let database: SharedDatabase
    private let node: SharedNode
    private let generation: Int

    init(_ database: SharedDatabase, node: SharedNode) {
        self.database = database
        self.node = node
        generation = database.state.withLock { $0.generation }
    }

    /// Every operation waits for the server once.
    private func enter() throws(FirestoreError) -> SQLiteStore {
        node.count()
        guard database.state.withLock({ $0.generation }) == generation else { throw .historyEnded }
        return database.store
    }

    var traits: StoreTraits { StoreTraits(hasSeveralReaders: false) }
    var history: DatabaseHistory? { database.store.history }

    func lookupNow(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup? { nil }

    func lookup(_ keys: [DocumentKey]) async throws(FirestoreError) -> DocumentLookup {
        try await enter().lookup(keys)
    }

    func readNow<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R?) throws(FirestoreError) -> R? { nil }

    func read<R>(_ body: (any StoreSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try enter().read { (snapshot: any StoreSnapshot) throws(FirestoreError) in try body(snapshot) }
    }

    func startRead<R: Sendable>(
        _ body: @escaping @Sendable (any StoreSnapshot) throws(FirestoreError) -> R,
        completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void
    ) {
        do throws(FirestoreError) {
            try enter().startRead({ (snapshot: any StoreSnapshot) throws(FirestoreError) in try body(snapshot) }, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    func inspectConsistency() throws(FirestoreError) -> ConsistencyReport { try enter().inspectConsistency() }

    func inspect<R>(_ body: (any InspectableSnapshot) throws(FirestoreError) -> R) throws(FirestoreError) -> R { try enter().inspect(body) }

    func write<R>(
        _ needs: StoreNeeds, _ body: (any StoreTransaction) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> Written<R> {
        let written = try enter().write(needs, body)
        database.wakeAll()
        return written
    }

    func settle(_ time: DocumentVersion) async throws(FirestoreError) { _ = try enter() }

    func lease(_ name: String, for duration: Duration) throws(FirestoreError) -> Bool {
        database.state.withLock { state in
            let holder = state.leases[name] ?? ObjectIdentifier(node)
            state.leases[name] = holder
            return holder == ObjectIdentifier(node)
        }
    }

    var commitLog: (any CommitLog)? { SharedLog(database, node: node) }

    func close() throws(FirestoreError) {}
}

private final class SharedLog: CommitLog {
    private let database: SharedDatabase
    private let node: SharedNode

    init(_ database: SharedDatabase, node: SharedNode) {
        self.database = database
        self.node = node
    }

    func lastCommit() async throws(FirestoreError) -> DocumentVersion {
        node.count()
        return try await database.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in snapshot.readTime }
    }

    func commits(after time: DocumentVersion, limit: Int) throws(FirestoreError) -> LogStretch {
        node.count()
        if limit == 0 { database.cluster.beforeEnd.withLock({ $0 })?() }
        return try database.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            guard limit > 0 else { return LogStretch(commits: [], end: snapshot.readTime, isLast: true) }
            guard try snapshot.logFloor().microseconds <= time.microseconds + 1 else {
                throw FirestoreError(.outOfRange, "the log begins later")
            }
            var entries: [(time: DocumentVersion, key: DocumentKey, old: Document?)] = []
            try snapshot.changes(after: time) { time, key, old in entries.append((time, key, old)) }
            // The state after a change is the one before the next change of the document.
            var next: [DocumentKey: Document?] = [:]
            var commits: [(time: DocumentVersion, changes: [CommittedChange])] = []
            for entry in entries.reversed() {
                let new: Document?
                if let known = next[entry.key] { new = known } else { new = try snapshot.document(entry.key) }
                next[entry.key] = .some(entry.old)
                let change = CommittedChange(key: entry.key, old: entry.old, new: new)
                if commits.last?.time == entry.time {
                    commits[commits.count - 1].changes.insert(change, at: 0)
                } else {
                    commits.append((entry.time, [change]))
                }
            }
            let all = commits.reversed().map { CommittedChanges(time: $0.time, changes: $0.changes) }
            let some = Array(all.prefix(max(1, limit)))
            let isLast = some.count == all.count
            return LogStretch(commits: some, end: isLast ? snapshot.readTime : some.last?.time ?? time, isLast: isLast)
        }
    }

    func follow(
        _ wake: @escaping @Sendable () -> Void, ended: @escaping @Sendable (FirestoreError) -> Void
    ) -> any FollowHandle {
        let number = database.state.withLock { state in
            state.last += 1
            state.followers[state.last] = wake
            state.ends[state.last] = ended
            return state.last
        }
        return Following(database, number)
    }
}

private final class Following: FollowHandle {
    private let database: SharedDatabase
    private let number: Int

    init(_ database: SharedDatabase, _ number: Int) {
        self.database = database
        self.number = number
    }

    func stop() {
        database.state.withLock { state in
            state.followers[number] = nil
            state.ends[number] = nil
        }
    }
}
