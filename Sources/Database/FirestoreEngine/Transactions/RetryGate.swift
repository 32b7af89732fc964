// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Maintains the line of conflicting transactions: makes them wait for their turns, and wakes them (`RetryLine` decides).
final class RetryGate: Sendable {
    private struct State {
        var line: RetryLine
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var isTiming = false
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

    /// Call it before a transaction that retries an earlier one continues.
    func begin(_ id: TransactionID, retrying earlier: TransactionID) async {
        await wait(id) { $0.begin(id.number, retrying: earlier.number, now: $1) }
    }

    /// Call it before the first read of a transaction. Returns whether the transaction has a turn there.
    func read(_ id: TransactionID, at places: [DocumentKey]) async -> Bool {
        guard state.withLock({ !$0.line.isEmpty }) else { return false }
        await wait(id) { $0.read(id.number, at: places, now: $1) }
        return state.withLock { $0.line.hasTurn(id.number) }
    }

    /// Call it before every further read and before the commit.
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

    /// The transaction has ended; `place` is where it was aborted, if it was.
    func end(_ id: TransactionID, abortedAt place: String? = nil) {
        change { line, now in
            guard let place else { return line.leave(id.number, now: now) }
            return line.abort(id.number, at: DocumentKey(trusted: place), now: now)
        }
        // In case it was waiting.
        state.withLock { $0.waiting.removeValue(forKey: id.number) }?.resume()
    }

    private func wait(_ id: TransactionID, _ enter: (inout RetryLine, Int64) -> RetryLine.Entry) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (continues, startsTimer) = state.withLock { state -> (Bool, Bool) in
                    guard enter(&state.line, now()) == .wait else { return (true, false) }
                    state.waiting[id.number] = continuation
                    defer { state.isTiming = true }
                    return (false, !state.isTiming)
                }
                if continues { continuation.resume() }
                if startsTimer { startTimer() }
                // The handler may have run before.
                if Task.isCancelled { end(id) }
            }
        } onCancel: {
            end(id)
        }
    }

    private func change(_ body: (inout RetryLine, Int64) -> [UInt64]) {
        let continuations = state.withLock { state in
            body(&state.line, now()).compactMap { state.waiting.removeValue(forKey: $0) }
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
}

extension Write {
    /// The place that queries of the collection depend on.
    fileprivate var place: DocumentKey { DocumentKey(trusted: key.collection.path) }
}
