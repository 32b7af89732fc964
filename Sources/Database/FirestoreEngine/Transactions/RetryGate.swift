// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreSemantics

/// Maintains the line of conflicting transactions: makes them wait for their turns, and wakes them (`RetryLine` decides).
final class RetryGate: Sendable {
    private struct State {
        var line: RetryLine
        /// A transaction that reads several places simultaneously waits with each of its reads.
        var waiting: [UInt64: [CheckedContinuation<Void, Never>]] = [:]
        var isTiming = false
    }

    enum Turn: Sendable {
        case none
        case had
        /// It begins now: what the transaction has read before may have changed.
        case begun
    }

    private static let tick = DispatchTimeInterval.milliseconds(100)
    private let state: Mutex<State>
    private let now: @Sendable () -> Int64

    /// `now`: microseconds of a clock that never goes back.
    init(
        limits: RetryLine.Limits = RetryLine.Limits(),
        now: @escaping @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }
    ) {
        state = Mutex(State(line: RetryLine(limits: limits)))
        self.now = now
    }

    /// Whether a transaction waits.
    var hasWaiting: Bool { state.withLock { $0.line.hasWaiting } }

    /// Whether no transaction waits, has a turn or is to take one.
    var isEmpty: Bool { state.withLock { $0.line.isEmpty } }

    /// Call it before a transaction that retries an earlier one continues.
    func begin(_ id: TransactionID, retrying earlier: TransactionID, of owner: SequenceOwner) async {
        _ = await wait(id) { $0.begin(id.number, retrying: earlier.number, of: owner, now: $1) }
    }

    /// Call it before every read of a transaction. Returns whether the transaction has a turn there.
    func read(_ id: TransactionID, at places: [DocumentKey]) async -> Turn {
        let entry = await wait(id) { $0.read(id.number, at: places, now: $1) }
        guard state.withLock({ $0.line.hasTurn(id.number) }) else { return .none }
        return entry == .goOn ? .had : .begun
    }

    /// Call it before the commit, and before reads that do not wait.
    func use(_ id: TransactionID) {
        state.withLock { state in if !state.line.isEmpty { state.line.use(id.number, now: now()) } }
    }

    /// A place where the commit of a transaction would violate another one's turn.
    func conflict(of id: TransactionID, _ reads: [DocumentKey], _ writes: [Write]) -> DocumentKey? {
        state.withLock { state in
            guard !state.line.isEmpty else { return nil }
            return state.line.conflict(of: id.number, at: reads, now: now())
                ?? state.line.conflict(of: id.number, at: writes.lazy.map(\.place), now: now())
        }
    }

    /// The transaction has ended.
    func end(_ id: TransactionID) {
        change { line, now in line.leave(id.number, now: now) }
        resume(id)
    }

    /// The transaction was aborted at places.
    func end(_ id: TransactionID, of owner: SequenceOwner, abortedAt places: [DocumentKey]) {
        change { line, now in line.abort(id.number, of: owner, at: places, now: now) }
        resume(id)
    }

    /// In case it was waiting.
    private func resume(_ id: TransactionID) {
        let continuations = state.withLock { $0.waiting.removeValue(forKey: id.number) }
        for continuation in continuations ?? [] { continuation.resume() }
    }

    private func wait(_ id: TransactionID, _ enter: (inout RetryLine, Int64) -> RetryLine.Entry) async -> RetryLine.Entry {
        var entry = RetryLine.Entry.goOn
        // What the calls of other transactions may need meanwhile.
        let room = CurrentCallRoom.value
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (startsTimer, freed) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    entry = enter(&state.line, now())
                    let freed = state.line.takeFreed().flatMap { state.waiting.removeValue(forKey: $0) ?? [] }
                    guard entry == .wait else { return (false, freed + [continuation]) }
                    room?.giveBack()
                    state.waiting[id.number, default: []].append(continuation)
                    defer { state.isTiming = true }
                    return (!state.isTiming, freed)
                }
                for continuation in freed { continuation.resume() }
                if startsTimer { startTimer() }
                // The handler may have run before.
                if Task.isCancelled { end(id) }
            }
        } onCancel: {
            end(id)
        }
        if entry == .wait { await room?.takeAgain() }
        return entry
    }

    private func change(_ body: (inout RetryLine, Int64) -> [UInt64]) {
        let continuations = state.withLock { state in
            body(&state.line, now()).flatMap { state.waiting.removeValue(forKey: $0) ?? [] }
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Runs while a transaction waits.
    private func startTimer() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.tick) { [weak self] in
            guard let self else { return }
            change { line, now in line.sweep(now: now) }
            let continues = state.withLock { state in
                state.isTiming = state.line.hasWaiting
                return state.isTiming
            }
            if continues { startTimer() }
        }
    }
}

extension TransactionReads {
    /// The places it has read, as the line names them.
    var places: [DocumentKey] { Array(versions.keys) + queries.map { DocumentKey(trusted: $0.scope.place) } }

    /// Where the next attempt takes its turn after an abort at a place: there, and wherever else it comes across the same documents.
    /// Otherwise others would begin with a query for a document whose turn they find out about too late.
    func places(at place: String) -> [DocumentKey] {
        let key = DocumentKey(trusted: place)
        var places = [key]
        if versions[key] != nil {
            for query in queries where query.scope.contains(key) { places.append(DocumentKey(trusted: query.scope.place)) }
        }
        for query in queries where equalUTF8(query.scope.place, place) {
            for document in versions.keys where query.scope.contains(document) { places.append(document) }
        }
        return places
    }
}

extension Write {
    /// The place that queries of the collection depend on.
    fileprivate var place: DocumentKey { DocumentKey(trusted: key.collection.path) }
}
