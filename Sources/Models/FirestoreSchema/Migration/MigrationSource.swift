// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents of a migration: those of a query, in pages by name.
package struct MigrationSource: Sendable {
    package let service: any DocumentService
    package let database: DatabaseID
    package let query: StructuredQuery
    /// As whom the service is called; a context may carry a deadline, so each call asks for a new one.
    package let context: @Sendable () throws(FirestoreError) -> RequestContext

    /// Throws `invalidArgument` for a query that cannot be read in pages by name.
    package init(
        _ service: any DocumentService, database: DatabaseID, query: StructuredQuery,
        context: @escaping @Sendable () throws(FirestoreError) -> RequestContext
    ) throws(FirestoreError) {
        let isPlain =
            query.start == nil && query.end == nil && query.offset == 0 && query.limit == nil && query.projection == nil
            && query.nearest == nil
        guard isPlain, query.effectiveOrders.count == 1, query.effectiveOrders[0].direction == .ascending else {
            throw .invalidArgument(
                "a migration reads its documents by name, in pages: its query must not have orders, limits, cursors or inequalities",
                at: query.scope.place)
        }
        self.service = service
        self.database = database
        self.query = query
        self.context = context
    }

    package func page(after last: DocumentKey?, limit: Int) async throws(FirestoreError) -> [Document] {
        var page = query
        page.orders = [SortOrder(path: .documentID)]
        page.limit = limit
        if let last { page.start = QueryBound(values: [ValueBytes(.reference(database.name(of: last)))], before: false) }
        return try await service.run(page, options: .latest, context: context()).documents
    }

    func documents(_ keys: [DocumentKey]) async throws(FirestoreError) -> [Document] {
        try await service.documents(keys, context: context()).documents.compactMap { $0 }
    }

    func commit(_ writes: [Write]) async throws(FirestoreError) {
        _ = try await service.commit(writes, context: context())
    }
}
