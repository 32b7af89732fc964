// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// Commits that share one transaction, applied one after the other, each all or nothing (WR-14, WR-21).
struct CommitGroup {
    struct Outcome: Sendable {
        /// In the order of the commits.
        var results: [Result<CommitResponse, FirestoreError>]
        /// The commits that changed something.
        var commits: [CommittedChanges] = []
        /// The time of the last commit so far, of this group or an earlier one; `.none` if the group is lost.
        var time = DocumentVersion.none
        /// The sequences that have failed, with the number of a recorded failure, in order. Noted here, because a group begins
        /// anew when its transaction is run again.
        var failures: [(sequence: WriteSequence, number: Int64?)] = []
        /// The time of the last commit before the group.
        var previous = DocumentVersion.none
    }

    let commits: [PendingCommit]
    let isLate: [Bool]
    /// The wall clock.
    let now: Int64
    /// Commit times are later than this.
    let floor: DocumentVersion
    let indexes: KeptIndexes
    let sequences: SequenceRecorder
    /// For names in errors.
    let database: DatabaseID
    private(set) var outcome = Outcome(results: [])
    /// The number of changed documents.
    private(set) var written = 0
    /// Whether a part of a commit may have been stored without a savepoint.
    private(set) var isHalfStored = false

    /// Whether a failure may undo the whole transaction. A savepoint would cost a copy of each page that changes behind it.
    private var isOneCommit: Bool { commits.count == 1 && commits[0].sequence == nil }

    /// Notifies the sequences of their failures, once the group is stored.
    static func passOn(_ failures: [(sequence: WriteSequence, number: Int64?)]) {
        for (sequence, number) in failures {
            if let number { sequence.fail(recordedAt: number) } else { sequence.fail() }
        }
    }

    mutating func apply(in transaction: any StoreTransaction) throws(FirestoreError) {
        var last = transaction.lastCommitTime
        for (commit, isLate) in zip(commits, isLate) {
            do throws(FirestoreError) {
                if hasFailed(commit.sequence) { throw .earlierWriteFailed }
                if let earlier = try recorded(commit, in: transaction) {
                    outcome.results.append(earlier)
                    continue
                }
                if let rejection = commit.rejection { throw rejection }
                if isLate { throw FirestoreError.deadlineExceeded }
                // Strictly increasing, whatever the clock does (WR-18).
                let time = DocumentVersion(microseconds: max(now, max(last, floor).microseconds + 1))
                let application = CommitApplication(
                    commit.writes, at: time, after: last, in: transaction, database: database, catalog: indexes.catalog)
                for condition in commit.conditions { try condition.check(application) }
                // A commit without writes has no time (WR-19), except for a transaction, which reports when its reads were valid.
                guard !commit.writes.isEmpty else {
                    outcome.results.append(
                        .success(CommitResponse(commitTime: commit.endsTransaction ? last : .none, results: [])))
                    continue
                }
                outcome.results.append(.success(try store(application, at: commit.place, in: transaction)))
                last = time
            } catch {
                // The whole group is lost together with the transaction.
                if isHalfStored || transaction.isLost(after: error) { throw error }
                outcome.results.append(.failure(try fail(commit, error, in: transaction)))
            }
        }
        if last != transaction.lastCommitTime { try transaction.setLastCommitTime(last) }
        outcome.time = last
    }

    /// Stores the changes of a commit, all or nothing, together with the outcome needed to answer it again.
    private mutating func store(
        _ application: CommitApplication, at place: SequencePlace?, in transaction: any StoreTransaction
    ) throws(FirestoreError) -> CommitResponse {
        let response = CommitResponse(commitTime: application.time, results: try application.apply())
        let changes = application.changes
        guard !changes.isEmpty || place?.record != nil else { return response }
        let store = { [indexes, sequences, now] () throws(FirestoreError) in
            for change in changes {
                let place = try transaction.store(change, at: application.time)
                try indexes.keep(change, at: place, in: transaction)
            }
            return try sequences.store(.success(response), of: place, now: now, in: transaction)
        }
        isHalfStored = isOneCommit
        let kept = isOneCommit ? try store() : try transaction.savepoint(store)
        isHalfStored = false
        if !changes.isEmpty {
            written += changes.count
            outcome.commits.append(CommittedChanges(time: application.time, changes: changes))
        }
        try sequences.hold(kept, in: transaction)
        return response
    }

    // MARK: Sequences

    private func hasFailed(_ sequence: WriteSequence?) -> Bool {
        guard let sequence else { return false }
        return sequence.hasFailed || outcome.failures.contains { $0.sequence === sequence }
    }

    /// The answer of a commit that begins or resumes a recorded sequence, or that was answered before; nil for one to apply.
    private mutating func recorded(
        _ commit: PendingCommit, in transaction: any StoreTransaction
    ) throws(FirestoreError) -> Result<CommitResponse, FirestoreError>? {
        guard let place = commit.place, let record = place.record else { return nil }
        guard case .commit(let digest, _) = record.step else {
            if let rejection = commit.rejection { throw rejection }
            try sequences.open(place, record, now: now, in: transaction)
            return .success(CommitResponse(commitTime: .none, results: []))
        }
        let earlier = try sequences.outcome(of: place, record.owner, digest: digest, now: now, in: transaction)
        if case .failure? = earlier { outcome.failures.append((place.sequence, place.number)) }
        return earlier
    }

    /// Records the failure of a commit before the next one, which may be of the same sequence (LS-39). Returns the error to report.
    private mutating func fail(
        _ commit: PendingCommit, _ error: FirestoreError, in transaction: any StoreTransaction
    ) throws(FirestoreError) -> FirestoreError {
        if let sequence = commit.sequence { outcome.failures.append((sequence, nil)) }
        guard error.isFinalForSequence, let place = commit.place, place.record != nil else { return error }
        do throws(FirestoreError) {
            let kept = try transaction.savepoint { () throws(FirestoreError) in
                try sequences.store(.failure(error), of: place, now: now, in: transaction)
            }
            guard let kept else { return error }
            outcome.failures.append((place.sequence, place.number))
            try sequences.hold(kept, in: transaction)
            return error
        } catch {
            if transaction.isLost(after: error) { throw error }
            // A failure that is not recorded is not final: the commit is sent again.
            return error
        }
    }
}
