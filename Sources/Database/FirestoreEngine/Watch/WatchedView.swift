// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// The visible documents of a target: updated by changes, computed once for any number of watches.
struct WatchedView {
    /// nil for a document.
    let query: StructuredQuery?
    /// nil for a document, whose own changes are the only ones that arrive here.
    private let matcher: QueryMatcher?
    /// The fields of the documents that are delivered.
    private let projection: Projection?
    /// With a limit or an offset, the visible documents depend on the order.
    private var window: ResultWindow?
    /// Without, every matching document is visible; nil if they are unknown because no watch needed them.
    private var documents: [DocumentKey: Document]?
    private var changes = VisibleChanges()

    init(_ target: WatchTarget, database: DatabaseID) {
        switch target {
        case .document:
            query = nil
            matcher = nil
            projection = nil
        case .query(let query):
            self.query = query
            matcher = QueryMatcher(query, database: database)
            projection = query.projection.flatMap { $0.isEmpty ? nil : Projection($0) }
            if query.limit != nil || query.offset > 0, query.limit != 0 {
                window = ResultWindow(query, database: database)
            }
        }
    }

    /// Whether it knows the visible documents, and not only their changes.
    var isKnown: Bool { window != nil || documents != nil }

    /// Whether the visible documents depend on the order.
    var isWindow: Bool { window != nil }

    /// The query for the whole state; nil for a document.
    var firstQuery: StructuredQuery? { window?.firstQuery ?? query }

    /// Takes the whole state of a view without a limit that was just made, and reports nothing of it as a change.
    mutating func begin(with state: [Document]) {
        documents = Dictionary(state.lazy.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes the whole state: the result of `firstQuery`, or the document. Returns the documents no longer visible, for `found`.
    mutating func reset(to state: [Document]) -> [DocumentKey] {
        if window != nil {
            window?.reset(to: state, &changes)
            return changes.gone
        }
        for document in (documents ?? [:]).values { changes.left(document) }
        for document in state { changes.entered(document) }
        documents = Dictionary(state.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return changes.gone
    }

    /// The current state of a document that is no longer visible.
    mutating func found(_ document: Document?, at key: DocumentKey) { changes.changed(key, to: document) }

    /// Whether visible documents are missing: continue with `nextQuery`.
    var isShort: Bool { window?.isShort == true }

    func nextQuery() throws(FirestoreError) -> StructuredQuery? { try window?.nextQuery() }

    /// Takes the result of `nextQuery`, as of the moment of the view.
    mutating func extend(by documents: [Document]) { window?.extend(by: documents, &changes) }

    /// Changes of one or several commits that may affect it.
    mutating func apply(_ committed: [CommittedChange]) {
        guard query?.limit != 0 else { return }
        for change in committed {
            let new = change.new.flatMap { matches($0) ? $0 : nil }
            if window != nil {
                if let old = change.old, matches(old) { window?.remove(old, &changes) }
                if let new { window?.insert(new, &changes) }
            } else {
                if let old = change.old, matches(old) { changes.left(old) }
                documents?[change.key] = new
                if let new { changes.entered(new) }
            }
            changes.changed(change.key, to: change.new)
        }
    }

    func matches(_ document: Document) -> Bool { matcher?.matches(document) != false }

    /// Returns the changes to deliver to watchers that know the state of the last call.
    mutating func takeChanges() -> (changes: [WatchBatch.Change], departed: [Document]) {
        let reported = changes.take()
        guard projection != nil else { return reported }
        let changes: [WatchBatch.Change] = reported.changes.map { change in
            if case .update(let document) = change { .update(projected(document)) } else { change }
        }
        return (changes, reported.departed.map(projected))
    }

    /// Returns the changes to deliver to a watcher that knows the earlier content of a window, and the keys of documents that have left it.
    func difference(
        from past: [DocumentKey: DocumentVersion]
    ) -> (changes: [WatchBatch.Change], gone: [DocumentKey]) {
        var past = past
        var changes: [WatchBatch.Change] = []
        if let window {
            for document in window.visible where past.removeValue(forKey: document.key) != document.updateTime {
                changes.append(.update(projected(document)))
            }
        }
        let gone = past.keys.sorted()
        return (changes + gone.map { .remove($0) }, gone)
    }

    var keys: [DocumentKey] { window.map { $0.visible.map(\.key) } ?? (documents ?? [:]).keys.sorted() }

    /// Everything, for a watcher without a known state.
    var everything: [WatchBatch.Change] {
        window.map { $0.visible.map { .update(projected($0)) } } ?? (documents ?? [:]).values.map { .update(projected($0)) }
    }

    func projected(_ document: Document) -> Document { projection?.apply(to: document) ?? document }
}
