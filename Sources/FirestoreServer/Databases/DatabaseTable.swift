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

    private struct Entry {
        var stage: Stage
        /// The number of the last use, and what it was when time last passed.
        var lastUse: UInt64 = 0
        var seenUse: UInt64 = 0
        var idleRounds = 0

        var isOpen: Bool { if case .open = stage { true } else { false } }
    }

    /// Databases that may be open at the same time.
    let maximum: Int
    /// So many rounds without a use and an idle database is closed.
    let patience: Int
    /// Databases that are gone when they are closed stay.
    let mayClose: Bool
    private var entries: [DatabaseName: Entry] = [:]
    /// Of those that are open.
    private var services: [DatabaseName: Service] = [:]
    private var uses: UInt64 = 0
    private var leaving = 0
    private(set) var isStopped = false

    init(maximum: Int, patience: Int = 5, mayClose: Bool) {
        self.maximum = maximum
        self.patience = patience
        self.mayClose = mayClose
    }

    var isEmpty: Bool { entries.isEmpty }
    /// Those that are open or about to be.
    var openCount: Int { entries.count - leaving }

    /// The database if it is open.
    mutating func current(_ name: DatabaseName) -> Service? {
        guard let service = services[name] else { return nil }
        use(name)
        return service
    }

    /// A database is asked for.
    mutating func enter(_ name: DatabaseName, _ waiter: Waiter, isIdle: IsIdle) -> Entrance {
        if isStopped { return .refused(.stopping) }
        if let service = current(name) { return .open(service) }
        switch entries[name]?.stage {
        case .opening(let waiters):
            entries[name]?.stage = .opening(waiters + [waiter])
            return .waits(nil)
        case .closing(let waiters):
            entries[name]?.stage = .closing(waiters + [waiter])
            return .waits(nil)
        case .open, nil:
            var work = Work(closing: nil, opening: name)
            if openCount >= maximum {
                guard let idle = closeLeastRecentlyUsed(isIdle) else { return .refused(.tooManyDatabases(maximum)) }
                work.closing = idle
            }
            entries[name] = Entry(stage: .opening([waiter]))
            return .waits(work)
        }
    }

    /// A database is open, or could not be opened. Returns the callers that wait for it; they are to be told `stopping`, and the
    /// database closed, if the table has been stopped meanwhile.
    mutating func opened(_ name: DatabaseName, _ service: Service?) -> [Waiter] {
        guard case .opening(let waiters)? = entries[name]?.stage else { return [] }
        guard let service else {
            entries[name] = nil
            return waiters
        }
        services[name] = service
        entries[name]?.stage = .open
        if isStopped { _ = beginClosing(name) } else { use(name) }
        return waiters
    }

    /// A database is closed. Returns the callers that have asked for it meanwhile: they enter again.
    mutating func closed(_ name: DatabaseName) -> [Waiter] {
        guard case .closing(let waiters)? = entries[name]?.stage else { return [] }
        entries[name] = nil
        leaving -= 1
        return waiters
    }

    /// Time has passed. Returns what has been idle for long, to be closed.
    mutating func passRound(isIdle: IsIdle) -> [Named] {
        guard mayClose, !isStopped else { return [] }
        var idle: [Named] = []
        for (name, entry) in entries where entry.isOpen {
            let isUsed = entry.lastUse != entry.seenUse || !isIdle(&services[name])
            entries[name]?.seenUse = entry.lastUse
            entries[name]?.idleRounds = isUsed ? 0 : entry.idleRounds + 1
            if !isUsed, entry.idleRounds + 1 >= patience, let named = beginClosing(name) { idle.append(named) }
        }
        return idle
    }

    /// Nothing is opened any more. Returns what is to be closed.
    mutating func stop() -> [Named] {
        isStopped = true
        return Array(services.keys).compactMap { beginClosing($0) }
    }

    private mutating func use(_ name: DatabaseName) {
        uses += 1
        entries[name]?.lastUse = uses
    }

    private mutating func closeLeastRecentlyUsed(_ isIdle: IsIdle) -> Named? {
        guard mayClose else { return nil }
        for (name, _) in entries.filter(\.value.isOpen).sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            if isIdle(&services[name]) { return beginClosing(name) }
        }
        return nil
    }

    private mutating func beginClosing(_ name: DatabaseName) -> Named? {
        guard let service = services.removeValue(forKey: name) else { return nil }
        entries[name]?.stage = .closing([])
        leaving += 1
        return (name, service)
    }
}
