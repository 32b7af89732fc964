// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Which databases are open, opening or closing, and which callers wait for them.
///
/// A value that decides; `DatabaseRegistry` opens, closes and wakes. `Service` is the open database: it may be closed when only the
/// table refers to it (`isIdle`), so a caller keeps it open by holding a reference.
struct DatabaseTable<Service: Sendable, Waiter: Sendable> {
    typealias Named = (name: DatabaseName, service: Service)
    /// Whether a database is unused. Read in place, so that the check is not a use.
    typealias IsIdle = (inout Service?) -> Bool

    enum Entrance: Sendable {
        case open(Service)
        case refused(FirestoreError)
        /// The waiter is queued. The caller has to do the work, if any: close one database, then open the other.
        case waits(Work?)
    }

    struct Work: Sendable {
        var closing: Named?
        let opening: DatabaseName
    }

    private enum Stage {
        case opening([Waiter])
        case open
        /// With the callers that want it opened again.
        case closing([Waiter])
    }

    private struct Open {
        var service: Service?
        /// How often it was used.
        var uses: UInt64 = 1
        /// The number of the last use, and its value at the last round.
        var lastUse: UInt64 = 0
        var seenUse: UInt64 = 0
        var idleRounds = 0
    }

    /// The maximum number of databases open at the same time.
    let maximum: Int
    private let advice: OperatorAdvice
    /// An idle database is closed after this many rounds without a use.
    let patience: Int
    /// Databases that would be deleted by closing stay open.
    let mayClose: Bool
    private var stages: [DatabaseName: Stage] = [:]
    private var open: [DatabaseName: Open] = [:]
    private var uses: UInt64 = 0
    private var leaving = 0
    private(set) var isStopped = false

    init(maximum: Int, patience: Int = 5, mayClose: Bool, advice: OperatorAdvice = .none) {
        self.maximum = maximum
        self.advice = advice
        self.patience = patience
        self.mayClose = mayClose
    }

    var isEmpty: Bool { stages.isEmpty }
    /// The number of databases that are open or opening.
    var openCount: Int { stages.count - leaving }

    var openNames: Set<DatabaseName> { Set(open.keys) }

    /// What is open, and how often each was used. Looking at it is no use.
    var openServices: [(name: DatabaseName, service: Service, uses: UInt64)] {
        open.compactMap { name, open in open.service.map { (name, $0, open.uses) } }
    }

    /// The database if it is open.
    mutating func current(_ name: DatabaseName) -> Service? {
        // Called for every call: the name is looked up once.
        guard let index = open.index(forKey: name) else { return nil }
        uses += 1
        open.values[index].lastUse = uses
        open.values[index].uses += 1
        return open.values[index].service
    }

    /// Requests a database.
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
                guard let idle = closeLeastRecentlyUsed(isIdle) else { return .refused(.tooManyDatabases(maximum, advice)) }
                work.closing = idle
            }
            stages[name] = .opening([waiter])
            return .waits(work)
        }
    }

    /// A database was opened, or could not be opened. Returns the callers that wait for it. If the table was stopped meanwhile, they
    /// fail with `stopping`, and the database is to be closed.
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

    /// A database was closed. Returns the callers that have requested it meanwhile: they enter again.
    mutating func closed(_ name: DatabaseName) -> [Waiter] {
        guard case .closing(let waiters)? = stages[name] else { return [] }
        stages[name] = nil
        leaving -= 1
        return waiters
    }

    /// A round has passed. Returns the databases that have been idle for long, to be closed.
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

    /// Rejects further requests. Returns the databases to be closed.
    mutating func stop() -> [Named] {
        isStopped = true
        return Array(open.keys).compactMap { beginClosing($0) }
    }

    /// A database cannot be used any more. Returns it, to be closed; callers that request it meanwhile wait.
    mutating func end(_ name: DatabaseName) -> Named? { isStopped ? nil : beginClosing(name) }

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
