// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import HearthBase

/// A pending commit: its writes and its completion.
struct PendingCommit: Sendable {
    let writes: [Write]
    /// The conditions of the commit, in the order in which they are checked: the caller's, then those of its transaction.
    var conditions: [any CommitCondition] = []
    /// A commit without writes has a time only if it ends a transaction.
    var endsTransaction = false
    let deadline: ContinuousClock.Instant?
    /// The error of a commit that was already rejected; it waits in line only so that completions keep the order of the calls.
    let rejection: FirestoreError?
    /// The commit fails if an earlier commit of its sequence has failed.
    var place: SequencePlace?
    let completion: @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    /// When it was submitted.
    let submitted = DispatchTime.now()

    var sequence: WriteSequence? { place?.sequence }

    /// The approximate memory it holds, in bytes.
    var weight: Int {
        guard rejection == nil else { return 64 }
        var bytes = conditions.reduce(64) { $0 + $1.weight }
        for write in writes {
            bytes += 128 + write.key.path.utf8.count + write.transforms.count * 128
            switch write.operation {
            case .set(let fields), .patch(let fields, _): bytes += fields.bytes.count
            case .delete, .verify: break
            }
        }
        return bytes
    }
}

/// The queue in front of the committer: which commits may enter, which are next, and what waits for them. Decides only;
/// its owner acts.
///
/// A commit takes room while it waits; commits of the group being written take none.
struct CommitQueue {
    enum Admission: Equatable {
        case accepted(startCommitter: Bool)
        /// Wait for room and try again.
        case full
        case closed
    }

    enum Step {
        case commit([PendingCommit], roomFor: [AdmissionLine.Wake])
        case rest
    }

    let limits: CommitQueueLimits
    private var line: AdmissionLine
    private var waiting: [PendingCommit] = []
    private var isCommitting = false

    init(limits: CommitQueueLimits) {
        self.limits = limits
        line = AdmissionLine(mostElements: limits.commits, mostWeight: limits.bytes)
    }

    /// `mayWait` is false on threads that make the room themselves.
    mutating func admit(_ commit: PendingCommit, mayWait: Bool) -> Admission {
        switch line.admit(weight: commit.weight, mayWait: mayWait) {
        case .accepted: break
        case .full: return .full
        case .closed: return .closed
        }
        waiting.append(commit)
        defer { isCommitting = true }
        return .accepted(startCommitter: !isCommitting)
    }

    /// Admits commits of the database itself, all or none, so that they come into one group. nil if others wait and go before them.
    mutating func admit(_ commits: [PendingCommit], yields: Bool) -> Admission? {
        guard !yields || waiting.isEmpty else { return nil }
        for commit in commits {
            guard case .accepted = line.admit(weight: commit.weight, mayWait: false) else { return .closed }
            waiting.append(commit)
        }
        defer { isCommitting = true }
        return .accepted(startCommitter: !isCommitting)
    }

    mutating func block(_ semaphore: DispatchSemaphore) { line.block { semaphore.signal() } }

    /// The next group: everything that waits, or as much from the front as fits into one transaction.
    mutating func next() -> Step {
        guard !waiting.isEmpty else {
            isCommitting = false
            return .rest
        }
        var group: [PendingCommit] = []
        var bytes = line.weight
        if bytes <= limits.groupBytes {
            swap(&group, &waiting)
        } else {
            var count = 0
            bytes = 0
            while count < waiting.count, count == 0 || bytes + waiting[count].weight <= limits.groupBytes {
                bytes += waiting[count].weight
                count += 1
            }
            group = Array(waiting.prefix(count))
            waiting.removeFirst(count)
        }
        return .commit(group, roomFor: line.leave(group.count, weight: bytes))
    }

    /// Returns the callers that waited for these commits.
    mutating func finish(_ count: Int) -> [AdmissionLine.Wake] { line.finishNext(count) }

    /// The number of commits ever accepted: the place of the last one.
    var accepted: UInt64 { line.accepted }

    var waitingCount: Int { waiting.count }

    var isIdle: Bool { line.isIdle }

    /// Calls back once everything accepted by now is finished, or the first `place` commits ever accepted. Returns false, and does
    /// not call back, if they already are.
    mutating func wait(for place: UInt64? = nil, _ wake: @escaping AdmissionLine.Wake) -> Bool { line.wait(for: place, wake) }

    mutating func close() -> [AdmissionLine.Wake] { line.close() }
}
