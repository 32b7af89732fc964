// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// Values in proto3's JSON form (VAL-24): `{"integerValue": "12"}`.
extension Value {
    /// Reads a value. Times are truncated to microseconds (VAL-22); `DocumentCheck` checks ranges, names and nesting.
    package init(_ node: JSONNode) throws(FirestoreError) {
        let (kind, content) = try node.only()
        switch kind {
        case "nullValue":
            switch content.json {
            case .null, .string("NULL_VALUE"): self = .null
            default: throw content.failure("null is expected")
            }
        case "booleanValue": self = .boolean(try content.boolean())
        case "integerValue": self = .integer(try content.integer())
        case "doubleValue": self = .double(try content.double())
        case "timestampValue": self = .timestamp(try TimestampValue(content).truncatedToMicroseconds)
        case "stringValue": self = .string(try content.string())
        case "bytesValue":
            guard let bytes = Base64.decode(try content.string()) else { throw content.failure("base64 is expected") }
            self = .bytes(bytes)
        case "referenceValue": self = .reference(try content.string())
        case "geoPointValue":
            try content.allow(only: "latitude", "longitude")
            self = .geoPoint(
                GeoPointValue(
                    latitude: try content.optional("latitude")?.double() ?? 0,
                    longitude: try content.optional("longitude")?.double() ?? 0))
        case "arrayValue":
            try content.allow(only: "values")
            let elements = try content.elements("values").map { (element) throws(FirestoreError) in try Value(element) }
            self = .array(elements)
        case "mapValue":
            try content.allow(only: "fields")
            self = .map(try FieldMap(try content.optional("fields")))
        default: throw node.failure("\"\(kind.quoted)\" is not the name of a kind of value")
        }
    }

    package var json: JSON {
        switch self {
        case .null: .object([("nullValue", .null)])
        case .boolean(let flag): .object([("booleanValue", .boolean(flag))])
        case .integer(let number): .object([("integerValue", .string(String(number)))])
        case .double(let number): .object([("doubleValue", Self.json(number))])
        case .timestamp(let time): .object([("timestampValue", .string(time.text))])
        case .string(let text): .object([("stringValue", .string(text))])
        case .bytes(let bytes): .object([("bytesValue", .string(Base64.encode(bytes)))])
        case .reference(let name): .object([("referenceValue", .string(name))])
        case .geoPoint(let point):
            .object([
                (
                    "geoPointValue",
                    .object([("latitude", Self.json(point.latitude)), ("longitude", Self.json(point.longitude))])
                )
            ])
        case .array(let elements):
            .object([("arrayValue", .object(elements.isEmpty ? [] : [("values", .array(elements.map(\.json)))]))])
        case .map(let map): .object([("mapValue", .object(map.isEmpty ? [] : [("fields", map.json)]))])
        }
    }

    private static func json(_ number: Double) -> JSON {
        guard number.isFinite else { return .string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity") }
        return Int64(exactly: number).map { number.sign == .minus && $0 == 0 ? .number("-0.0") : .number($0) }
            ?? .number(number.description)
    }
}

extension FieldMap {
    /// Reads the `fields` of a document or map; empty if nil.
    package init(_ node: JSONNode?) throws(FirestoreError) {
        var fields: [(String, Value)] = []
        for (name, value) in try node?.entries() ?? [] { fields.append((name, try Value(value))) }
        self.init(fields)
    }

    package var json: JSON { .object(entries.map { ($0.name, $0.value.json) }) }
}

extension TimestampValue {
    /// Reads a time: RFC 3339 text, or an object with `seconds` and `nanos`, the form in which Google's server libraries write it
    /// into bundles.
    package init(_ node: JSONNode) throws(FirestoreError) {
        if case .object = node.json {
            let nanoseconds = try node.optional("nanos")?.integer() ?? 0
            let value = TimestampValue(
                seconds: try node.optional("seconds")?.integer() ?? 0,
                nanoseconds: Int32(exactly: nanoseconds) ?? -1)
            guard value.isValid else { throw node.failure("the time must lie within the years 1 to 9999") }
            self = value
        } else {
            guard let value = TimestampValue(text: try node.string()) else {
                throw node.failure("a time of RFC 3339 is expected, within the years 1 to 9999")
            }
            self = value
        }
    }
}
