import FirestoreCore
import FirestoreStorage

/// Which watches there are, what each shows, and which of them a changed document concerns.
///
/// Decides; `WatchHub` reads and delivers. Routed by document, collection and collection group, so that a commit
/// costs nothing for watches elsewhere.
struct WatchTable {
    /// What happens to a watch next.
    enum Action {
        case none
        case deliver(WatchBatch)
        case refill(StructuredQuery)
    }

    private enum Phase {
        /// The first read is under way; what is committed meanwhile is kept, up to a bound.
        case starting(missed: [CommittedChanges], count: Int)
        /// Everything up to this time has been told.
        case live(DocumentVersion)
    }

    private struct Entry {
        let registration: WatchRegistration
        var view: WatchedView
        var phase: Phase
    }

    private var entries: [Int: Entry] = [:]
    private var byDocument: [DocumentKey: Set<Int>] = [:]
    private var byCollection: [CollectionPath: Set<Int>] = [:]
    /// By collection id; `CollectionPath` because it compares by bytes.
    private var byGroup: [CollectionPath: Set<Int>] = [:]
    /// Watches of documents in any collection.
    private var kindless: Set<Int> = []
    /// Handles that have shut down: a watch that was on its way then must not start.
    private var endedOwners: Set<Int> = []
    private static let largestBuffer = 10_000

    var isEmpty: Bool { entries.isEmpty }

    // MARK: Coming and going

    /// False if the handle it came through has shut down meanwhile.
    @discardableResult
    mutating func add(_ registration: WatchRegistration, database: DatabaseID) -> Bool {
        guard !endedOwners.contains(registration.owner) else { return false }
        entries[registration.id] = Entry(
            registration: registration, view: WatchedView(registration.target, database: database),
            phase: .starting(missed: [], count: 0))
        switch registration.target {
        case .document(let key): byDocument[key, default: []].insert(registration.id)
        case .query(let query):
            switch query.scope {
            case .collection(let path): byCollection[path, default: []].insert(registration.id)
            case .collectionGroup(let id, _):
                byGroup[CollectionPath(trusted: id), default: []].insert(registration.id)
            case .kindless: kindless.insert(registration.id)
            }
        }
        return true
    }

    @discardableResult
    mutating func remove(_ id: Int) -> WatchRegistration? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        switch entry.registration.target {
        case .document(let key): Self.remove(id, from: &byDocument, at: key)
        case .query(let query):
            switch query.scope {
            case .collection(let path): Self.remove(id, from: &byCollection, at: path)
            case .collectionGroup(let name, _): Self.remove(id, from: &byGroup, at: CollectionPath(trusted: name))
            case .kindless: kindless.remove(id)
            }
        }
        return entry.registration
    }

    private static func remove<Key>(_ id: Int, from table: inout [Key: Set<Int>], at key: Key) {
        table[key]?.remove(id)
        if table[key]?.isEmpty == true { table[key] = nil }
    }

    /// Lets nothing more of this owner in and returns what it has.
    mutating func end(_ owner: Int) -> [WatchRegistration] {
        endedOwners.insert(owner)
        return entries.values.map(\.registration).filter { $0.owner == owner }
    }

    func registration(_ id: Int) -> WatchRegistration? { entries[id]?.registration }

    func query(_ id: Int) -> StructuredQuery? { entries[id]?.view.query }

    // MARK: Changes

    /// The watches a commit may concern, in the order they came, each with its part of the changes.
    func route(_ commit: CommittedChanges) -> [(id: Int, part: CommittedChanges)] {
        var parts: [Int: [DocumentChange]] = [:]
        for change in commit.changes {
            let collection = change.key.collection
            for id in byDocument[change.key] ?? [] { parts[id, default: []].append(change) }
            for id in byCollection[collection] ?? [] { parts[id, default: []].append(change) }
            for id in kindless { parts[id, default: []].append(change) }
            guard !byGroup.isEmpty else { continue }
            for id in byGroup[CollectionPath(trusted: collection.id)] ?? [] { parts[id, default: []].append(change) }
        }
        return parts.sorted { $0.key < $1.key }.map { ($0.key, CommittedChanges(time: commit.time, changes: $0.value)) }
    }

    mutating func apply(_ part: CommittedChanges, to id: Int) -> Action {
        guard var entry = entries[id] else { return .none }
        defer { entries[id] = entry }
        switch entry.phase {
        case .starting(var missed, let count):
            // Beyond the bound nothing is kept: `begin` answers with `.refill`, and the hub reads again.
            let total = count + part.changes.count
            if total <= Self.largestBuffer { missed.append(part) } else { missed = [] }
            entry.phase = .starting(missed: missed, count: total)
            return .none
        case .live(let told):
            guard part.time > told else { return .none }
            entry.phase = .live(part.time)
            switch entry.view.apply(part.changes) {
            case .unchanged: return .none
            case .changed(let changes):
                return .deliver(WatchBatch(readTime: part.time, isReset: false, changes: changes))
            case .needsRefill:
                guard let query = entry.view.query else { return .none }
                return .refill(query)
            }
        }
    }

    /// The first state of a watch; nil if too much happened while it was read and it has to be read again.
    mutating func begin(
        _ id: Int, with documents: [Document], at time: DocumentVersion
    ) -> (batch: WatchBatch, missed: [CommittedChanges])? {
        guard var entry = entries[id], case .starting(let missed, let count) = entry.phase,
            count <= Self.largestBuffer
        else { return nil }
        let changes = entry.view.reset(to: documents)
        entry.phase = .live(time)
        entries[id] = entry
        return (WatchBatch(readTime: time, isReset: true, changes: changes), missed)
    }

    /// Before the first state is read again with nothing going on meanwhile.
    mutating func restart(_ id: Int) { entries[id]?.phase = .starting(missed: [], count: 0) }

    mutating func refill(_ id: Int, with documents: [Document], at time: DocumentVersion) -> Action {
        guard var entry = entries[id] else { return .none }
        let changes = entry.view.refill(with: documents)
        entry.phase = .live(time)
        entries[id] = entry
        return changes.isEmpty ? .none : .deliver(WatchBatch(readTime: time, isReset: false, changes: changes))
    }
}
