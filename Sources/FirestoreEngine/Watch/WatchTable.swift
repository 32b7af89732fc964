// SPDX-License-Identifier: Apache-2.0
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
        /// Nobody knows what this watch begins with: read it.
        case start(WatchStart)
        /// It is being read already.
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

    struct Shared {
        let target: WatchTarget
        /// Those that have begun, in the order they did.
        var registrations: [WatchRegistration] = []
        var view: WatchedView
        /// Everything up to this time has been told; nil until somebody has begun.
        var told: DocumentVersion?
        /// Those that have not.
        var starts: [Int: Start] = [:]
    }

    struct Start {
        var registrations: [WatchRegistration]
        let resumption: WatchResumption?
        /// What is committed while it is read, up to a bound that grows when it has to be read again.
        var missed: [CommittedChanges] = []
        var missedCount = 0
        var bound = 10_000
        /// What its watches are told first, once it is known; a window's is found out when it is told.
        var first: WatchBatch?
        var past: [DocumentKey: DocumentVersion]?
    }

    let database: DatabaseID
    var targets: [Int: Shared] = [:]
    private var numbers: [WatchTarget: Int] = [:]
    private var lastNumber = 0
    /// The target of every registration.
    private var homes: [Int: Int] = [:]
    private var routes = QueryRoutes()
    /// The latest commit that was told.
    private(set) var passed = DocumentVersion.none
    /// The watches of every handle that is open: one that was on its way when its handle shut down must not start.
    private var owners: [Int: [Int: WatchRegistration]] = [:]
    /// The time of the last commit that came here, and how many groups of commits are still to be told.
    private(set) var published = DocumentVersion.none
    private var groupsUnderway = 0

    init(database: DatabaseID) { self.database = database }

    var isEmpty: Bool { targets.isEmpty }

    // MARK: Coming and going

    /// Lets an owner's watches in.
    mutating func admit(_ owner: Int) { owners[owner] = [:] }

    /// Lets nothing more of this owner in and returns what it has.
    mutating func end(_ owner: Int) -> [WatchRegistration] {
        owners.removeValue(forKey: owner).map { Array($0.values) } ?? []
    }

    mutating func add(_ registration: WatchRegistration) -> Admission {
        guard owners[registration.owner] != nil else { return .refused }
        owners[registration.owner]?[registration.id] = registration
        let number = numbers[registration.target] ?? addTarget(registration.target)
        homes[registration.id] = number
        if registration.resumption == nil {
            if let told = targets[number]?.told, let view = targets[number]?.view, view.isKnown {
                targets[number]?.registrations.append(registration)
                return .joined(WatchBatch(readTime: max(told, reached), isReset: true, changes: view.everything))
            }
            if let start = targets[number]?.starts.first(where: { $0.value.resumption == nil })?.key {
                targets[number]?.starts[start]?.registrations.append(registration)
                return .waiting
            }
        }
        targets[number]?.starts[registration.id] = Start(registrations: [registration], resumption: registration.resumption)
        return .start(WatchStart(target: number, number: registration.id))
    }

    private mutating func addTarget(_ target: WatchTarget) -> Int {
        lastNumber += 1
        numbers[target] = lastNumber
        targets[lastNumber] = Shared(target: target, view: WatchedView(target, database: database))
        switch target {
        case .document(let key): routes.insert(lastNumber, document: key)
        case .query(let query): routes.insert(lastNumber, query: query, database: database)
        }
        return lastNumber
    }

    mutating func remove(_ id: Int) {
        guard let number = homes[id] else { return }
        if let place = targets[number]?.registrations.firstIndex(where: { $0.id == id }) {
            if let registration = targets[number]?.registrations.remove(at: place) { forget(registration) }
        } else {
            for (start, state) in targets[number]?.starts ?? [:] {
                guard let place = state.registrations.firstIndex(where: { $0.id == id }) else { continue }
                forget(state.registrations[place])
                targets[number]?.starts[start]?.registrations.remove(at: place)
                if targets[number]?.starts[start]?.registrations.isEmpty == true { targets[number]?.starts[start] = nil }
            }
        }
        closeIfUnused(number)
    }

    private mutating func forget(_ registration: WatchRegistration) {
        homes[registration.id] = nil
        owners[registration.owner]?[registration.id] = nil
    }

    private mutating func closeIfUnused(_ number: Int) {
        guard let shared = targets[number], shared.registrations.isEmpty, shared.starts.isEmpty else { return }
        targets[number] = nil
        numbers[shared.target] = nil
        routes.remove(number)
    }

    /// Forgets the target; returns who watched it.
    mutating func close(_ number: Int) -> [WatchRegistration] {
        guard let shared = targets[number] else { return [] }
        let all = shared.registrations + shared.starts.sorted { $0.key < $1.key }.flatMap(\.value.registrations)
        for registration in all { forget(registration) }
        targets[number]?.registrations = []
        targets[number]?.starts = [:]
        closeIfUnused(number)
        return all
    }

    /// Forgets those that wait for a start; returns them.
    mutating func close(_ start: WatchStart) -> [WatchRegistration] {
        let all = targets[start.target]?.starts.removeValue(forKey: start.number)?.registrations ?? []
        for registration in all { forget(registration) }
        closeIfUnused(start.target)
        return all
    }

    // MARK: Times

    /// Everything is told up to here.
    var reached: DocumentVersion { groupsUnderway == 0 ? max(published, passed) : passed }

    mutating func published(upTo time: DocumentVersion) { published = max(published, time) }

    /// Takes a group of commits and returns what of it concerns anybody. Unless that is nothing, `published` is to follow
    /// once it is handed to the thread that tells, and `groupTold` when it is told.
    mutating func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> [RoutedCommit] {
        let routed = isEmpty ? [] : commits.compactMap { route($0) }
        if routed.isEmpty { published(upTo: time) } else { groupsUnderway += 1 }
        return routed
    }

    mutating func groupTold() { groupsUnderway -= 1 }

    /// A commit is told.
    mutating func pass(_ time: DocumentVersion) { passed = time }

    /// nil if nobody watches anything it has changed.
    func route(_ commit: CommittedChanges) -> RoutedCommit? {
        var ids: Set<Int> = []
        if commit.changes.count == 1, let change = commit.changes.first {
            routes.collect(change.key, change.old?.fields, change.new?.fields, into: &ids)
            return ids.isEmpty ? nil : RoutedCommit(time: commit.time, parts: ids.sorted().map { ($0, commit) })
        }
        var parts: [Int: [CommittedChange]] = [:]
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
}
