// SPDX-License-Identifier: Apache-2.0

/// The order in which the cases of a choice are tried, and their names.
///
/// A type is tried before those that would accept its values too: `Data` decodes from strings in base64, so strings come
/// before bytes. (Maps that pass for timestamps, geopoints or vectors are recognised beforehand: `ChoicePrinter`.)
enum ChoiceOrder {
    private static let order: [StoredType] = [
        .boolean, .integer, .double, .timestamp, .geoPoint, .reference, .vector, .string, .bytes, .array, .map, .null,
    ]

    static func sorted(_ types: [TypeFacts]) -> [TypeFacts] {
        order.compactMap { type in types.first { $0.type == type } }
    }

    static func name(_ stored: StoredType, _ type: FieldType) -> String {
        switch stored {
        case .null: "null"
        case .boolean: "bool"
        case .integer: "int"
        case .double: "double"
        case .timestamp: if case .date = type { "date" } else { "timestamp" }
        case .bytes: "data"
        case .geoPoint: "geoPoint"
        case .reference: "reference"
        case .vector: "vector"
        case .string: "string"
        case .array: "array"
        case .map: "map"
        }
    }
}
