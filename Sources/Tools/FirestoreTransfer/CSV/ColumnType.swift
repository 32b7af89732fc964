// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The type of the cells of a CSV column.
package enum ColumnType: String, CaseIterable, Sendable {
    case string
    case int
    case double
    case bool
    case timestamp
    /// In base64.
    case bytes
    /// `37.8,-122.4`: latitude and longitude.
    case geopoint
    /// The path of a document.
    case reference
    /// Typed JSON: arrays, maps, everything else.
    case json

    /// A description of the cells of this type, for errors.
    var description: String {
        switch self {
        case .string: "a string"
        case .int: "a whole number of 64 bits"
        case .double: "a number"
        case .bool: "true or false"
        case .timestamp: "a time of RFC 3339 (2026-11-21T09:30:00Z) or a date (2026-11-21)"
        case .bytes: "base64"
        case .geopoint: "a latitude and a longitude, separated by a comma"
        case .reference: "the path of a document"
        case .json: "typed JSON"
        }
    }

    /// The value of a cell whose type is neither string nor JSON; nil if the cell is not of the type. Surrounding
    /// blanks are ignored.
    func value(_ cell: String, in database: DatabaseID) -> Value? {
        let text = Self.trimmed(cell)
        switch self {
        case .string, .json: return nil
        case .int: return Int64(text).map { .integer($0) }
        case .double: return Self.double(text).map { .double($0) }
        case .bool: return Self.words[text.lowercased()].map { .boolean($0) }
        case .timestamp: return TimestampValue(dateOrTime: text).map { .timestamp($0.truncatedToMicroseconds) }
        case .bytes: return Base64.decode(text).map { .bytes($0) }
        case .geopoint:
            let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { Self.trimmed(String(Substring($0))) }
            guard parts.count == 2, let latitude = Self.double(parts[0]), let longitude = Self.double(parts[1]) else { return nil }
            return .geoPoint(GeoPointValue(latitude: latitude, longitude: longitude))
        case .reference: return (try? PathCheck.documentKey(text)).map { .reference(database.name(of: $0)) }
        }
    }

    private static let words = ["true": true, "false": false, "1": true, "0": false]

    static func trimmed(_ text: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let utf8 = text.utf8
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(text[first...last])
    }

    /// Digits with a point and an exponent, or the names of infinity and NaN. (Swift accepts more, such as `0x1p3`.)
    private static func double(_ text: String) -> Double? {
        switch text {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default:
            let isDecimal = text.utf8.allSatisfy { JSONScanner.isDigit($0) || "+-.eE".utf8.contains($0) }
            guard isDecimal, let number = Double(text), number.isFinite else { return nil }
            return number
        }
    }
}
