import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// What one commit did: the input of every watch.
struct CommittedChanges: Sendable {
    let time: DocumentVersion
    /// One per document that is different now, in the order of the writes.
    let changes: [CommittedChange]
}

/// Commits that share one transaction, applied one after the other, each all or nothing (WR-14, WR-21).
struct CommitGroup {
    struct Outcome: Sendable {
        /// In the order of the commits.
        var results: [Result<CommitResponse, FirestoreError>]
        /// Those that changed something.
        var commits: [CommittedChanges] = []
        /// Of the last commit so far, this group's or an earlier one's; `.none` if the group is lost.
        var time = DocumentVersion.none
    }

    let commits: [PendingCommit]
    let isLate: [Bool]
    /// The wall clock.
    let now: Int64
    /// Commit times lie behind it.
    let floor: DocumentVersion
    let indexes: KeptIndexes
    /// For names in errors.
    let database: DatabaseID
    private(set) var outcome = Outcome(results: [])
    /// Documents changed.
    private(set) var written = 0

    init(
        commits: [PendingCommit], isLate: [Bool], now: Int64, floor: DocumentVersion, indexes: KeptIndexes,
        database: DatabaseID
    ) {
        self.commits = commits
        self.isLate = isLate
        self.now = now
        self.floor = floor
        self.indexes = indexes
        self.database = database
    }

    mutating func apply(in transaction: WriteTransaction) throws(FirestoreError) {
        var last = transaction.lastCommitTime
        for (commit, isLate) in zip(commits, isLate) {
            do throws(FirestoreError) {
                if commit.sequence?.hasFailed == true { throw .earlierWriteFailed }
                if let refusal = commit.refusal { throw refusal }
                if isLate { throw FirestoreError.deadlineExceeded }
                try commit.reads?.validate(in: transaction, last: last)
                // Without writes there is nothing to time (WR-19); a transaction learns when its reads held.
                guard !commit.writes.isEmpty else {
                    outcome.results.append(
                        .success(CommitResponse(commitTime: commit.reads == nil ? .none : last, results: [])))
                    continue
                }
                // Strictly increasing, whatever the clock does (WR-18).
                let time = DocumentVersion(microseconds: max(now, max(last, floor).microseconds + 1))
                outcome.results.append(.success(try apply(commit.writes, at: time, in: transaction)))
                last = time
            } catch {
                // With the transaction the whole group is lost.
                if transaction.isLost(after: error) { throw error }
                // Known to the next commit already, which may be of the same sequence (LS-39).
                commit.sequence?.fail()
                outcome.results.append(.failure(error))
            }
        }
        if last != transaction.lastCommitTime { try transaction.setLastCommitTime(last) }
        outcome.time = last
    }

    private mutating func apply(
        _ writes: [Write], at time: DocumentVersion, in transaction: WriteTransaction
    ) throws(FirestoreError) -> CommitResponse {
        let times = CommitTimes(commitTime: time)
        var documents = CommitDocuments(transaction)
        var results: [WriteResult] = []
        results.reserveCapacity(writes.count)
        for write in writes {
            let applied = try WriteApplication.apply(write, to: documents.read(write.key), at: times, in: database)
            documents[write.key] = applied.document
            results.append(applied.result)
        }
        if documents.hasRepeated { documents.keepTimesOfUnchanged(in: &results, of: writes) }
        let changes = documents.changes
        if !changes.isEmpty {
            try transaction.savepoint { () throws(FirestoreError) in
                for change in changes {
                    let place = try transaction.store(change, at: time)
                    try indexes.keep(change, at: place, in: transaction)
                }
            }
            written += changes.count
            outcome.commits.append(CommittedChanges(time: time, changes: changes))
        }
        return CommitResponse(commitTime: time, results: results)
    }
}

/// The documents of one commit: later writes see what earlier ones did (WR-13), the database does not yet.
private struct CommitDocuments {
    private struct Entry {
        let key: DocumentKey
        let original: Document?
        var current: Document?
    }

    private let transaction: WriteTransaction
    private var entries: [Entry] = []
    private var indices: [DocumentKey: Int] = [:]

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    mutating func read(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        if let index = indices[key] {
            hasRepeated = true
            return entries[index].current
        }
        let document = try transaction.document(key)
        indices[key] = entries.count
        entries.append(Entry(key: key, original: document, current: document))
        return document
    }

    /// Only for keys that were read.
    subscript(key: DocumentKey) -> Document? {
        get { indices[key].flatMap { entries[$0].current } }
        set { if let index = indices[key] { entries[index].current = newValue } }
    }

    /// Whether a document was written more than once.
    private(set) var hasRepeated = false

    /// What ends as it began has not changed, whatever lay in between (WR-22), unless it was deleted in between (WR-17);
    /// then all its writes report the time it had.
    mutating func keepTimesOfUnchanged(in results: inout [WriteResult], of writes: [Write]) {
        for (index, write) in writes.enumerated() {
            guard let place = indices[write.key], let original = entries[place].original, let current = entries[place].current,
                original.fields == current.fields, original.createTime == current.createTime
            else { continue }
            entries[place].current = original
            if results[index].updateTime != nil { results[index].updateTime = original.updateTime }
        }
    }

    /// What is different in the end; a write that changed nothing is nothing to anybody (WR-22).
    var changes: [CommittedChange] {
        entries.compactMap { entry in
            entry.original == entry.current
                ? nil : CommittedChange(key: entry.key, old: entry.original, new: entry.current)
        }
    }
}
