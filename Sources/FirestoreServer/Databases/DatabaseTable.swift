// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Which databases are open, being opened or being closed, and which callers wait for them.
///
/// A value that decides; `DatabaseRegistry` opens, closes and wakes. `Service` is what an open database is used through: a
/// database may be closed when the table alone refers to it (`isIdle`), so a caller keeps one open by holding on to it.
struct DatabaseTable<Service: Sendable, Waiter: Sendable> {
    typealias Named = (name: DatabaseName, service: Service)
    /// Whether nothing uses a database. In place, so that asking is not a use.
    typealias IsIdle = (inout Service?) -> Bool

    enum Entrance: Sendable {
        case open(Service)
        case refused(FirestoreError)
        /// The waiter is kept. The caller has to do the work, if there is any: close one database, then open the other.
        case waits(Work?)
    }

    struct Work: Sendable {
        var closing: Named?
        let opening: DatabaseName
    }

    private enum Stage {
        case opening([Waiter])
        case open
        /// With the callers that want it again.
        case closing([Waiter])
    }

    private struct Open {
        var service: Service?
        /// The number of the last use, and what it was when time last passed.
        var lastUse: UInt64 = 0
        var seenUse: UInt64 = 0
        var idleRounds = 0
    }

    /// Databases that may be open at the same time.
    let maximum: Int
    /// So many rounds without a use and an idle database is closed.
    let patience: Int
    /// Databases that are gone when they are closed stay.
    let mayClose: Bool
    private var stages: [DatabaseName: Stage] = [:]
    private var open: [DatabaseName: Open] = [:]
    private var uses: UInt64 = 0
    private var leaving = 0
    private(set) var isStopped = false

    init(maximum: Int, patience: Int = 5, mayClose: Bool) {
        self.maximum = maximum
        self.patience = patience
        self.mayClose = mayClose
    }

    var isEmpty: Bool { stages.isEmpty }
    /// Those that are open or about to be.
    var openCount: Int { stages.count - leaving }

    /// The database if it is open.
    mutating func current(_ name: DatabaseName) -> Service? {
        // Comes with every call: the name is looked up once.
        guard let index = open.index(forKey: name) else { return nil }
        uses += 1
        open.values[index].lastUse = uses
        return open.values[index].service
    }

    /// A database is asked for.
    mutating func enter(_ name: DatabaseName, _ waiter: Waiter, isIdle: IsIdle) -> Entrance {
        if isStopped { return .refused(.stopping) }
        if let service = current(name) { return .open(service) }
        switch stages[name] {
        case .opening(let waiters):
            stages[name] = .opening(waiters + [waiter])
            return .waits(nil)
        case .closing(let waiters):
            stages[name] = .closing(waiters + [waiter])
            return .waits(nil)
        case .open, nil:
            var work = Work(closing: nil, opening: name)
            if openCount >= maximum {
                guard let idle = closeLeastRecentlyUsed(isIdle) else { return .refused(.tooManyDatabases(maximum)) }
                work.closing = idle
            }
            stages[name] = .opening([waiter])
            return .waits(work)
        }
    }

    /// A database is open, or could not be opened. Returns the callers that wait for it; they are to be told `stopping`, and the
    /// database closed, if the table has been stopped meanwhile.
    mutating func opened(_ name: DatabaseName, _ service: Service?) -> [Waiter] {
        guard case .opening(let waiters)? = stages[name] else { return [] }
        guard let service else {
            stages[name] = nil
            return waiters
        }
        uses += 1
        open[name] = Open(service: service, lastUse: uses)
        stages[name] = .open
        if isStopped { _ = beginClosing(name) }
        return waiters
    }

    /// A database is closed. Returns the callers that have asked for it meanwhile: they enter again.
    mutating func closed(_ name: DatabaseName) -> [Waiter] {
        guard case .closing(let waiters)? = stages[name] else { return [] }
        stages[name] = nil
        leaving -= 1
        return waiters
    }

    /// Time has passed. Returns what has been idle for long, to be closed.
    mutating func passRound(isIdle: IsIdle) -> [Named] {
        guard mayClose, !isStopped else { return [] }
        var idle: [Named] = []
        for name in Array(open.keys) {
            guard let index = open.index(forKey: name) else { continue }
            let isIdle = open.values[index].lastUse == open.values[index].seenUse && isIdle(&open.values[index].service)
            open.values[index].seenUse = open.values[index].lastUse
            open.values[index].idleRounds = isIdle ? open.values[index].idleRounds + 1 : 0
            if open.values[index].idleRounds >= patience, let named = beginClosing(name) { idle.append(named) }
        }
        return idle
    }

    /// Nothing is opened any more. Returns what is to be closed.
    mutating func stop() -> [Named] {
        isStopped = true
        return Array(open.keys).compactMap { beginClosing($0) }
    }

    private mutating func closeLeastRecentlyUsed(_ isIdle: IsIdle) -> Named? {
        guard mayClose else { return nil }
        for name in open.map({ ($0.key, $0.value.lastUse) }).sorted(by: { $0.1 < $1.1 }).map(\.0) {
            guard let index = open.index(forKey: name) else { continue }
            if isIdle(&open.values[index].service) { return beginClosing(name) }
        }
        return nil
    }

    private mutating func beginClosing(_ name: DatabaseName) -> Named? {
        guard let service = open.removeValue(forKey: name)?.service else { return nil }
        stages[name] = .closing([])
        leaving += 1
        return (name, service)
    }
}
