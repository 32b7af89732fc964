// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
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

    private final class Entry {
        weak var account: ConnectionAccount?

        init(_ account: ConnectionAccount) { self.account = account }
    }

    let limit: Int
    private let total = Atomic<Int>(0)
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
        if bytes > 0, sum > limit { shed() }
    }

    /// So many bytes are about to be held, until they are released: no connection is ended for them.
    func presume(_ bytes: Int) { total.wrappingAdd(bytes, ordering: .relaxed) }

    package func release(_ bytes: Int) { total.wrappingSubtract(bytes, ordering: .relaxed) }

    // MARK: Accounts

    func open(_ account: ConnectionAccount) {
        entries.withLock { $0[ObjectIdentifier(account)] = Entry(account) }
    }

    func close(_ id: ObjectIdentifier) { entries.withLock { $0[id] = nil } }

    /// Ends the connection that holds most, unless those that are being ended suffice. Called with everything that is charged while too
    /// much is held, so that connections are ended until the rest is within the limit.
    private func shed() {
        // Outside of the lock: an account that is released here closes itself.
        let accounts = entries.withLock { $0.values.compactMap(\.account) }
        var leaving = 0
        var greediest: ConnectionAccount?
        for account in accounts {
            if account.isShed { leaving += account.held } else if account.held > greediest?.held ?? 0 { greediest = account }
        }
        // One that holds little would be missed by its client, and by nothing else.
        guard held - leaving > limit, let greediest, greediest.held > Self.least, greediest.markShed() else { return }
        greediest.shed()
    }
}
