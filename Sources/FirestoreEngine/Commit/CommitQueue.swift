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
struct CommitQueue {
    enum Admission: Equatable {
        case accepted(startCommitter: Bool)
        /// Wait for room and try again.
        case full
        case closed
    }

    enum Step {
        case commit([PendingCommit], roomFor: [DispatchSemaphore])
        case rest
    }

    let limits: CommitQueueLimits
    private var waiting: [PendingCommit] = []
    private var waitingBytes = 0
    private var isCommitting = false
    private var isClosed = false
    /// Commits ever accepted, and how many of them are over.
    private(set) var accepted: UInt64 = 0
    private var finished: UInt64 = 0
    private var barriers: [(after: UInt64, wake: @Sendable () -> Void)] = []
    private var blocked: [DispatchSemaphore] = []

    init(limits: CommitQueueLimits) { self.limits = limits }

    /// `mayWait` is false on threads that make the room themselves.
    mutating func admit(_ commit: PendingCommit, mayWait: Bool) -> Admission {
        if isClosed { return .closed }
        let weight = commit.weight
        // Whatever its size, a commit enters an empty line.
        let isFull = waiting.count >= limits.commits || waitingBytes + weight > limits.bytes
        if mayWait, isFull, !waiting.isEmpty { return .full }
        waiting.append(commit)
        waitingBytes += weight
        accepted += 1
        defer { isCommitting = true }
        return .accepted(startCommitter: !isCommitting)
    }

    mutating func block(_ semaphore: DispatchSemaphore) { blocked.append(semaphore) }

    /// Everything that waits is the next group, or the beginning of it that is not too large for one transaction.
    mutating func next() -> Step {
        guard !waiting.isEmpty else {
            isCommitting = false
            return .rest
        }
        var group: [PendingCommit] = []
        if waitingBytes <= limits.groupBytes {
            swap(&group, &waiting)
            waitingBytes = 0
        } else {
            var (count, bytes) = (0, 0)
            while count < waiting.count, count == 0 || bytes + waiting[count].weight <= limits.groupBytes {
                bytes += waiting[count].weight
                count += 1
            }
            group = Array(waiting.prefix(count))
            waiting.removeFirst(count)
            waitingBytes -= bytes
        }
        defer { blocked = [] }
        return .commit(group, roomFor: blocked)
    }

    /// Returns who waited for these commits.
    mutating func finish(_ count: Int) -> [@Sendable () -> Void] {
        finished += UInt64(count)
        guard let first = barriers.first, first.after <= finished else { return [] }
        let due = barriers.prefix { $0.after <= finished }
        barriers.removeFirst(due.count)
        return due.map(\.wake)
    }

    var waitingCount: Int { waiting.count }

    var isIdle: Bool { accepted == finished }

    /// Calls back once all that is accepted now is over, or the first `ticket` that ever were; false if it already is
    /// and nobody will call.
    mutating func wait(for ticket: UInt64? = nil, _ wake: @escaping @Sendable () -> Void) -> Bool {
        let last = ticket ?? accepted
        guard last > finished else { return false }
        let place = barriers.lastIndex { $0.after <= last }.map { $0 + 1 } ?? 0
        barriers.insert((last, wake), at: place)
        return true
    }

    mutating func close() -> [DispatchSemaphore] {
        isClosed = true
        defer { blocked = [] }
        return blocked
    }
}
