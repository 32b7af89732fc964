// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import struct Synchronization.Atomic

/// The bytes of requests and answers that a process holds for its clients, over all connections.
///
/// Each connection has an account. What it may hold shrinks while others hold much: a quarter of what is free. However many connections
/// are greedy, their sum stays below the limit, and one that holds nothing can always run a call. If the limit is exceeded all the same,
/// the connection that holds most is ended.
package final class MemoryBudget: Sendable {
    /// The budget of this process.
    package static let process = MemoryBudget()

    /// The most bytes.
    package static let usualLimit = 64 << 20
    /// What a connection may hold whatever others do.
    static let least = 64 << 10
    /// Few, because the size of an answer is not known before it is made.
    private static let mostSpares = 8
    /// A connection that holds no more is not ended for others. Less than `least`: many that stay below it must not take everything.
    private static let tooLittle = 16 << 10

    private final class Entry {
        weak var account: ConnectionAccount?

        init(_ account: ConnectionAccount) { self.account = account }
    }

    let limit: Int
    private let total = Atomic<Int>(0)
    /// What connections held when they began to be ended, until they are gone.
    private let leaving = Atomic<Int>(0)
    /// The part of what is not there yet.
    private let presumed = Atomic<Int>(0)
    private let peak = HeldPeak()
    /// The calls that may make an answer although everything is taken: on connections whose last answer was small, and on others.
    private let spares = Atomic<Int>(mostSpares)
    private let otherSpares = Atomic<Int>(mostSpares)
    private let isShedding = Atomic<Bool>(false)
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    package init(limit: Int = MemoryBudget.usualLimit) { self.limit = limit }

    /// The bytes that are held.
    package var held: Int { total.load(ordering: .relaxed) }

    /// Whether so much is held that holders outside of connections should hold less.
    package var isTight: Bool { held > limit / 2 }

    /// What one connection may hold now.
    var share: Int { max(Self.least, (limit - held) / 4) }

    package func charge(_ bytes: Int) {
        let sum = total.wrappingAdd(bytes, ordering: .relaxed).newValue
        peak.rose(to: sum)
        if bytes > 0, sum - leaving.load(ordering: .relaxed) - presumed.load(ordering: .relaxed) > limit { shed() }
    }

    /// So many bytes are about to be held, or fewer if negative: no connection is ended for them.
    func presume(_ bytes: Int) {
        presumed.wrappingAdd(bytes, ordering: .relaxed)
        total.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// A connection that holds nothing wants to make one answer. Returns whether it may although others hold everything: what they leave
    /// unread must not keep a client waiting that reads. Few may at a time; those that had small answers do not wait for others.
    func takeSpare(isSmall: Bool) -> Bool {
        let left = isSmall ? spares.wrappingSubtract(1, ordering: .relaxed) : otherSpares.wrappingSubtract(1, ordering: .relaxed)
        if left.newValue >= 0 { return true }
        returnSpare(isSmall: isSmall)
        return false
    }

    /// That answer is made, or there is none.
    func returnSpare(isSmall: Bool) {
        if isSmall { spares.wrappingAdd(1, ordering: .relaxed) } else { otherSpares.wrappingAdd(1, ordering: .relaxed) }
    }

    package func release(_ bytes: Int) { peak.fell(to: total.wrappingSubtract(bytes, ordering: .relaxed).newValue) }

    // MARK: Accounts

    func open(_ account: ConnectionAccount) {
        entries.withLock { $0[ObjectIdentifier(account)] = Entry(account) }
    }

    /// - Parameter left: What it held when it began to be ended; 0 if it was not.
    func close(_ id: ObjectIdentifier, left: Int) {
        leaving.wrappingSubtract(left, ordering: .relaxed)
        entries.withLock { $0[id] = nil }
    }

    /// Ends the connection that holds most, unless those that are being ended suffice. Called with everything that is charged while too
    /// much is held, so that connections are ended until the rest is within the limit.
    private func shed() {
        // A look at all connections: one thread does it.
        guard !isShedding.exchange(true, ordering: .acquiring) else { return }
        defer { isShedding.store(false, ordering: .releasing) }
        // Outside of the lock: an account that is released here closes itself.
        let accounts = entries.withLock { $0.values.compactMap(\.account) }
        var greediest: ConnectionAccount?
        for account in accounts where !account.isShed && account.real > greediest?.real ?? Self.tooLittle {
            greediest = account
        }
        // One that holds little would be missed by its client, and by nothing else.
        guard let greediest, let bytes = greediest.markShed() else { return }
        leaving.wrappingAdd(bytes, ordering: .relaxed)
        greediest.shed()
    }
}
