// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Values and queries in the REST form (VAL-24), one way.
enum EmulatorJSON {
    static func fields(_ map: FieldMap) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: map.entries.map { ($0.name, value($0.value)) })
    }

    static func value(_ value: Value) -> [String: Any] {
        switch value {
        case .null: return ["nullValue": NSNull()]
        case .boolean(let value): return ["booleanValue": value]
        case .integer(let value): return ["integerValue": String(value)]
        case .double(let value):
            if value.isNaN { return ["doubleValue": "NaN"] }
            if value.isInfinite { return ["doubleValue": value < 0 ? "-Infinity" : "Infinity"] }
            return ["doubleValue": value]
        case .timestamp(let value): return ["timestampValue": text(value)]
        case .string(let value): return ["stringValue": value]
        case .bytes(let value): return ["bytesValue": Data(value).base64EncodedString()]
        case .reference(let value): return ["referenceValue": value]
        case .geoPoint(let value):
            return ["geoPointValue": ["latitude": value.latitude, "longitude": value.longitude]]
        case .array(let elements):
            let values: [[String: Any]] = elements.map { Self.value($0) }
            return ["arrayValue": ["values": values]]
        case .map(let map): return ["mapValue": ["fields": fields(map)]]
        }
    }

    private static func text(_ timestamp: TimestampValue) -> String {
        let date = Date(timeIntervalSince1970: Double(timestamp.seconds)).formatted(.iso8601)
        let fraction = String(String(1_000_000 + timestamp.nanoseconds / 1_000).dropFirst())
        return date.replacingOccurrences(of: "Z", with: ".\(fraction)Z")
    }

    /// The parent, with a leading slash if any, and the structured query.
    static func query(_ query: StructuredQuery) throws -> (parent: String, body: [String: Any]) {
        let parent: String
        var selector: [String: Any] = [:]
        switch query.scope {
        case .collection(let collection):
            parent = collection.parent.map { "/" + $0.path } ?? ""
            selector["collectionId"] = collection.id
        case .collectionGroup(let id, let under):
            parent = under.map { "/" + $0.path } ?? ""
            selector["collectionId"] = id
            selector["allDescendants"] = true
        case .kindless(let under, let allDescendants):
            parent = under.map { "/" + $0.path } ?? ""
            selector["allDescendants"] = allDescendants
        }
        var body: [String: Any] = ["from": [selector]]
        if let filter = query.filter { body["where"] = try Self.filter(filter) }
        body["orderBy"] = query.orders.map {
            [
                "field": ["fieldPath": $0.path.canonical],
                "direction": $0.direction == .ascending ? "ASCENDING" : "DESCENDING",
            ] as [String: Any]
        }
        if let start = query.start { body["startAt"] = try bound(start) }
        if let end = query.end { body["endAt"] = try bound(end) }
        if let limit = query.limit { body["limit"] = limit }
        if query.offset > 0 { body["offset"] = query.offset }
        if let projection = query.projection {
            body["select"] = ["fields": projection.map { ["fieldPath": $0.canonical] }]
        }
        if let nearest = query.nearest { body["findNearest"] = Self.nearest(nearest) }
        return (parent, body)
    }

    private static func nearest(_ search: VectorSearch) -> [String: Any] {
        let measure =
            switch search.measure {
            case .euclidean: "EUCLIDEAN"
            case .cosine: "COSINE"
            case .dotProduct: "DOT_PRODUCT"
            }
        var result: [String: Any] = [
            "vectorField": ["fieldPath": search.field.canonical], "queryVector": value(.vector(search.vector)),
            "distanceMeasure": measure, "limit": search.limit,
        ]
        if let field = search.resultField { result["distanceResultField"] = field.canonical }
        if let threshold = search.threshold { result["distanceThreshold"] = threshold }
        return result
    }

    static func aggregation(_ aggregation: Aggregation, alias: String) -> [String: Any] {
        func field(_ path: FieldPathSegments) -> [String: Any] { ["field": ["fieldPath": path.canonical]] }
        switch aggregation.kind {
        case .count(let upTo): return ["alias": alias, "count": upTo.map { ["upTo": String($0)] } ?? [:]]
        case .sum(let path): return ["alias": alias, "sum": field(path)]
        case .average(let path): return ["alias": alias, "avg": field(path)]
        }
    }

    /// A number of an answer; null for anything else.
    static func number(_ json: [String: Any]) -> Value {
        if let text = json["integerValue"] as? String, let number = Int64(text) { return .integer(number) }
        if let number = json["doubleValue"] as? Double { return .double(number) }
        switch json["doubleValue"] as? String {
        case "NaN": return .double(.nan)
        case "Infinity": return .double(.infinity)
        case "-Infinity": return .double(-.infinity)
        default: return .null
        }
    }

    private static func bound(_ bound: QueryBound) throws -> [String: Any] {
        ["values": try bound.values.map { value(try $0.value) }, "before": bound.before]
    }

    private static func filter(_ filter: QueryFilter) throws -> [String: Any] {
        switch filter {
        case .and(let filters): return ["compositeFilter": ["op": "AND", "filters": try filters.map(Self.filter)]]
        case .or(let filters): return ["compositeFilter": ["op": "OR", "filters": try filters.map(Self.filter)]]
        case .field(let path, let op, let operand):
            let field = ["fieldPath": path.canonical]
            let value = try operand.value
            // Null and NaN are unary tests on the wire (QR-11).
            if op == .equal || op == .notEqual, NaiveValues.isNull(value) || NaiveValues.isNaN(value) {
                let name = (op == .equal ? "IS_" : "IS_NOT_") + (NaiveValues.isNull(value) ? "NULL" : "NAN")
                return ["unaryFilter": ["op": name, "field": field]]
            }
            return ["fieldFilter": ["op": names[op] ?? "", "field": field, "value": Self.value(value)]]
        }
    }

    private static let names: [QueryFilter.FieldOperator: String] = [
        .lessThan: "LESS_THAN", .lessThanOrEqual: "LESS_THAN_OR_EQUAL", .equal: "EQUAL", .notEqual: "NOT_EQUAL",
        .greaterThan: "GREATER_THAN", .greaterThanOrEqual: "GREATER_THAN_OR_EQUAL", .arrayContains: "ARRAY_CONTAINS",
        .arrayContainsAny: "ARRAY_CONTAINS_ANY", .in: "IN", .notIn: "NOT_IN",
    ]
}
