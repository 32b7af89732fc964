// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
package import FirestoreWire

extension MethodContext {
    /// ListDocuments: a page of a collection, in the order of names or of `order_by` (QR-51); with `show_missing`, includes missing
    /// documents that have documents below them (DM-11).
    var listDocuments: RPCMethod {
        unary(reserving: 2 * DocumentPage.bytes) {
            (request: ListDocumentsRequest, context) throws(FirestoreError) -> ListDocumentsResponse in
            let service = try await self.service(request.database, context)
            let page = try DocumentPage(request, isJudged: service.judges(context), history: service.history)
            let reading = try await self.reading(request.consistency, in: request.database, of: service, context)
            let response =
                try await request.showMissing
                ? page.withMissing(from: service, reading.options, context)
                : page.documents(from: service, reading.options, context)
            figures?.read(response.entries.count { if case .document = $0 { true } else { false } })
            return response
        }
    }
}

/// One page of a collection.
package struct DocumentPage {
    /// The size of a page if the caller does not choose one; and the bytes of documents after which a page ends in any case.
    private static let size = 100
    /// The size of a page for callers under rules, which see it as the limit (SR-97).
    private static let judgedSize = 30
    fileprivate static let bytes = 4 << 20

    private let request: ListDocumentsRequest
    private let orders: [SortOrder]
    private let token: PageToken?
    private let parameters: PageToken.Parameters
    private let size: Int

    package init(_ request: ListDocumentsRequest, isJudged: Bool, history: DatabaseHistory?) throws(FirestoreError) {
        self.request = request
        guard request.pageSize >= 0 else { throw .invalidArgument("the page size must not be negative") }
        size = request.pageSize == 0 ? (isJudged ? Self.judgedSize : Self.size) : request.pageSize
        if request.showMissing, !request.orderBy.isEmpty {
            throw .invalidArgument("show_missing cannot be combined with order_by")
        }
        if request.showMissing, request.collectionID.isEmpty {
            throw .invalidArgument("show_missing needs a collection id")
        }
        orders = try OrderText.orders(request.orderBy)
        var parameters = PageToken.Parameters(method: .listDocuments, database: request.database, history: history)
        parameters.add(request.parent?.path)
        parameters.add(request.collectionID)
        parameters.add(request.orderBy)
        parameters.add(request.mask)
        parameters.add(request.showMissing ? 1 : 0)
        self.parameters = parameters
        token = try PageToken.read(request.pageToken, parameters)
    }

    /// The query on which rules decide: the page (SR-97).
    package func judgedQuery() throws(FirestoreError) -> StructuredQuery {
        guard request.showMissing else { return try pageQuery() }
        // Read completely before any of them is processed.
        let collection = CollectionPath(parent: request.parent, id: request.collectionID)
        return StructuredQuery(scope: .collection(collection), limit: min(size, Self.size))
    }

    private func pageQuery() throws(FirestoreError) -> StructuredQuery {
        let scope: QueryScope =
            request.collectionID.isEmpty
            ? .kindless(under: request.parent, allDescendants: false)
            : .collection(CollectionPath(parent: request.parent, id: request.collectionID))
        var query = StructuredQuery(scope: scope, orders: orders)
        // All fields are read, so that the cursor can use all of them (QR-35).
        query.orders = query.effectiveOrders
        if let token { query.start = QueryBound(values: token.values, before: false) }
        query.limit = size
        return query
    }

    func documents(
        from service: any JudgedService, _ options: ReadOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> ListDocumentsResponse {
        // One document more than rules are asked about is read, to know whether another page follows.
        var query = try judgedQuery()
        let granted = try await service.grant(query, options: options, context: context)
        query.limit = size == .max ? nil : size + 1
        let collected = Collected(size: size, bytes: Self.bytes)
        try await granted.service.run(query, options: granted.options, context: context) {
            (page: QueryResponse) async throws(FirestoreError) -> ScanStep in
            collected.add(page)
        }
        let (documents, isWhole, time) = collected.result
        var next = ""
        if !isWhole, let last = documents.last {
            let bound = try QueryBound(at: last, orders: query.orders, before: false, database: request.database)
            next = PageToken(values: bound.values).text(parameters, at: time)
        }
        let mask = request.mask.map { Projection($0) }
        return ListDocumentsResponse(
            database: request.database, entries: documents.map { .document($0.masked(mask)) }, nextPageToken: next)
    }

    func withMissing(
        from service: any JudgedService, _ options: ReadOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> ListDocumentsResponse {
        let size = min(size, Self.size)
        let collection = CollectionPath(parent: request.parent, id: request.collectionID)
        let query = try judgedQuery()
        let (service, options) = try await service.grant(query, options: options, context: context)
        let found = try await service.documentKeys(
            in: collection, after: try token?.keys(in: request.database).first, limit: size + 1, options: options, context: context)
        let keys = Array(found.keys.prefix(size))
        var sameMoment = options
        if case .latest = options.moment { sameMoment.moment = .past(found.readTime) }
        let documents = try await service.documents(keys, options: sameMoment, context: context).documents
        let mask = request.mask.map { Projection($0) }
        let entries = zip(keys, documents).map { key, document -> ListDocumentsResponse.Entry in
            document.map { .document($0.masked(mask)) } ?? .missing(key)
        }
        var next = ""
        if found.keys.count > size, let last = keys.last {
            next = PageToken(keys: [last], in: request.database).text(parameters, at: found.readTime)
        }
        return ListDocumentsResponse(database: request.database, entries: entries, nextPageToken: next)
    }
}

/// The documents of a page, until there are enough.
private final class Collected: Sendable {
    private struct State {
        var documents: [Document] = []
        var bytes = 0
        var isWhole = true
        var time = DocumentVersion.none
    }

    private let size: Int
    private let bytes: Int
    private let state = Mutex(State())

    init(size: Int, bytes: Int) {
        self.size = size
        self.bytes = bytes
    }

    func add(_ page: QueryResponse) -> ScanStep {
        state.withLock { state in
            state.time = page.readTime
            for document in page.documents {
                guard state.documents.count < size, state.bytes < bytes else {
                    state.isWhole = false
                    return .stop
                }
                state.documents.append(document)
                state.bytes += document.fields.bytes.count
            }
            return .next
        }
    }

    var result: (documents: [Document], isWhole: Bool, time: DocumentVersion) {
        state.withLock { ($0.documents, $0.isWhole, $0.time) }
    }
}

extension PageToken {
    /// A page at or after documents.
    init(keys: some Sequence<DocumentKey>, in database: DatabaseID) {
        self.init(values: keys.map { ValueBytes(.reference(database.name(of: $0))) })
    }

    /// The documents it names, all of this database.
    func keys(in database: DatabaseID) throws(FirestoreError) -> [DocumentKey] {
        var keys: [DocumentKey] = []
        for value in values {
            guard case .reference(var name) = try value.value else { throw Self.foreign }
            let key = name.withUTF8 { bytes -> DocumentKey? in
                guard let parts = ReferenceName(UnsafeRawBufferPointer(bytes)), parts.isIn(database) else { return nil }
                return parts.key
            }
            guard let key else { throw Self.foreign }
            keys.append(key)
        }
        return keys
    }

    private static let foreign = FirestoreError.invalidArgument("invalid page token: it was not issued by this method")
}
