// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// The result of a query with a limit or an offset, updated as documents change.
///
/// Holds the head of all matching documents in order: those before the window, those in it, and some after its end, so that most
/// documents that leave are replaced by one that is known. Documents after the last known one are unknown unless the head is
/// complete. Only when the head no longer reaches the end of the window must the query run again, from the last known document
/// on. A change costs a search in the head, whatever the size of the window.
struct ResultWindow {
    private let query: StructuredQuery
    private let database: DatabaseID
    private let ordering: DocumentOrdering
    private let offset: Int
    /// Documents up to the end of the window; nil without a limit.
    private let capacity: Int?
    /// How many further documents to keep.
    private let reserve: Int
    private var head = DocumentList()
    /// Whether no matching document lies after the head.
    private var isWhole = false

    init(_ query: StructuredQuery, database: DatabaseID) {
        self.query = query
        self.database = database
        ordering = DocumentOrdering(query.effectiveOrders)
        offset = query.offset
        let end = query.limit.map { $0.addingReportingOverflow(query.offset) }
        let capacity = end.flatMap { $0.overflow ? nil : $0.partialValue }
        self.capacity = capacity
        reserve = min(max((capacity ?? 0) / 2, 8), 128)
    }

    /// How many documents to request, from the first on; nil for all.
    private var reach: Int? {
        capacity.flatMap { capacity in
            let (sum, overflow) = capacity.addingReportingOverflow(reserve)
            return overflow ? nil : sum
        }
    }

    // MARK: Filling

    /// The query whose result `reset` takes.
    var firstQuery: StructuredQuery {
        var first = query
        first.offset = 0
        first.limit = reach
        return first
    }

    mutating func reset(to documents: [Document], _ changes: inout VisibleChanges) {
        for document in visible { changes.left(document) }
        head = DocumentList(documents)
        isWhole = reach.map { documents.count < $0 } ?? true
        for document in visible { changes.entered(document) }
    }

    /// Whether the window may extend beyond the known documents.
    var isShort: Bool { !isWhole && capacity.map { head.count < $0 } == true }

    /// The query whose result `extend` takes: the documents after the last known one.
    func nextQuery() throws(FirestoreError) -> StructuredQuery {
        var next = firstQuery
        guard let last = head.last else { return next }
        next.orders = query.effectiveOrders
        next.start = try QueryBound(at: last, orders: next.orders, before: false, database: database)
        next.limit = reach.map { $0 - head.count }
        return next
    }

    /// Takes the documents after the last known one, as of the moment of the others.
    mutating func extend(by documents: [Document], _ changes: inout VisibleChanges) {
        isWhole = reach.map { head.count + documents.count < $0 } ?? true
        for document in documents { insert(document, at: head.count, &changes) }
    }

    // MARK: What is seen

    var visible: some Sequence<Document> {
        let end = min(capacity ?? .max, head.count)
        return (min(offset, end)..<end).lazy.map { [head] in head[$0] }
    }

    /// The document at an index, if it is visible there.
    private func seen(at index: Int) -> Document? {
        index >= offset && index < head.count && capacity.map { index < $0 } != false ? head[index] : nil
    }

    // MARK: Changes

    /// A matching document was deleted or no longer matches in this state.
    mutating func remove(_ document: Document, _ changes: inout VisibleChanges) {
        let index = head.position(of: document, by: ordering.compare)
        guard index < head.count, head[index].key == document.key else { return }
        // Everything after it moves up by one: a document leaves at the front, and the one after the end enters.
        if capacity.map({ index < $0 }) != false {
            if let leaving = seen(at: max(index, offset)) { changes.left(leaving) }
            if let capacity, capacity < head.count { changes.entered(head[capacity]) }
        }
        head.remove(at: index)
    }

    /// A document matches, newly or in a new state.
    mutating func insert(_ document: Document, _ changes: inout VisibleChanges) {
        let index = head.position(of: document, by: ordering.compare)
        guard index < head.count || isWhole else { return }
        insert(document, at: index, &changes)
        guard let reach, head.count > reach + reserve else { return }
        while head.count > reach { head.remove(at: head.count - 1) }
        isWhole = false
    }

    private mutating func insert(_ document: Document, at index: Int, _ changes: inout VisibleChanges) {
        // Everything after it moves down by one.
        if capacity.map({ index < $0 }) != false {
            if let capacity, let leaving = seen(at: capacity - 1) { changes.left(leaving) }
            if index >= offset {
                changes.entered(document)
            } else if offset <= head.count {
                changes.entered(head[offset - 1])
            }
        }
        head.insert(document, at: index)
    }
}
