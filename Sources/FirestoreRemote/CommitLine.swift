#if Remote
import Dispatch
import FirestoreCore
import FirestoreWire

/// Sends commits one after the other: the next one when the one before is answered.
///
/// Any server then applies them in call order, and one that fails takes no other along. (A Write stream would spare the
/// round trip between two commits and no more: a server makes each batch durable before it begins the next, and after a
/// failure everything behind has to be sent again. It does not take transactions. Calls of different sessions do go out
/// together.)
final class CommitLine: Sendable {
    struct Commit: Sendable {
        let writes: [Write]
        let transaction: TransactionID?
        let deadline: ContinuousClock.Instant?
        /// Waits in line only so that answers come in the order of the calls.
        let refusal: FirestoreError?
        let completion: @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    }

    private struct State {
        var waiting: [Commit] = []
        var isSending = false
        var accepted: UInt64 = 0
        var finished: UInt64 = 0
        /// In the order of `after`.
        var barriers: [(after: UInt64, wake: @Sendable () -> Void)] = []
        var blocked: [DispatchSemaphore] = []
    }

    private let connection: RemoteConnection
    private let transactions: RemoteTransactions
    private let state = Mutex(State())
    /// Beyond that `submit` blocks.
    private static let most = 4_096

    init(_ connection: RemoteConnection, _ transactions: RemoteTransactions) {
        self.connection = connection
        self.transactions = transactions
    }

    func submit(_ commit: Commit) {
        while true {
            let semaphore = DispatchSemaphore(value: 0)
            let (isAccepted, isFirst) = state.withLock { state -> (Bool, Bool) in
                guard state.waiting.count < Self.most else {
                    state.blocked.append(semaphore)
                    return (false, false)
                }
                state.waiting.append(commit)
                state.accepted += 1
                defer { state.isSending = true }
                return (true, !state.isSending)
            }
            if isFirst { Task { await sendAll() } }
            if isAccepted { return }
            semaphore.wait()
        }
    }

    /// Calls back when everything submitted before is answered; at once if it is.
    func afterPendingCommits(_ body: @escaping @Sendable () -> Void) {
        let isWaiting = state.withLock { state in
            guard state.accepted > state.finished else { return false }
            state.barriers.append((state.accepted, body))
            return true
        }
        if !isWaiting { body() }
    }

    func pendingCommits() async {
        await withCheckedContinuation { continuation in afterPendingCommits { continuation.resume() } }
    }

    private func sendAll() async {
        while true {
            let (batch, room) = state.withLock { state in
                let batch = state.waiting
                state.waiting = []
                if batch.isEmpty { state.isSending = false }
                defer { state.blocked = [] }
                return (batch, state.blocked)
            }
            for semaphore in room { semaphore.signal() }
            if batch.isEmpty { return }
            for commit in batch {
                commit.completion(await send(commit))
                let due = state.withLock { state in
                    state.finished += 1
                    let due = state.barriers.prefix { $0.after <= state.finished }
                    state.barriers.removeFirst(due.count)
                    return due.map(\.wake)
                }
                for wake in due { wake() }
            }
        }
    }

    private func send(_ commit: Commit) async -> Result<CommitResponse, FirestoreError> {
        do throws(FirestoreError) {
            if let refusal = commit.refusal { throw refusal }
            let token = try commit.transaction.map { id throws(FirestoreError) in try transactions.token(of: id) }
            let request = CommitRequest(database: connection.database, writes: commit.writes, transaction: token)
            let message: CommitMessage = try await connection.unary(.commit, request, commit.deadline)
            return .success(CommitResponse(commitTime: message.commitTime ?? .none, results: message.results))
        } catch {
            return .failure(error)
        }
    }
}
#endif
