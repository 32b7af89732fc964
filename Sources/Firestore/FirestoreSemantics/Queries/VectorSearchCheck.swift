// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Rejects the vector searches that Firestore rejects (QR-56, QR-59 … QR-61). All failures are `invalidArgument`.
enum VectorSearchCheck {
    static func check(_ search: VectorSearch, of query: StructuredQuery) throws(FirestoreError) {
        try QueryCheck.checkPath(search.field)
        guard (1...Limits.nearestDocuments).contains(search.limit) else {
            throw .invalidArgument(
                "the limit of a vector search is 1 to \(Limits.nearestDocuments), here it is \(search.limit)")
        }
        guard (1...Limits.vectorDimensions).contains(search.vector.count) else {
            throw .invalidArgument(
                "the query vector has \(search.vector.count) dimensions; 1 to \(Limits.vectorDimensions) are allowed")
        }
        if let threshold = search.threshold, !threshold.isFinite {
            throw .invalidArgument("the distance threshold must be a finite number")
        }
        if let field = search.resultField { try checkResultField(field) }
        guard query.limit == nil, query.offset == 0 else {
            throw .invalidArgument(
                "a vector search has its own limit: the query below it takes neither limit nor offset")
        }
        guard query.start == nil, query.end == nil else {
            throw .invalidArgument("the query below a vector search takes no cursors; filter instead")
        }
    }

    private static func checkResultField(_ path: FieldPathSegments) throws(FirestoreError) {
        guard path.segments.count == 1 else {
            throw .invalidArgument(
                "the distance goes into a field of the document itself, not into a map; give one name",
                at: path.canonical)
        }
        let name = ByteSlice(Array(path.segments[0].utf8))
        if let violation = name.withUnsafeBytes(NameRules.fieldName) {
            throw .invalidArgument("the name of the distance result field \(violation.explanation)")
        }
    }
}
