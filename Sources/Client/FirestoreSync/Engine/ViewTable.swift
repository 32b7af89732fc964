// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// The views of all queries that are listened to, by number, by query and by target, with the routes of documents to them.
struct ViewTable {
    struct Entry {
        let query: ClientTarget
        let targetID: TargetID
        fileprivate(set) var view: SyncView
    }

    private let database: DatabaseID
    private var entries: [Int: Entry] = [:]
    private var numbers: [ClientTarget: Int] = [:]
    private var numbersOfTarget: [TargetID: [Int]] = [:]
    private var last = 0
    private var routes = QueryRoutes()

    init(database: DatabaseID) { self.database = database }

    /// In ascending order.
    var all: [Int] { entries.keys.sorted() }

    var targets: [TargetID] { Array(numbersOfTarget.keys) }

    subscript(number: Int) -> Entry? { entries[number] }

    func number(of query: ClientTarget) -> Int? { numbers[query] }

    func entry(of query: ClientTarget) -> Entry? { numbers[query].flatMap { entries[$0] } }

    func numbers(of target: TargetID) -> [Int] { numbersOfTarget[target] ?? [] }

    mutating func insert(_ query: ClientTarget, _ target: TargetID, _ view: SyncView) {
        last += 1
        entries[last] = Entry(query: query, targetID: target, view: view)
        numbers[query] = last
        numbersOfTarget[target, default: []].append(last)
        switch query {
        case .document(let key): routes.insert(last, document: key)
        case .query(let query): routes.insert(last, query: query.query, database: database)
        }
    }

    mutating func remove(_ number: Int) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        routes.remove(number)
        numbers[entry.query] = nil
        numbersOfTarget[entry.targetID]?.removeAll { $0 == number }
        if numbersOfTarget[entry.targetID]?.isEmpty == true { numbersOfTarget[entry.targetID] = nil }
    }

    /// Changes a view where it is: it is not copied. nil if there is none.
    mutating func change<R>(_ number: Int, _ body: (inout SyncView) -> R) -> R? {
        entries.index(forKey: number).map { body(&entries.values[$0].view) }
    }

    // MARK: What concerns which view

    /// The views that show a document, or may show it, before or after a change.
    func views(of change: LocalChange) -> Set<Int> {
        var found: Set<Int> = []
        routes.collect(change.key, change.old.document?.fields, change.new.document?.fields, into: &found)
        // Without fields, it may belong to every result of its collection.
        if change.new.content == .unknown, change.new.hasCommittedMutations {
            for (number, entry) in entries {
                if case .query(let query) = entry.query, query.query.scope.contains(change.key) { found.insert(number) }
            }
        }
        return found
    }

    /// The views that show a document, in whatever state, and those that may show it now.
    func views(showing document: LocalDocument) -> Set<Int> {
        var found: Set<Int> = []
        routes.collect(document.key, nil, document.document?.fields, into: &found)
        for (number, entry) in entries where entry.view.document(document.key) != nil { found.insert(number) }
        return found
    }

    // MARK: Targets

    /// The documents that the authority has in a target, as its views know them.
    func syncedDocuments(of target: TargetID) -> Set<DocumentKey> {
        let views = numbers(of: target).compactMap { entries[$0]?.view }
        guard let first = views.first else { return [] }
        return views.dropFirst().reduce(first.syncedDocuments) { $0.union($1.syncedDocuments) }
    }

    func isSynced(_ key: DocumentKey, in target: TargetID) -> Bool {
        numbers(of: target).contains { entries[$0]?.view.syncedDocuments.contains(key) == true }
    }

    func syncedCount(of target: TargetID) -> Int {
        let numbers = numbers(of: target)
        return numbers.count == 1 ? entries[numbers[0]]?.view.syncedDocuments.count ?? 0 : syncedDocuments(of: target).count
    }

    /// Whether a view of a target has what the authority last reported.
    func isCurrent(_ target: TargetID) -> Bool { numbers(of: target).contains { entries[$0]?.view.isCurrent == true } }
}
