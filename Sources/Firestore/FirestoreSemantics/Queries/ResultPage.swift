// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A part of a result, and how to read the next one, in the same snapshot or in another one of the same moment.
package struct ResultPage: Sendable {
    package enum Rest: Sendable {
        case nothing
        /// A query whose result is the rest.
        case query(StructuredQuery)
        /// Documents that have been read already, because they had to be sorted and are few.
        case documents(ArraySlice<Document>)
        /// Documents to look up, because they had to be sorted and are many; then the query, if even their keys were
        /// too many.
        case keys(ArraySlice<DocumentKey>, then: StructuredQuery?)
    }

    /// With all fields: the projection is not applied.
    package var documents: [Document]
    package var rest: Rest
}

/// The memory limits of one page, and of sorting for pages, in bytes.
package struct PageLimits: Sendable {
    /// The documents of a page.
    package var page: Int
    /// The documents of a sorted result that is retained completely.
    package var sortedDocuments: Int
    /// The sorted columns and keys of a larger result.
    package var sortedKeys: Int

    package init(page: Int = 1 << 20, sortedDocuments: Int = 8 << 20, sortedKeys: Int = 64 << 20) {
        self.page = page
        self.sortedDocuments = sortedDocuments
        self.sortedKeys = sortedKeys
    }
}

extension QueryExecutor {
    /// The first page of the rest of a result.
    ///
    /// If an access returns documents in order, each page continues after the last document of the previous one.
    /// Otherwise the result is sorted once: a small result is retained, for a large one the keys are retained in order, and if
    /// there are too many keys, as many as possible, so that the scan is repeated only after those.
    package static func page(
        of rest: ResultPage.Rest, limits: PageLimits, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> ResultPage {
        switch rest {
        case .nothing: return ResultPage(documents: [], rest: .nothing)
        case .documents(let documents): return page(of: documents, limits)
        case .keys(let keys, let then): return try page(of: keys, then, limits, source)
        case .query(let query):
            let plan = try plan(query, over: source, database: database)
            if plan.arrangement.isAsFound { return try found(plan, query, limits, source, database, counters) }
            return try sorted(plan, query, limits, source, database, counters)
        }
    }

    /// The documents of `StructuredQuery` after a document of its result.
    package static func query(
        _ query: StructuredQuery, behind last: Document, taken count: Int = 0, offset: Int = 0, database: DatabaseID
    ) throws(FirestoreError) -> StructuredQuery {
        var next = query
        next.orders = query.effectiveOrders
        next.start = try QueryBound(at: last, orders: next.orders, before: false, database: database)
        next.offset = offset
        next.limit = query.limit.map { $0 - count }
        return next
    }

    private static func found(
        _ plan: QueryPlan, _ query: StructuredQuery, _ limits: PageLimits, _ source: some DocumentSource,
        _ database: DatabaseID, _ counters: QueryCounters
    ) throws(FirestoreError) -> ResultPage {
        let candidates = Candidates(plan: plan, query: query, source: source, database: database, counters: counters)
        var documents: [Document] = []
        var bytes = 0
        try candidates.window { scanned in
            documents.append(scanned.document())
            bytes += scanned.fields.count + 64
            return bytes < limits.page ? .next : .stop
        }
        guard bytes >= limits.page, let last = documents.last, documents.count != query.limit else {
            return ResultPage(documents: documents, rest: .nothing)
        }
        let next = try Self.query(query, behind: last, taken: documents.count, database: database)
        return ResultPage(documents: documents, rest: .query(next))
    }

    private static func sorted(
        _ plan: QueryPlan, _ query: StructuredQuery, _ limits: PageLimits, _ source: some DocumentSource,
        _ database: DatabaseID, _ counters: QueryCounters
    ) throws(FirestoreError) -> ResultPage {
        let candidates = Candidates(plan: plan, query: query, source: source, database: database, counters: counters)
        var rows = SortedRows(ordering: DocumentOrdering(plan.orders), wanted: plan.wanted, limits: limits)
        try candidates.forEach { scanned in
            rows.offer(scanned)
            return .next
        }
        let sorted = rows.sorted()
        let inWindow = sorted.rows.dropFirst(plan.offset).prefix(plan.limit ?? .max)
        guard sorted.areKeysOnly else { return page(of: ArraySlice(inWindow.map(\.document)), limits) }
        var then: StructuredQuery?
        if !sorted.isWhole, let last = sorted.rows.last, let document = try source.document(last.document.key) {
            let offset = max(0, plan.offset - sorted.rows.count)
            then = try Self.query(query, behind: document, taken: inWindow.count, offset: offset, database: database)
        }
        return try page(of: ArraySlice(inWindow.map(\.document.key)), then, limits, source)
    }

    /// The next page of documents that have been read already.
    package static func page(of documents: ArraySlice<Document>, _ limits: PageLimits) -> ResultPage {
        var bytes = 0
        let count =
            documents.firstIndex { document in
                bytes += document.fields.bytes.count + 64
                return bytes >= limits.page
            }.map { $0 - documents.startIndex + 1 } ?? documents.count
        let rest = documents.dropFirst(count)
        return ResultPage(documents: Array(documents.prefix(count)), rest: rest.isEmpty ? .nothing : .documents(rest))
    }

    private static func page(
        of keys: ArraySlice<DocumentKey>, _ then: StructuredQuery?, _ limits: PageLimits, _ source: some DocumentSource
    ) throws(FirestoreError) -> ResultPage {
        var keys = keys
        var documents: [Document] = []
        var bytes = 0
        while bytes < limits.page, let key = keys.popFirst() {
            guard let document = try source.document(key) else { continue }
            documents.append(document)
            bytes += document.fields.bytes.count + 64
        }
        guard keys.isEmpty else { return ResultPage(documents: documents, rest: .keys(keys, then: then)) }
        return ResultPage(documents: documents, rest: then.map { .query($0) } ?? .nothing)
    }
}
