// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import struct Synchronization.Atomic
import protocol Synchronization.AtomicRepresentable

/// What one connection holds: requests that are received or answered, and answers that are not yet written. Usable from any thread;
/// charging takes two atomic operations.
package final class ConnectionAccount: Sendable {
    /// Something that waits for room.
    private struct Waiter {
        let id: UInt64
        let bytes: Int
        /// Receives false if the connection has ended.
        let resume: @Sendable (Bool) -> Void
    }

    private struct State {
        var waiters: [Waiter] = []
        var next: UInt64 = 0
        var isClosed = false
        var onWait: (@Sendable () -> Void)?
        var onShed: (@Sendable () -> Void)?
    }

    let budget: MemoryBudget
    private let limit: Int
    private let total = Atomic<Int>(0)
    /// The part of requests.
    private let requests = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    /// What is held for answers that are not made yet.
    private let reserved = Atomic<Int>(0)
    /// A spare of the budget, which one of its calls has.
    private enum Spare: UInt8, AtomicRepresentable { case none, small, other }

    private let spare = Atomic<Spare>(.none)
    private let lastAnswer = Atomic<Int>(.max)
    private let isMarked = Atomic<Bool>(false)
    /// What it held when it was marked.
    private let marked = Atomic<Int>(0)
    private let state = Mutex(State())

    init(limit: Int, of budget: MemoryBudget) {
        self.limit = limit
        self.budget = budget
        budget.open(self)
    }

    deinit {
        budget.close(ObjectIdentifier(self), left: marked.load(ordering: .relaxed))
        let left = reserved.load(ordering: .relaxed)
        budget.presume(-left)
        returnSpare()
        budget.release(held - left)
    }

    /// - Parameters:
    ///   - onWait: Called on any thread when something begins to wait. `admit` is to be called now and then from there on.
    ///   - onShed: Ends the connection. Called on any thread.
    func observe(onWait: @escaping @Sendable () -> Void, onShed: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.onWait = onWait
            state.onShed = onShed
        }
    }

    var held: Int { total.load(ordering: .relaxed) }

    func charge(_ bytes: Int) {
        guard bytes != 0 else { return }
        total.wrappingAdd(bytes, ordering: .relaxed)
        budget.charge(bytes)
    }

    /// Holds bytes for answers that are not made yet. No connection is ended for them.
    private func hold(_ bytes: Int) {
        reserved.wrappingAdd(bytes, ordering: .relaxed)
        total.wrappingAdd(bytes, ordering: .relaxed)
        budget.presume(bytes)
    }

    /// What was reserved is no longer needed: the answer is made, and charged, or there is none.
    func giveUp(reserved bytes: Int) {
        guard bytes != 0 else { return }
        hold(-bytes)
        returnSpare()
    }

    private func returnSpare() {
        let spare = spare.exchange(.none, ordering: .relaxed)
        if spare != .none { budget.returnSpare(isSmall: spare == .small) }
    }

    /// Whether it may make one answer all the same: it holds next to nothing, and few others do that at this time.
    private func takeSpare() -> Bool {
        let isSmall = lastAnswer.load(ordering: .relaxed) <= MemoryBudget.least
        guard hasRoom, held <= MemoryBudget.least, budget.takeSpare(isSmall: isSmall) else { return false }
        let wanted: Spare = isSmall ? .small : .other
        if spare.compareExchange(expected: .none, desired: wanted, ordering: .relaxed).exchanged { return true }
        budget.returnSpare(isSmall: isSmall)
        return false
    }

    /// The bytes of what is there.
    var real: Int { held - reserved.load(ordering: .relaxed) }

    /// An answer was made.
    func chargeAnswer(_ bytes: Int) {
        answers.wrappingAdd(bytes, ordering: .relaxed)
        lastAnswer.store(bytes, ordering: .relaxed)
        charge(bytes)
    }

    /// The bytes of all answers so far.
    var made: Int { answers.load(ordering: .relaxed) }

    func release(_ bytes: Int) {
        guard bytes != 0 else { return }
        total.wrappingSubtract(bytes, ordering: .relaxed)
        budget.release(bytes)
    }

    /// Bytes of requests, from their first byte until they are answered; fewer if negative.
    func chargeRequests(_ bytes: Int) {
        guard bytes != 0 else { return }
        requests.wrappingAdd(bytes, ordering: .relaxed)
        if bytes > 0 { charge(bytes) } else { release(-bytes) }
    }

    // MARK: Room

    /// How many bytes more of answers may be held. Requests do not count: they are run, or no connection would ever hold less.
    var room: Int { min(limit, budget.share) + requests.load(ordering: .relaxed) - held }

    /// Whether another call may be run, and another message be made.
    var hasRoom: Bool { room > 0 && !isShed }

    /// Whether memory may be taken for an answer that is not made yet: not while all connections together have taken everything.
    private var mayReserve: Bool { hasRoom && budget.held < budget.limit }

    /// Whether an incomplete request may grow. Only while the process holds much, a connection beyond its share has to stop.
    var admitsGrowth: Bool { budget.held <= budget.limit / 4 * 3 || held <= max(1 << 20, budget.share) }

    /// Calls `resume` once there is room, and charges the bytes before; with false if the connection ends. Returns a number for `forget`.
    func wait(for bytes: Int, _ resume: @escaping @Sendable (Bool) -> Void) -> UInt64 {
        let (id, isClosed, onWait) = state.withLock { state in
            state.next += 1
            if !state.isClosed { state.waiters.append(Waiter(id: state.next, bytes: bytes, resume: resume)) }
            return (state.next, state.isClosed, state.waiters.count == 1 ? state.onWait : nil)
        }
        if isClosed { resume(false) }
        onWait?()
        return id
    }

    /// Returns false if it waits no more.
    func forget(_ id: UInt64) -> Bool {
        state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return false }
            state.waiters.remove(at: index)
            return true
        }
    }

    var isWaitedFor: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Those that wait without bytes are woken a few at a time: what they send is not known.
    private static let wokenAtOnce = 16

    /// Resumes what waits, in order, as far as there is room. Returns whether something still waits.
    func admit() -> Bool {
        var woken = 0
        while woken < Self.wokenAtOnce, hasRoom {
            let mayReserve = mayReserve
            let waiter = state.withLock { state in
                // What needs no memory of its own does not wait behind what does.
                let index = state.waiters.firstIndex { $0.bytes == 0 || mayReserve } ?? (takeSpare() ? state.waiters.indices.first : nil)
                return index.map { state.waiters.remove(at: $0) }
            }
            guard let waiter else { return isWaitedFor }
            hold(waiter.bytes)
            waiter.resume(true)
            if waiter.bytes == 0 { woken += 1 }
        }
        return isWaitedFor
    }

    /// Holds so many bytes more once there is room.
    func reserve(_ bytes: Int) async throws(RPCStatus) {
        if mayReserve && !isWaitedFor || takeSpare() { return hold(bytes) }
        let ticket = Mutex<UInt64?>(nil)
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let id = wait(for: bytes) { continuation.resume(returning: $0) }
                ticket.withLock { $0 = id }
                if Task.isCancelled, forget(id) { continuation.resume(returning: false) }
            }
        } onCancel: {
            // The continuation is resumed by the thread that takes the waiter away.
            if let id = ticket.withLock({ $0 }), let resume = take(id) { resume(false) }
        }
        guard isGranted else { throw RPCStatus(.cancelled, "the call has ended before there was room for its answer") }
    }

    private func take(_ id: UInt64) -> (@Sendable (Bool) -> Void)? {
        state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index).resume
        }
    }

    // MARK: Ends

    /// The connection has ended.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            state.onWait = nil
            state.onShed = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(false) }
    }

    /// Whether the connection is being ended, because it held most.
    var isShed: Bool { isMarked.load(ordering: .relaxed) }

    /// Returns what it holds; nil if it was marked before.
    func markShed() -> Int? {
        guard !isMarked.exchange(true, ordering: .relaxed) else { return nil }
        let bytes = real
        marked.store(bytes, ordering: .relaxed)
        return bytes
    }

    func shed() {
        let onShed = state.withLock { $0.onShed }
        onShed?()
    }
}
