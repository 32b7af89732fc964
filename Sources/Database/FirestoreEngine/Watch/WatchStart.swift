// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// Identifies the start of one or more watches of a target, whose initial state is being read.
struct WatchStart: Sendable, Hashable {
    let target: Int
    let number: Int
}

/// The reads that a start requires.
struct WatchStartPlan: Sendable {
    let target: WatchTarget
    let query: StructuredQuery?
    /// Its result is the whole state of the target's view: more than the query's own result if that has a limit.
    let firstQuery: StructuredQuery?
    /// Whether the visible documents depend on the order.
    let isWindow: Bool
    /// Whether the target does not have a view yet that could provide the visible documents.
    let needsState: Bool
    let resumption: WatchResumption?
}

/// The state that was read for a start, as of one moment.
struct WatchStartState: Sendable {
    enum Content: Sendable {
        /// Everything: the result of the plan's first query, or the document.
        case whole([Document])
        /// The changes since the state that a watcher knows.
        case changes([CommittedChange])
        /// The documents newer than the state that a watcher knows; removals since then are no longer known.
        case newer([Document])
        /// The content of a window in the state that a watcher knows, nil if that is no longer known; and everything, if requested.
        case window(past: [DocumentKey: DocumentVersion]?, state: [Document]?)
    }

    let content: Content
    /// The keys of all documents of the result, if requested.
    var keys: [DocumentKey]?
    let time: DocumentVersion
}

extension WatchStartPlan {
    /// Costs a step for each change since the known state; without one, or with a limit, the query itself.
    func read(
        _ view: some StoreSnapshot, database: DatabaseID, history: DatabaseHistory?, indexes: IndexManager
    ) throws(FirestoreError) -> WatchStartState {
        var content: WatchStartState.Content?
        var keys: [DocumentKey]?
        if let resumption, let time = resumption.time, time > .none, time <= view.readTime, resumption.isKnown(in: history) {
            let isLogged = try view.logFloor().microseconds <= time.microseconds + 1
            (content, keys) =
                isLogged
                ? try changes(since: time, resumption, view, database) : try newer(than: time, resumption, view, database)
        }
        let state: WatchStartState.Content
        if let content {
            state = content
        } else if isWindow {
            state = .window(past: nil, state: needsState ? try documents(view, database, indexes) : nil)
        } else {
            state = .whole(try documents(view, database, indexes))
        }
        if case .window(let past?, nil) = state, needsState {
            return WatchStartState(
                content: .window(past: past, state: try documents(view, database, indexes)), time: view.readTime)
        }
        return WatchStartState(content: state, keys: keys, time: view.readTime)
    }

    private func documents(
        _ view: some StoreSnapshot, _ database: DatabaseID, _ indexes: IndexManager
    ) throws(FirestoreError) -> [Document] {
        switch target {
        case .document(let key): return [try view.document(key)].compactMap(\.self)
        case .query:
            guard let firstQuery else { return [] }
            let counters = QueryCounters()
            let documents = try QueryExecutor.run(firstQuery, over: view, database: database, counters: counters)
            indexes.observe(firstQuery, counters, results: documents.count, at: view.readTime)
            return documents
        }
    }

    private func changes(
        since time: DocumentVersion, _ resumption: WatchResumption, _ view: some StoreSnapshot, _ database: DatabaseID
    ) throws(FirestoreError) -> (WatchStartState.Content, keys: [DocumentKey]?) {
        guard let query else {
            guard case .document(let key) = target else { return (.changes([]), nil) }
            let now = try view.document(key)
            let keys = resumption.wantsKeys ? [now?.key].compactMap(\.self) : nil
            // Existing older documents have not changed; only the log shows the missing ones.
            if let now, view.changeTime(of: now) <= time { return (.changes([]), keys) }
            let then = try view.documents([key], at: time)[0]
            return (.changes([CommittedChange(key: key, old: then, new: now)]), keys)
        }
        if isWindow {
            let past = PastSnapshot(view, at: time, states: try view.states(at: time, in: query.scope))
            let documents = try QueryExecutor.run(query, over: past, database: database)
            let versions = Dictionary(documents.map { ($0.key, $0.updateTime) }, uniquingKeysWith: { first, _ in first })
            return (.window(past: versions, state: nil), nil)
        }
        let matcher = QueryMatcher(query, database: database)
        var changes: [CommittedChange] = []
        try view.states(at: time, in: query.scope) { state throws(FirestoreError) in
            let old = state.document.flatMap { matcher.matches($0) ? $0 : nil }
            let new = state.current == nil ? nil : try view.document(state.key)
            if old != nil || new.map(matcher.matches) == true {
                changes.append(CommittedChange(key: state.key, old: old, new: new))
            }
            return .next
        }
        return (.changes(changes), resumption.wantsKeys ? try keys(of: query, view, database).keys : nil)
    }

    /// nil if that is not sufficient for the watcher.
    private func newer(
        than time: DocumentVersion, _ resumption: WatchResumption, _ view: some StoreSnapshot, _ database: DatabaseID
    ) throws(FirestoreError) -> (WatchStartState.Content?, keys: [DocumentKey]?) {
        guard resumption.wantsKeys, !isWindow else { return (nil, nil) }
        if let query {
            let (keys, newer) = try keys(of: query, newerThan: time, view, database)
            return (.newer(newer), keys)
        }
        guard case .document(let key) = target, let now = try view.document(key) else { return (.newer([]), []) }
        return (.newer(view.changeTime(of: now) > time ? [now] : []), [key])
    }

    private func keys(
        of query: StructuredQuery, newerThan time: DocumentVersion? = nil, _ view: some StoreSnapshot, _ database: DatabaseID
    ) throws(FirestoreError) -> (keys: [DocumentKey], newer: [Document]) {
        var keys: [DocumentKey] = []
        var newer: [Document] = []
        try QueryExecutor.forEach(query, over: view, database: database) { scanned in
            keys.append(scanned.key)
            if let time, scanned.changeTime > time { newer.append(scanned.document()) }
            return .next
        }
        return (keys, newer)
    }
}
