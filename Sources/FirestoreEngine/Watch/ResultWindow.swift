import FirestoreCore
import FirestoreSemantics

/// The result of a query with a limit or an offset, kept up to date while changes come in.
///
/// Keeps the head of all matching documents, up to the end of the window. While the head is full, what lies behind
/// its last document is unknown: a document that leaves makes room for an unknown one, and only then the query has
/// to run again.
struct ResultWindow {
    private let ordering: DocumentOrdering
    private let offset: Int
    /// Documents up to the end of the window; nil without a limit.
    private let capacity: Int?
    private var head: [Document] = []
    /// No matching document lies behind the head.
    private var isWhole = false

    init(_ query: StructuredQuery) {
        ordering = DocumentOrdering(query.effectiveOrders)
        offset = query.offset
        capacity = query.limit.map { limit in
            let (sum, overflow) = limit.addingReportingOverflow(query.offset)
            return overflow ? .max : sum
        }
    }

    /// The query whose result is the head.
    func headQuery(of query: StructuredQuery) -> StructuredQuery {
        var head = query
        head.offset = 0
        head.limit = capacity
        return head
    }

    var visible: ArraySlice<Document> { head.dropFirst(offset) }

    mutating func reset(to documents: [Document]) {
        head = documents
        isWhole = capacity.map { documents.count < $0 } ?? true
    }

    /// Applies one commit: keys that changed, and the new documents among them that match. False if the window must
    /// be filled again by the query.
    mutating func apply(changed: Set<DocumentKey>, matching: [Document]) -> Bool {
        let edge = isWhole ? nil : head.last
        head.removeAll { changed.contains($0.key) }
        for document in matching {
            if let edge, ordering.compare(document, edge) > 0 { continue }
            head.insert(document, at: index(for: document))
        }
        guard let capacity else { return true }
        if head.count > capacity {
            head.removeLast(head.count - capacity)
            isWhole = false
        }
        return isWhole || head.count == capacity
    }

    private func index(for document: Document) -> Int {
        var (low, high) = (0, head.count)
        while low < high {
            let middle = (low + high) / 2
            if ordering.compare(head[middle], document) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What somebody who knows `old` has to be told to know `new`.
    static func difference(
        from old: ArraySlice<Document>, to new: ArraySlice<Document>
    ) -> [WatchBatch.Change] {
        var known: [DocumentKey: Document] = [:]
        for document in old { known[document.key] = document }
        var updates: [WatchBatch.Change] = []
        for document in new where known.removeValue(forKey: document.key) != document {
            updates.append(.update(document))
        }
        let removed = old.lazy.map(\.key).filter { known[$0] != nil }
        return removed.map { .remove($0) } + updates
    }
}
