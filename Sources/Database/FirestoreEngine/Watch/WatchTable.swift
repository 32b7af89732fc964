// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// The watched targets, their watches, their visible documents, and which targets a commit affects.
///
/// Watches of the same target share one view, so that a commit is processed once for any number of listeners (LS-59). Decides;
/// `WatchHub` reads and delivers.
struct WatchTable {
    enum Admission {
        /// The handle that opened it has shut down meanwhile.
        case rejected
        /// The initial state of this watch is unknown: read it.
        case start(WatchStart)
        /// The initial state is being read already.
        case waiting
        /// Other watches have the target: this is their state.
        case joined(WatchBatch)
    }

    /// The next step for a target.
    enum Action {
        case none
        case deliver(Delivery)
        /// Its view must be filled from the database before it can deliver.
        case refill
    }

    /// A batch and its receivers.
    struct Delivery: Sendable {
        let batch: WatchBatch
        let registrations: [WatchRegistration]

        func perform() {
            for registration in registrations { registration.deliver(batch) }
        }
    }

    /// A commit and the targets it may affect, each with its part of the changes.
    struct RoutedCommit: Sendable {
        let time: DocumentVersion
        let parts: [(target: Int, part: CommittedChanges)]
    }

    struct Shared {
        let target: WatchTarget
        /// The watches that have begun, in the order they did.
        var registrations: [WatchRegistration] = []
        var view: WatchedView
        /// Everything up to this time has been delivered; nil until a watch has begun.
        var reported: DocumentVersion?
        /// The watches that have not begun.
        var starts: [Int: Start] = [:]
    }

    struct Start {
        var registrations: [WatchRegistration]
        let resumption: WatchResumption?
        /// The commits during the initial read, up to a limit that grows when the read has to be repeated.
        var missed: [CommittedChanges] = []
        var missedCount = 0
        var bound = 10_000
        /// The first batch of its watches, once it is known; a window's is computed on delivery.
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
    /// The latest delivered commit.
    private(set) var passed = DocumentVersion.none
    /// The watches of every open handle: a watch that was starting when its handle shut down must not begin.
    private var owners: [Int: [Int: WatchRegistration]] = [:]
    /// The time of the last published commit, and how many groups of commits are still to be delivered.
    private(set) var published = DocumentVersion.none
    private var groupsUnderway = 0

    init(database: DatabaseID) { self.database = database }

    var isEmpty: Bool { targets.isEmpty }

    var watchCount: Int { homes.count }

    // MARK: Coming and going

    /// Accepts an owner's watches.
    mutating func admit(_ owner: Int) { owners[owner] = [:] }

    /// Rejects further watches of this owner and returns the existing ones.
    mutating func end(_ owner: Int) -> [WatchRegistration] {
        owners.removeValue(forKey: owner).map { Array($0.values) } ?? []
    }

    mutating func add(_ registration: WatchRegistration) -> Admission {
        guard owners[registration.owner] != nil else { return .rejected }
        owners[registration.owner]?[registration.id] = registration
        let number = numbers[registration.target] ?? addTarget(registration.target)
        homes[registration.id] = number
        if registration.resumption == nil {
            if let reported = targets[number]?.reported, let view = targets[number]?.view, view.isKnown {
                targets[number]?.registrations.append(registration)
                return .joined(WatchBatch(readTime: max(reported, reached), isReset: true, changes: view.everything))
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

    /// Removes the target; returns its watches.
    mutating func close(_ number: Int) -> [WatchRegistration] {
        guard let shared = targets[number] else { return [] }
        let all = shared.registrations + shared.starts.sorted { $0.key < $1.key }.flatMap(\.value.registrations)
        for registration in all { forget(registration) }
        targets[number]?.registrations = []
        targets[number]?.starts = [:]
        closeIfUnused(number)
        return all
    }

    /// Removes the watches that wait for a start; returns them.
    mutating func close(_ start: WatchStart) -> [WatchRegistration] {
        let all = targets[start.target]?.starts.removeValue(forKey: start.number)?.registrations ?? []
        for registration in all { forget(registration) }
        closeIfUnused(start.target)
        return all
    }

    // MARK: Times

    /// The time up to which everything has been delivered.
    var reached: DocumentVersion { groupsUnderway == 0 ? max(published, passed) : passed }

    mutating func published(upTo time: DocumentVersion) { published = max(published, time) }

    /// Takes a group of commits and returns the parts that affect watches. Unless there are none, call `published` once they are
    /// handed to the watch thread, and `groupTold` when they are delivered.
    mutating func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> [RoutedCommit] {
        let routed = isEmpty ? [] : commits.compactMap { route($0) }
        if routed.isEmpty { published(upTo: time) } else { groupsUnderway += 1 }
        return routed
    }

    mutating func groupTold() { groupsUnderway -= 1 }

    /// A commit has been delivered.
    mutating func pass(_ time: DocumentVersion) { passed = time }

    /// nil if no watch is affected by the commit.
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
