// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// A commit on its way: what to write and whom to tell.
struct PendingCommit: Sendable {
    let writes: [Write]
    /// What must hold: first of all, for the commit of a transaction, what it has read.
    var conditions: [any CommitCondition] = []
    /// A commit without writes has a time only if it ends a transaction.
    var endsTransaction = false
    let deadline: ContinuousClock.Instant?
    /// Already refused; waits in line only so that answers come in the order of the calls.
    let refusal: FirestoreError?
    /// Fails if an earlier commit of it has failed.
    var sequence: WriteSequence?
    let completion: @Sendable (Result<CommitResponse, FirestoreError>) -> Void

    /// About the memory it holds.
    var weight: Int {
        guard refusal == nil else { return 64 }
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

/// The line before the committer: who may enter, what goes next, who waits for what. Decides; others do.
///
/// A commit takes room while it waits; the group that is being written takes none.
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

    mutating func block(_ semaphore: DispatchSemaphore) { line.block { semaphore.signal() } }

    /// Everything that waits is the next group, or the beginning of it that is not too large for one transaction.
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

    /// Returns who waited for these commits.
    mutating func finish(_ count: Int) -> [AdmissionLine.Wake] { line.finishNext(count) }

    /// Commits ever accepted: the place of the last one.
    var accepted: UInt64 { line.accepted }

    var waitingCount: Int { waiting.count }

    var isIdle: Bool { line.isIdle }

    /// Calls back once all that is accepted now is over, or the first `place` that ever were; false if it already is
    /// and nobody will call.
    mutating func wait(for place: UInt64? = nil, _ wake: @escaping AdmissionLine.Wake) -> Bool { line.wait(for: place, wake) }

    mutating func close() -> [AdmissionLine.Wake] { line.close() }
}
