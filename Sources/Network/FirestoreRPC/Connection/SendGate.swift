// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How many bytes of a call's messages are still in flight, and which callers wait for room. Usable from any thread.
final class SendGate: Sendable {
    private struct State {
        var unconfirmed = 0
        /// Whether senders have to wait, even if none is waiting.
        var isShut = false
        var end: RPCStatus?
        /// Bytes that the connection's account holds for what is sent next.
        var ticket = 0
        /// Whether the account is asked to call when there is room.
        var isAsking = false
        var nextWaiter: UInt64 = 0
        var waiters: [(id: UInt64, continuation: CheckedContinuation<RPCStatus?, Never>)] = []
    }

    private let highMark: Int
    private let lowMark: Int
    /// nil on the client's side.
    private let account: ConnectionAccount?
    /// The connection holds less than it may again.
    private let onRoom: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter onRoom: Called on any thread after `isWritable` was false because the connection held too much.
    init(limits: RPCLimits, account: ConnectionAccount? = nil, onRoom: @escaping @Sendable () -> Void = {}) {
        highMark = limits.unconfirmedHighMark
        lowMark = limits.unconfirmedLowMark
        self.account = account
        self.onRoom = onRoom
    }

    var isWritable: Bool {
        let (isOpen, hasTicket) = state.withLock { ($0.end == nil && !$0.isShut, $0.ticket > 0) }
        guard isOpen, !hasTicket, let account, !account.hasRoom else { return isOpen }
        ask(account)
        return false
    }

    private func ask(_ account: ConnectionAccount) {
        let isFirst = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst else { return }
        _ = account.wait(for: 0) { [weak self] hasRoom in
            guard let self else { return }
            state.withLock { $0.isAsking = false }
            if hasRoom { onRoom() }
        }
    }

    /// Waits until the connection may hold so many bytes more, which are for what is sent next.
    func reserve(_ bytes: Int) async throws(RPCStatus) {
        guard let account else { return }
        try await account.reserve(bytes)
        let isOver = state.withLock { state in
            if state.end == nil { state.ticket += bytes }
            return state.end != nil
        }
        if isOver { account.giveUp(reserved: bytes) }
    }

    /// Gives back what was reserved for what is sent next.
    func giveBackReserved() {
        let bytes = state.withLock { state in
            defer { state.ticket = 0 }
            return state.ticket
        }
        if bytes > 0 { account?.giveUp(reserved: bytes) }
    }

    var unconfirmed: Int { state.withLock { $0.unconfirmed } }

    /// Call it before sending. Returns false if the call has ended; the bytes are then dropped.
    func take(_ bytes: Int) -> Bool {
        let ticket: Int? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.unconfirmed += bytes
            if state.unconfirmed > highMark { state.isShut = true }
            defer { state.ticket = 0 }
            return state.ticket
        }
        guard let ticket else { return false }
        account?.charge(bytes)
        account?.giveUp(reserved: ticket)
        return true
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
        let (waiters, ticket) = state.withLock { state in
            if state.end == nil { state.end = reason }
            defer { (state.waiters, state.ticket) = ([], 0) }
            return (state.waiters.map(\.continuation), state.ticket)
        }
        account?.giveUp(reserved: ticket)
        waiters.forEach { $0.resume(returning: reason) }
    }

    /// What a sender that has waited may send next: about a message.
    private static let message = 64 << 10

    /// Returns when both the call and its connection have room.
    func whenWritable() async throws(RPCStatus) {
        try await whenOpen()
        guard let account, !account.hasRoom || account.isWaitedFor, state.withLock({ $0.ticket == 0 }) else { return }
        try await reserve(Self.message)
    }

    private func whenOpen() async throws(RPCStatus) {
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
