// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The types that a stored value can have. A vector, which is encoded as a map, is a type.
package enum StoredType: UInt8, CaseIterable, Comparable, Sendable {
    case null, boolean, integer, double, timestamp, bytes, geoPoint, reference, vector, string, array, map

    /// Its name in reports and in JSON.
    package var name: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .timestamp: "timestamp"
        case .bytes: "bytes"
        case .geoPoint: "geopoint"
        case .reference: "reference"
        case .vector: "vector"
        case .string: "string"
        case .array: "array"
        case .map: "map"
        }
    }

    package init?(name: String) {
        guard let type = Self.allCases.first(where: { equalUTF8($0.name, name) }) else { return nil }
        self = type
    }

    /// nil for damaged bytes.
    package init?(_ value: ValueView) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double: self = .double
        case .timestamp: self = .timestamp
        case .string: self = .string
        case .bytes: self = .bytes
        case .reference: self = .reference
        case .geoPoint: self = .geoPoint
        case .array: self = .array
        case .map: self = value.vector == nil ? .map : .vector
        case .malformed: return nil
        }
    }

    package static func < (left: StoredType, right: StoredType) -> Bool { left.rawValue < right.rawValue }
}
