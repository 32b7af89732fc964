package import FirestoreCore

/// Refuses the queries Firestore refuses, in the order the service was seen to check (QR-20), so that the first error
/// is the same. All failures are `invalidArgument`, say which rule it is and what to change.
package enum QueryCheck {
    /// With a database, references are also checked to belong to it (QR-17, QR-37).
    package static func check(_ query: StructuredQuery, database: DatabaseID? = nil) throws(FirestoreError) {
        try checkScope(query.scope)
        try checkWindow(query)
        if let filter = query.filter {
            try OperandCheck(database: database).check(filter)
            try FilterShape.check(filter, of: query)
        }
        try OrderCheck(query, database: database).check()
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

    /// QR-40, QR-41. A limit of zero is legal and answers nothing.
    private static func checkWindow(_ query: StructuredQuery) throws(FirestoreError) {
        if let limit = query.limit, limit < 0 {
            throw .invalidArgument("the limit of a query must not be negative (QR-40)")
        }
        guard query.offset >= 0 else {
            throw .invalidArgument("the offset of a query must not be negative (QR-41)")
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
