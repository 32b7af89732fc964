// SPDX-License-Identifier: Apache-2.0

/// Filters in proto3's JSON form (`google.firestore.v1.StructuredQuery.Filter`).
extension QueryFilter {
    init(_ node: JSONNode) throws(FirestoreError) {
        let (kind, content) = try node.only()
        switch kind {
        case "compositeFilter": self = try Self.composite(content)
        case "fieldFilter": self = try Self.comparison(content)
        case "unaryFilter": self = try Self.unary(content)
        default: throw node.failure("\"\(kind.quoted)\" is not the name of a filter")
        }
    }

    private static func composite(_ node: JSONNode) throws(FirestoreError) -> QueryFilter {
        try node.allow(only: "op", "filters")
        let filters = try node.elements("filters").map { (filter) throws(FirestoreError) in try QueryFilter(filter) }
        let op = try node.required("op")
        switch try op.string() {
        case "AND": return .and(filters)
        case "OR": return .or(filters)
        default: throw op.failure("AND or OR is expected")
        }
    }

    private static func comparison(_ node: JSONNode) throws(FirestoreError) -> QueryFilter {
        try node.allow(only: "field", "op", "value")
        return .field(
            try FieldPathSegments(reference: try node.required("field")), try FieldOperator(try node.required("op")),
            ValueBytes(try Value(try node.required("value"))))
    }

    /// Unary filters are comparisons with null and NaN (QR-11).
    private static func unary(_ node: JSONNode) throws(FirestoreError) -> QueryFilter {
        try node.allow(only: "field", "op")
        let path = try FieldPathSegments(reference: try node.required("field"))
        let op = try node.required("op")
        switch try op.string() {
        case "IS_NULL": return .field(path, .equal, ValueBytes(.null))
        case "IS_NOT_NULL": return .field(path, .notEqual, ValueBytes(.null))
        case "IS_NAN": return .field(path, .equal, ValueBytes(.double(.nan)))
        case "IS_NOT_NAN": return .field(path, .notEqual, ValueBytes(.double(.nan)))
        default: throw op.failure("IS_NULL, IS_NAN, IS_NOT_NULL or IS_NOT_NAN is expected")
        }
    }
}

extension QueryFilter.FieldOperator {
    init(_ node: JSONNode) throws(FirestoreError) {
        switch try node.string() {
        case "LESS_THAN": self = .lessThan
        case "LESS_THAN_OR_EQUAL": self = .lessThanOrEqual
        case "EQUAL": self = .equal
        case "NOT_EQUAL": self = .notEqual
        case "GREATER_THAN": self = .greaterThan
        case "GREATER_THAN_OR_EQUAL": self = .greaterThanOrEqual
        case "ARRAY_CONTAINS": self = .arrayContains
        case "ARRAY_CONTAINS_ANY": self = .arrayContainsAny
        case "IN": self = .in
        case "NOT_IN": self = .notIn
        default: throw node.failure("no comparison is called this")
        }
    }
}
