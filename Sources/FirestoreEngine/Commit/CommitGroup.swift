// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// The changes of one commit: the input of every watch.
struct CommittedChanges: Sendable {
    let time: DocumentVersion
    /// One per changed document, in the order of the writes.
    let changes: [CommittedChange]
}

/// Commits that share one transaction, applied one after the other, each all or nothing (WR-14, WR-21).
struct CommitGroup {
    struct Outcome: Sendable {
        /// In the order of the commits.
        var results: [Result<CommitResponse, FirestoreError>]
        /// The commits that changed something.
        var commits: [CommittedChanges] = []
        /// The time of the last commit so far, of this group or an earlier one; `.none` if the group is lost.
        var time = DocumentVersion.none
    }

    let commits: [PendingCommit]
    let isLate: [Bool]
    /// The wall clock.
    let now: Int64
    /// Commit times are later than this.
    let floor: DocumentVersion
    let indexes: KeptIndexes
    /// For names in errors.
    let database: DatabaseID
    private(set) var outcome = Outcome(results: [])
    /// The number of changed documents.
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
                // Strictly increasing, whatever the clock does (WR-18).
                let time = DocumentVersion(microseconds: max(now, max(last, floor).microseconds + 1))
                let application = CommitApplication(commit.writes, at: time, after: last, in: transaction, database: database)
                for condition in commit.conditions { try condition.check(application) }
                // A commit without writes has no time (WR-19), except for a transaction, which reports when its reads were valid.
                guard !commit.writes.isEmpty else {
                    outcome.results.append(
                        .success(CommitResponse(commitTime: commit.endsTransaction ? last : .none, results: [])))
                    continue
                }
                outcome.results.append(.success(try store(application, in: transaction)))
                last = time
            } catch {
                // The whole group is lost together with the transaction.
                if transaction.isLost(after: error) { throw error }
                // Recorded before the next commit, which may be of the same sequence (LS-39).
                commit.sequence?.fail()
                outcome.results.append(.failure(error))
            }
        }
        if last != transaction.lastCommitTime { try transaction.setLastCommitTime(last) }
        outcome.time = last
    }

    /// Stores the changes of a commit, all or nothing.
    private mutating func store(
        _ application: CommitApplication, in transaction: WriteTransaction
    ) throws(FirestoreError) -> CommitResponse {
        let results = try application.apply()
        let changes = application.changes
        if !changes.isEmpty {
            try transaction.savepoint { () throws(FirestoreError) in
                for change in changes {
                    let place = try transaction.store(change, at: application.time)
                    try indexes.keep(change, at: place, in: transaction)
                }
            }
            written += changes.count
            outcome.commits.append(CommittedChanges(time: application.time, changes: changes))
        }
        return CommitResponse(commitTime: application.time, results: results)
    }
}
