import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// Which targets are watched by whom, what each shows, and which of them a commit concerns.
///
/// Watches of the same target share one view, so that a commit is looked at once however many listen (LS-59). Decides;
/// `WatchHub` reads and delivers.
struct WatchTable {
    enum Admission {
        /// The handle it came through has shut down meanwhile.
        case refused
        /// The first one of this target: read its state.
        case first(Int)
        /// The state is being read already.
        case waiting
        /// Others watch the target: here is what they know.
        case joined(WatchBatch)
    }

    /// What happens to a target next.
    enum Action {
        case none
        case deliver(Delivery)
        /// Its view has to be filled up from the database before it can be told.
        case refill
    }

    /// A batch and those who get it.
    struct Delivery: Sendable {
        let batch: WatchBatch
        let registrations: [WatchRegistration]

        func perform() {
            for registration in registrations { registration.deliver(batch) }
        }
    }

    /// A commit and the targets it may concern, each with its part of the changes.
    struct RoutedCommit: Sendable {
        let time: DocumentVersion
        let parts: [(target: Int, part: CommittedChanges)]
    }

    private struct Shared {
        let target: WatchTarget
        /// In the order they came.
        var registrations: [WatchRegistration] = []
        var view: WatchedView
        /// Everything up to this time is in the view; nil while the first read is under way.
        var told: DocumentVersion?
        /// What is committed during the first read, up to a bound.
        var missed: [CommittedChanges] = []
        var missedCount = 0
    }

    private let database: DatabaseID
    private var targets: [Int: Shared] = [:]
    private var numbers: [WatchTarget: Int] = [:]
    private var lastNumber = 0
    /// The target of every registration.
    private var homes: [Int: Int] = [:]
    private var routes = QueryRoutes()
    /// The latest commit that every view has.
    private(set) var passed = DocumentVersion.none
    /// The watches of every handle that is open: one that was on its way when its handle shut down must not start.
    private var owners: [Int: [Int: WatchRegistration]] = [:]
    /// The time of the last commit that came here, and how many groups of commits are still to be told.
    private(set) var published = DocumentVersion.none
    private var groupsUnderway = 0
    private static let largestBuffer = 10_000

    init(database: DatabaseID) { self.database = database }

    var isEmpty: Bool { targets.isEmpty }

    // MARK: Coming and going

    mutating func add(_ registration: WatchRegistration) -> Admission {
        guard owners[registration.owner] != nil else { return .refused }
        owners[registration.owner]?[registration.id] = registration
        if let number = numbers[registration.target], let told = targets[number]?.told {
            join(registration, number)
            let changes = targets[number]?.view.everything ?? []
            return .joined(WatchBatch(readTime: max(told, reached), isReset: true, changes: changes))
        }
        if let number = numbers[registration.target] {
            join(registration, number)
            return .waiting
        }
        lastNumber += 1
        let number = lastNumber
        numbers[registration.target] = number
        targets[number] = Shared(
            target: registration.target, view: WatchedView(registration.target, database: database))
        switch registration.target {
        case .document(let key): routes.insert(number, document: key)
        case .query(let query): routes.insert(number, query: query, database: database)
        }
        join(registration, number)
        return .first(number)
    }

    private mutating func join(_ registration: WatchRegistration, _ number: Int) {
        homes[registration.id] = number
        targets[number]?.registrations.append(registration)
    }

    mutating func remove(_ id: Int) {
        guard let number = homes.removeValue(forKey: id) else { return }
        if let place = targets[number]?.registrations.firstIndex(where: { $0.id == id }),
            let registration = targets[number]?.registrations.remove(at: place)
        { owners[registration.owner]?[id] = nil }
        if targets[number]?.registrations.isEmpty == true { _ = close(number) }
    }

    /// Forgets the target; returns who watched it.
    mutating func close(_ number: Int) -> [WatchRegistration] {
        guard let shared = targets.removeValue(forKey: number) else { return [] }
        numbers[shared.target] = nil
        routes.remove(number)
        for registration in shared.registrations {
            homes[registration.id] = nil
            owners[registration.owner]?[registration.id] = nil
        }
        return shared.registrations
    }

    /// Lets nothing more of this owner in and returns what it has.
    mutating func end(_ owner: Int) -> [WatchRegistration] {
        owners.removeValue(forKey: owner).map { Array($0.values) } ?? []
    }

    /// Lets an owner's watches in.
    mutating func admit(_ owner: Int) { owners[owner] = [:] }

    // MARK: Commits

    /// Everything is told up to here.
    var reached: DocumentVersion { groupsUnderway == 0 ? published : passed }

    mutating func published(upTo time: DocumentVersion) { published = max(published, time) }

    /// Takes a group of commits and returns what of it concerns anybody. Unless that is nothing, `published` is to follow
    /// once it is handed to the thread that tells, and `groupTold` when it is told.
    mutating func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> [RoutedCommit] {
        let routed = isEmpty ? [] : commits.compactMap { route($0) }
        if routed.isEmpty { published(upTo: time) } else { groupsUnderway += 1 }
        return routed
    }

    mutating func groupTold() { groupsUnderway -= 1 }

    /// nil if nobody watches anything it has changed.
    func route(_ commit: CommittedChanges) -> RoutedCommit? {
        var ids: Set<Int> = []
        if commit.changes.count == 1, let change = commit.changes.first {
            routes.collect(change.key, change.old?.fields, change.new?.fields, into: &ids)
            return ids.isEmpty ? nil : RoutedCommit(time: commit.time, parts: ids.sorted().map { ($0, commit) })
        }
        var parts: [Int: [DocumentChange]] = [:]
        for change in commit.changes {
            ids.removeAll(keepingCapacity: true)
            routes.collect(change.key, change.old?.fields, change.new?.fields, into: &ids)
            for id in ids { parts[id, default: []].append(change) }
        }
        guard !parts.isEmpty else { return nil }
        return RoutedCommit(
            time: commit.time,
            parts: parts.sorted { $0.key < $1.key }.map { ($0.key, CommittedChanges(time: commit.time, changes: $0.value)) })
    }

    mutating func apply(_ part: CommittedChanges, to number: Int) -> Action {
        // Nothing here may hold the view while it changes, or it would be copied.
        guard let told = told(number) else {
            miss(part, number)
            return .none
        }
        guard part.time > told else { return .none }
        advance(number, by: part.changes, to: part.time)
        return isShort(number) ? .refill : action(number)
    }

    /// Beyond the bound nothing is kept: `begin` refuses, and the hub reads again.
    private mutating func miss(_ part: CommittedChanges, _ number: Int) {
        let total = (targets[number]?.missedCount ?? 0) + part.changes.count
        targets[number]?.missedCount = total
        if total <= Self.largestBuffer {
            targets[number]?.missed.append(part)
        } else {
            targets[number]?.missed = []
        }
    }

    /// Brings a view to a later time.
    mutating func advance(_ number: Int, by changes: [DocumentChange], to time: DocumentVersion) {
        targets[number]?.view.apply(changes)
        targets[number]?.told = time
    }

    /// Every view has everything up to here.
    mutating func pass(_ time: DocumentVersion) { passed = time }

    /// What those who watch the target are to be told of what has changed.
    mutating func action(_ number: Int) -> Action {
        guard let (changes, departed) = targets[number]?.view.takeChanges(), !changes.isEmpty, let shared = targets[number],
            let told = shared.told
        else { return .none }
        let batch = WatchBatch(readTime: told, basis: .known, changes: changes, departed: departed)
        return .deliver(Delivery(batch: batch, registrations: shared.registrations))
    }

    // MARK: Filling views

    func view(_ number: Int) -> (target: WatchTarget, query: StructuredQuery?)? {
        targets[number].map { ($0.target, $0.view.firstQuery) }
    }

    func told(_ number: Int) -> DocumentVersion? { targets[number]?.told }

    func isShort(_ number: Int) -> Bool { targets[number]?.view.isShort == true }

    func nextQuery(_ number: Int) throws(FirestoreError) -> StructuredQuery? {
        guard let view = targets[number]?.view, view.isShort else { return nil }
        return try view.nextQuery()
    }

    mutating func extend(_ number: Int, by documents: [Document]) { targets[number]?.view.extend(by: documents) }

    /// The whole state of a target whose view must start over. Returns what is not in it any more: `found` wants to know
    /// what has become of it, if it is to be told.
    @discardableResult
    mutating func reset(_ number: Int, to documents: [Document], at time: DocumentVersion) -> [DocumentKey] {
        targets[number]?.told = time
        return targets[number]?.view.reset(to: documents) ?? []
    }

    mutating func found(_ document: Document?, at key: DocumentKey, _ number: Int) {
        targets[number]?.view.found(document, at: key)
    }

    /// The first state and what has happened since. False if too much did while it was read: then it has to be read again
    /// with nothing going on meanwhile, which the target is ready for.
    mutating func begin(_ number: Int, with documents: [Document], at time: DocumentVersion) -> Bool {
        let missed = targets[number]?.missed ?? []
        let count = targets[number]?.missedCount ?? 0
        targets[number]?.missed = []
        targets[number]?.missedCount = 0
        guard count <= Self.largestBuffer else { return false }
        reset(number, to: documents, at: time)
        for part in missed where part.time > time { advance(number, by: part.changes, to: part.time) }
        return true
    }

    /// The first batch, to all who wait for it.
    mutating func open(_ number: Int) -> Delivery? {
        _ = targets[number]?.view.takeChanges()
        guard let shared = targets[number], let told = shared.told else { return nil }
        return Delivery(
            batch: WatchBatch(readTime: told, isReset: true, changes: shared.view.everything),
            registrations: shared.registrations)
    }
}
