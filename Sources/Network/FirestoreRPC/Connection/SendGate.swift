// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How many bytes of a call's messages are still in flight, and which callers wait for room. Usable from any thread.
final class SendGate: Sendable {
    private struct State {
        var unconfirmed = 0
        /// Whether senders have to wait, even if none is waiting.
        var isShut = false
        var end: RPCStatus?
        var nextWaiter: UInt64 = 0
        var waiters: [(id: UInt64, continuation: CheckedContinuation<RPCStatus?, Never>)] = []
    }

    private let highMark: Int
    private let lowMark: Int
    private let state = Mutex(State())

    init(limits: RPCLimits) {
        highMark = limits.unconfirmedHighMark
        lowMark = limits.unconfirmedLowMark
    }

    var isWritable: Bool { state.withLock { $0.end == nil && !$0.isShut } }
    var unconfirmed: Int { state.withLock { $0.unconfirmed } }

    /// Call it before sending. Returns false if the call has ended; the bytes are then dropped.
    func take(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            state.unconfirmed += bytes
            if state.unconfirmed > highMark { state.isShut = true }
            return true
        }
    }

    /// Returns true if there is room again after there was none.
    func confirm(_ bytes: Int) -> Bool {
        let waiters: [CheckedContinuation<RPCStatus?, Never>]? = state.withLock { state in
            state.unconfirmed -= bytes
            guard state.isShut, state.end == nil, state.unconfirmed <= lowMark else { return nil }
            state.isShut = false
            defer { state.waiters = [] }
            return state.waiters.map(\.continuation)
        }
        waiters?.forEach { $0.resume(returning: nil) }
        return waiters != nil
    }

    /// Fails all waiting callers with the reason.
    func end(_ reason: RPCStatus) {
        let waiters = state.withLock { state in
            if state.end == nil { state.end = reason }
            defer { state.waiters = [] }
            return state.waiters.map(\.continuation)
        }
        waiters.forEach { $0.resume(returning: reason) }
    }

    func whenWritable() async throws(RPCStatus) {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<RPCStatus?, Never>) in
                enum Outcome { case now(RPCStatus?), later }
                let isCancelled = Task.isCancelled
                let outcome: Outcome = state.withLock { state in
                    if let end = state.end { return .now(end) }
                    if !state.isShut { return .now(nil) }
                    if isCancelled { return .now(Self.cancelled) }
                    state.waiters.append((id, continuation))
                    return .later
                }
                if case .now(let failure) = outcome { continuation.resume(returning: failure) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).continuation }
            }
            waiter?.resume(returning: Self.cancelled)
        }
        if let failure { throw failure }
    }

    private static let cancelled = RPCStatus(.cancelled, "the task that waited to send was cancelled")
}
