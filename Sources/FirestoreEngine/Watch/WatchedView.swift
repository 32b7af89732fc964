import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// What a target shows, as far as it must be remembered to tell what a commit means for it.
struct WatchedView {
    enum Outcome {
        case unchanged
        case changed([WatchBatch.Change])
        /// Run `query` and hand the result to `refill`.
        case needsRefill
    }

    private enum Kind {
        case document
        /// Every matching document is in the result: nothing needs to be remembered.
        case unlimited(QueryMatcher)
        case window(QueryMatcher, ResultWindow)
    }

    private var kind: Kind
    /// What to run for the initial state and refills; nil for a document.
    let query: StructuredQuery?

    init(_ target: WatchTarget, database: DatabaseID) {
        switch target {
        case .document:
            kind = .document
            query = nil
        case .query(let query) where query.limit == nil && query.offset == 0:
            kind = .unlimited(QueryMatcher(query, database: database))
            self.query = query
        case .query(let query):
            let window = ResultWindow(query)
            kind = .window(QueryMatcher(query, database: database), window)
            self.query = window.headQuery(of: query)
        }
    }

    /// Takes the result of `query` (or the document) as the state; returns what is visible of it.
    mutating func reset(to documents: [Document]) -> [WatchBatch.Change] {
        guard case .window(let matcher, var window) = kind else { return documents.map { .update($0) } }
        window.reset(to: documents)
        kind = .window(matcher, window)
        return window.visible.map { .update($0) }
    }

    mutating func refill(with documents: [Document]) -> [WatchBatch.Change] {
        guard case .window(let matcher, var window) = kind else { return [] }
        let before = window.visible
        window.reset(to: documents)
        kind = .window(matcher, window)
        return ResultWindow.difference(from: before, to: window.visible)
    }

    /// Changes of one commit that were routed here.
    mutating func apply(_ changes: [DocumentChange]) -> Outcome {
        switch kind {
        case .document:
            return .changed(changes.map { change in change.new.map { .update($0) } ?? .remove(change.key) })
        case .unlimited(let matcher):
            let told = changes.compactMap { change -> WatchBatch.Change? in
                if let new = change.new, matcher.matches(new) { return .update(new) }
                return change.old.map { matcher.matches($0) } == true ? .remove(change.key) : nil
            }
            return told.isEmpty ? .unchanged : .changed(told)
        case .window(let matcher, let window):
            return apply(changes, matcher, window)
        }
    }

    private mutating func apply(
        _ changes: [DocumentChange], _ matcher: QueryMatcher, _ window: ResultWindow
    ) -> Outcome {
        let matching = changes.compactMap { change in change.new.flatMap { matcher.matches($0) ? $0 : nil } }
        let changed = Set(
            changes.lazy.filter { change in
                change.old.map { matcher.matches($0) } == true || change.new.map { matcher.matches($0) } == true
            }.map(\.key))
        guard !changed.isEmpty else { return .unchanged }
        let before = window.visible
        var window = window
        let isFilled = window.apply(changed: changed, matching: matching)
        guard isFilled else { return .needsRefill }
        kind = .window(matcher, window)
        let told = ResultWindow.difference(from: before, to: window.visible)
        return told.isEmpty ? .unchanged : .changed(told)
    }
}
