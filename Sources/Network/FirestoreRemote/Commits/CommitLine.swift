// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import HearthBase

/// The commits of one session, in the order of the calls. `WritePipeline` decides what is sent when; this type acts.
///
/// A caller that waits for each commit before the next uses plain Commit calls. When more than one commit waits, a Write stream
/// is opened, on which commits are sent ahead of the answers. Commits of transactions are not queued: where transactions take
/// locks, a commit in front of them might be waiting for those. Everything runs on one queue, including completions.
final class CommitLine: Sendable {
    struct Commit: Sendable {
        let writes: [Write]
        let transaction: TransactionID?
        let deadline: ContinuousClock.Instant?
        /// Set if the commit was rejected; it waits in line only so that completions keep the order of the calls.
        let rejection: FirestoreError?
        /// Assigned when it is submitted.
        var ticket: UInt64 = 0
        let completion: @Sendable (Result<CommitResponse, FirestoreError>) -> Void

        /// A stream has one deadline for all its commits; a message without writes would end it (LS-38).
        var carrier: WritePipeline<Commit>.Carrier {
            rejection == nil && deadline == nil && !writes.isEmpty ? .stream : .call
        }
    }

    private enum Event: Sendable {
        case submit(Commit)
        case callEnded(Result<CommitResponse, FirestoreError>)
        /// A commit that was not queued has ended.
        case transactionEnded(Commit, Result<CommitResponse, FirestoreError>)
        case resumed
        case received(WriteCall, WriteCall.Event)
        case rested
        /// The timer of this stream has fired.
        case lookAround(WriteCall)
        case shutDown
    }

    /// State shared with other threads.
    private struct Desk {
        var events: [Event] = []
        var isBusy = false
        /// Commits take room until they are answered, including those of transactions, which finish out of order. It is never closed.
        var admission = AdmissionLine(mostElements: CommitLine.mostCommits, mostWeight: CommitLine.mostBytes)
    }

    /// Accessed on the queue only.
    private struct Work {
        var pipeline: WritePipeline<Commit>
        var call: WriteCall?
        var token = ByteSlice.empty
    }

    private let connection: RemoteConnection
    private let transactions: RemoteTransactions
    private let desk = Mutex(Desk())
    private let work: Mutex<Work>
    private let queue = DispatchQueue(label: "hearth.remote.commits", qos: .userInitiated)
    private static let isQueue = DispatchSpecificKey<ObjectIdentifier>()
    /// Above this, `submit` blocks.
    private static let mostCommits = 4_096
    private static let mostBytes = 64 << 20

    init(_ connection: RemoteConnection, _ transactions: RemoteTransactions) {
        self.connection = connection
        self.transactions = transactions
        work = Mutex(Work(pipeline: WritePipeline(connection.writeAhead)))
        queue.setSpecific(key: Self.isQueue, value: ObjectIdentifier(self))
    }

    // MARK: From any thread

    /// Blocks while too many commits wait, except in a completion of this line, which would wait for itself.
    func submit(_ commit: Commit) {
        let mayWait = DispatchQueue.getSpecific(key: Self.isQueue) != ObjectIdentifier(self)
        let weight = commit.weight
        while true {
            let semaphore = DispatchSemaphore(value: 0)
            let (admitted, starts) = desk.withLock { desk -> (Commit?, Bool) in
                guard case .accepted(let ticket) = desk.admission.admit(weight: weight, mayWait: mayWait) else {
                    desk.admission.block { semaphore.signal() }
                    return (nil, false)
                }
                var commit = commit
                commit.ticket = ticket
                guard commit.transaction == nil else { return (commit, false) }
                return (commit, Self.put(.submit(commit), on: &desk))
            }
            if starts { queue.async { self.workOff() } }
            guard let admitted else {
                semaphore.wait()
                continue
            }
            if admitted.transaction != nil { Task { post(.transactionEnded(admitted, await call(admitted))) } }
            return
        }
    }

    /// Calls back when everything submitted before is answered; immediately if it already is.
    func afterPendingCommits(_ body: @escaping @Sendable () -> Void) {
        if !desk.withLock({ $0.admission.wait(body) }) { body() }
    }

    func pendingCommits() async {
        await withCheckedContinuation { continuation in afterPendingCommits { continuation.resume() } }
    }

    /// Closes the stream. Call it once nothing is pending.
    func shutDown() { post(.shutDown) }

    private func post(_ event: Event) {
        if desk.withLock({ Self.put(event, on: &$0) }) { queue.async { self.workOff() } }
    }

    /// Returns true if the queue must be notified.
    private static func put(_ event: Event, on desk: inout Desk) -> Bool {
        desk.events.append(event)
        defer { desk.isBusy = true }
        return !desk.isBusy
    }

    // MARK: On the queue

    private func workOff() {
        while true {
            let events = desk.withLock { desk in
                if desk.events.isEmpty { desk.isBusy = false }
                defer { desk.events = [] }
                return desk.events
            }
            if events.isEmpty { return }
            for event in events { handle(event) }
        }
    }

    private func handle(_ event: Event) {
        switch event {
        case .submit(let commit):
            let bytes = commit.weight
            act { $0.pipeline.submit(commit, bytes: bytes, by: commit.carrier) }
        case .callEnded(let result):
            let error = if case .failure(let error) = result { error } else { FirestoreError?.none }
            act(on: result) { $0.pipeline.callEnded(error) }
        case .transactionEnded(let commit, let result): finish(commit, result)
        case .resumed: act { $0.pipeline.resumed() }
        case .received(let call, let event): receive(event, on: call)
        case .rested: act { $0.pipeline.rested() }
        case .lookAround(let call): act { $0.call === call ? $0.pipeline.lookedAround() : [] }
        case .shutDown: act { $0.pipeline.shutDown() }
        }
    }

    private func receive(_ event: WriteCall.Event, on call: WriteCall) {
        guard work.withLock({ $0.call === call }) else { return }
        switch event {
        case .ended(let status):
            work.withLock { $0.call = nil }
            act { $0.pipeline.ended(status.map { FirestoreError($0) }) }
        case .message(let message):
            do throws(FirestoreError) {
                let response = try WriteResponse(decoding: message)
                let isGreeting = work.withLock { work in
                    work.token = response.streamToken
                    return work.pipeline.isOpening
                }
                if isGreeting { return act { $0.pipeline.opened() } }
                let answer = CommitResponse(commitTime: response.commitTime ?? .none, results: response.results)
                act(on: .success(answer)) { $0.pipeline.answered() }
            } catch {
                // Later messages cannot be trusted.
                let reason = FirestoreError(.unavailable, "an answer of the write stream cannot be read (\(error.message))")
                act { [.cancel] + $0.pipeline.ended(reason) }
            }
        }
    }

    /// Asks the pipeline and does what it says. `answer`: the answer just received.
    private func act(
        on answer: Result<CommitResponse, FirestoreError>? = nil, _ decide: (inout Work) -> [WritePipeline<Commit>.Effect]
    ) {
        for effect in work.withLock({ decide(&$0) }) {
            switch effect {
            case .open: open()
            case .send(let commit): send(commit)
            case .call(let commit): Task { post(.callEnded(await self.call(commit))) }
            case .finish(let commit):
                finish(commit, answer ?? .failure(FirestoreError(.internal, "a commit ended without an answer")))
            case .fail(let commit, let error): finish(commit, .failure(error))
            case .rest(let failures, let code): wait(connection.backoff.delay(afterFailures: failures, because: code), then: .rested)
            case .pause(let failures): wait(connection.backoff.delay(afterFailures: failures), then: .resumed)
            case .lookAround: lookAround()
            case .close:
                let (call, token) = leave()
                call?.close(connection.database, token)
            case .cancel: leave().0?.cancel()
            }
        }
    }

    private func finish(_ commit: Commit, _ result: Result<CommitResponse, FirestoreError>) {
        commit.completion(result)
        let weight = commit.weight
        let wakes = desk.withLock { $0.admission.finish(commit.ticket) + $0.admission.leave(weight: weight) }
        for wake in wakes { wake() }
    }

    // MARK: The stream

    private func open() {
        let call = WriteCall { [weak self] call, event in self?.post(.received(call, event)) }
        work.withLock { work in
            work.call = call
            work.token = .empty
        }
        call.open(connection)
        call.send(WriteRequest(database: connection.database))
    }

    private func send(_ commit: Commit) {
        let (call, token) = work.withLock { ($0.call, $0.token) }
        call?.send(WriteRequest(database: connection.database, streamToken: token, writes: commit.writes))
    }

    /// Its further messages are ignored.
    private func leave() -> (WriteCall?, ByteSlice) {
        work.withLock { work in
            defer { work.call = nil }
            return (work.call, work.token)
        }
    }

    private func wait(_ delay: Duration, then event: Event) {
        Task { [weak self, backoff = connection.backoff] in
            await backoff.sleep(delay)
            self?.post(event)
        }
    }

    /// At most one timer per stream, however much happens on it.
    private func lookAround() {
        guard let call = work.withLock({ $0.call }) else { return }
        Task { [weak self, weak call, ahead = connection.writeAhead] in
            await ahead.sleep(ahead.idle)
            if let call { self?.post(.lookAround(call)) }
        }
    }

    // MARK: Calls of their own

    private func call(_ commit: Commit) async -> Result<CommitResponse, FirestoreError> {
        do throws(FirestoreError) {
            if let rejection = commit.rejection { throw rejection }
            let token = try commit.transaction.map { id throws(FirestoreError) in try transactions.token(of: id) }
            let request = CommitRequest(database: connection.database, writes: commit.writes, transaction: token)
            let message: CommitMessage = try await connection.unary(.commit, request, commit.deadline)
            return .success(CommitResponse(commitTime: message.commitTime ?? .none, results: message.results))
        } catch {
            return .failure(error)
        }
    }
}

extension CommitLine.Commit {
    /// The approximate memory it takes, here and on the wire.
    fileprivate var weight: Int { writes.messageSize }
}
