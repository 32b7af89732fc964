// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Rejects the queries that Firestore rejects, in the order in which the service checks (QR-20), so that the first
/// error is the same. All failures are `invalidArgument`, and name the problem and its remedy.
package enum QueryCheck {
    /// With a database, references must belong to it (QR-17, QR-37).
    package static func check(_ query: StructuredQuery, database: DatabaseID? = nil) throws(FirestoreError) {
        try query.checkCounts()
        try checkScope(query.scope)
        try checkWindow(query)
        if let filter = query.filter {
            try OperandCheck(database: database).check(filter)
            try FilterShape.check(filter, of: query)
        } else {
            try FilterShape.checkComponents(of: query, comparisons: 0)
        }
        try OrderCheck(query, database: database).check()
        if case .kindless = query.scope { try checkKindless(query) }
        try checkProjection(query.projection ?? [])
        if let search = query.nearest { try VectorSearchCheck.check(search, of: query) }
    }

    /// Also rejects queries that can be run but not listened to (QR-61).
    package static func checkListenable(
        _ query: StructuredQuery, database: DatabaseID? = nil
    ) throws(FirestoreError) {
        try check(query, database: database)
        if query.nearest != nil {
            throw .invalidArgument("a vector search can be run, not listened to")
        }
    }

    /// Also rejects queries that cannot be partitioned: only a whole collection group, in the order of names, can (QR-70).
    package static func checkPartitionable(
        _ query: StructuredQuery, count: Int, database: DatabaseID? = nil
    ) throws(FirestoreError) {
        try check(query, database: database)
        guard case .collectionGroup = query.scope else {
            throw .invalidArgument("only a query over a collection group can be partitioned; set all_descendants")
        }
        guard query.filter == nil, query.start == nil, query.end == nil, query.offset == 0, query.limit == nil,
            query.nearest == nil
        else { throw .invalidArgument("a query with filters, cursors, an offset or a limit cannot be partitioned") }
        guard query.orders.allSatisfy({ $0.path.isDocumentID && $0.direction == .ascending }) else {
            throw .invalidArgument("a partitioned query must be ordered by document id, ascending")
        }
        guard count > 0 else { throw .invalidArgument("the number of partitions must be above zero") }
    }

    /// Documents of all collections have only their names in common (QR-3).
    private static func checkKindless(_ query: StructuredQuery) throws(FirestoreError) {
        try query.filter?.forEachField { (path, _, _) throws(FirestoreError) in
            if !path.isDocumentID {
                throw .invalidArgument(
                    "a query over all collections filters by document id only, not by \(path.quoted)")
            }
        }
        guard query.orders.allSatisfy({ $0.path.isDocumentID && $0.direction == .ascending }) else {
            throw .invalidArgument("a query over all collections is ordered by document id, ascending")
        }
    }

    private static func checkProjection(_ paths: [FieldPathSegments]) throws(FirestoreError) {
        for path in paths where !path.isDocumentID {
            do { try PathCheck.checkWritable(path) } catch {
                throw .invalidArgument("\(error.message), in a projection")
            }
        }
    }

    /// The paths allowed in a query: the document id, or a path allowed in a document (QR-27).
    static func checkPath(_ path: FieldPathSegments) throws(FirestoreError) {
        guard !path.isDocumentID else { return }
        try PathCheck.checkWritable(path)
    }

    private static func checkScope(_ scope: QueryScope) throws(FirestoreError) {
        switch scope {
        case .collection(let path): try PathCheck.check(path)
        case .collectionGroup(let id, let under):
            try PathCheck.collectionID(id)
            if let under { try PathCheck.check(under) }
        case .kindless(let under, _): if let under { try PathCheck.check(under) }
        }
    }

    /// Limit and offset must not be negative (QR-40, QR-41). A limit of zero is legal and returns nothing.
    private static func checkWindow(_ query: StructuredQuery) throws(FirestoreError) {
        if let limit = query.limit, limit < 0 {
            throw .invalidArgument("the limit of a query must not be negative")
        }
        guard query.offset >= 0 else {
            throw .invalidArgument("the offset of a query must not be negative")
        }
    }
}

extension QueryFilter {
    /// All comparisons of single fields, depth first.
    func forEachField<Failure: Error>(
        _ body: (FieldPathSegments, FieldOperator, ValueBytes) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .field(let path, let op, let operand): try body(path, op, operand)
        case .and(let filters), .or(let filters):
            for filter in filters { try filter.forEachField(body) }
        }
    }
}
