// SPDX-License-Identifier: Apache-2.0

/// Queries in proto3's JSON form (`google.firestore.v1.StructuredQuery`).
extension StructuredQuery {
    /// Reads a query below a parent (nil: the root). Its validity is checked when it runs.
    package init(_ node: JSONNode, under parent: DocumentKey?) throws(FirestoreError) {
        try node.allow(
            only: "from", "where", "select", "orderBy", "startAt", "endAt", "offset", "limit", "findNearest")
        let orders = try node.elements("orderBy").map { (order) throws(FirestoreError) in try SortOrder(order) }
        self.init(
            scope: try Self.scope(node, under: parent),
            filter: try node.optional("where").map { (node) throws(FirestoreError) in try QueryFilter(node) },
            orders: orders, start: try Self.bound(node, "startAt"), end: try Self.bound(node, "endAt"),
            offset: try node.optional("offset").map { (node) throws(FirestoreError) in try Self.count(node) } ?? 0,
            limit: try node.optional("limit").map { (node) throws(FirestoreError) in try Self.count(node) },
            projection: try Self.projection(node),
            nearest: try node.optional("findNearest").map { (node) throws(FirestoreError) in try VectorSearch(node) })
    }

    /// The scope of the query: a collection, a collection group or all collections below the parent (QR-2).
    private static func scope(_ node: JSONNode, under parent: DocumentKey?) throws(FirestoreError) -> QueryScope {
        let selectors = try node.elements("from")
        guard selectors.count <= 1 else { throw node.failure("a query has one collection in \"from\"") }
        guard let selector = selectors.first else { return .kindless(under: parent, allDescendants: false) }
        try selector.allow(only: "collectionId", "allDescendants")
        let allDescendants = try selector.optional("allDescendants")?.boolean() ?? false
        let id = try selector.optional("collectionId")?.string() ?? ""
        if id.utf8.isEmpty { return .kindless(under: parent, allDescendants: allDescendants) }
        return allDescendants
            ? .collectionGroup(id: id, under: parent) : .collection(CollectionPath(parent: parent, id: id))
    }

    private static func bound(_ node: JSONNode, _ name: String) throws(FirestoreError) -> QueryBound? {
        guard let bound = try node.optional(name) else { return nil }
        try bound.allow(only: "values", "before")
        let values = try bound.elements("values").map { (value) throws(FirestoreError) in ValueBytes(try Value(value)) }
        return QueryBound(values: values, before: try bound.optional("before")?.boolean() ?? false)
    }

    /// A number, plain or wrapped as `{"value": 3}`, the form in which Google's server libraries write it into bundles.
    fileprivate static func count(_ node: JSONNode) throws(FirestoreError) -> Int {
        if case .object = node.json { return Int(try node.optional("value")?.integer() ?? 0) }
        return Int(try node.integer())
    }

    private static func projection(_ node: JSONNode) throws(FirestoreError) -> [FieldPathSegments]? {
        guard let select = try node.optional("select") else { return nil }
        try select.allow(only: "fields")
        let paths = try select.elements("fields").map { (field) throws(FirestoreError) in try FieldPathSegments(reference: field) }
        return paths.isEmpty ? [.documentID] : paths
    }
}

extension FieldPathSegments {
    /// Reads `{"fieldPath": "a.b"}`.
    init(reference node: JSONNode) throws(FirestoreError) {
        try node.allow(only: "fieldPath")
        self = try node.required("fieldPath").fieldPath()
    }
}

extension SortOrder {
    init(_ node: JSONNode) throws(FirestoreError) {
        try node.allow(only: "field", "direction")
        self.init(path: try FieldPathSegments(reference: try node.required("field")))
        guard let node = try node.optional("direction") else { return }
        switch try node.string() {
        case "ASCENDING", "DIRECTION_UNSPECIFIED": direction = .ascending
        case "DESCENDING": direction = .descending
        default: throw node.failure("ASCENDING or DESCENDING is expected")
        }
    }
}

extension VectorSearch {
    init(_ node: JSONNode) throws(FirestoreError) {
        try node.allow(
            only: "vectorField", "queryVector", "distanceMeasure", "limit", "distanceResultField", "distanceThreshold")
        let vectorNode = try node.required("queryVector")
        let bytes = ValueBytes(try Value(vectorNode))
        let vector = bytes.view.vector?.map { $0.double ?? $0.integer.map(Double.init) ?? .nan }
        withExtendedLifetime(bytes) {}
        guard let vector else { throw vectorNode.failure("a vector is expected") }
        let measureNode = try node.required("distanceMeasure")
        let measure: Measure
        switch try measureNode.string() {
        case "EUCLIDEAN": measure = .euclidean
        case "COSINE": measure = .cosine
        case "DOT_PRODUCT": measure = .dotProduct
        default: throw measureNode.failure("EUCLIDEAN, COSINE or DOT_PRODUCT is expected")
        }
        self.init(
            field: try FieldPathSegments(reference: try node.required("vectorField")), vector: vector, measure: measure,
            limit: try StructuredQuery.count(try node.required("limit")),
            resultField: try node.optional("distanceResultField").map { (node) throws(FirestoreError) in
                try node.fieldPath()
            },
            threshold: try node.optional("distanceThreshold").map { (node) throws(FirestoreError) in
                if case .object = node.json { return try node.required("value").double() }
                return try node.double()
            })
    }
}
