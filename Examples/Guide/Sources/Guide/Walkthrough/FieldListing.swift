// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Lines `name  type  value` for the fields of a document, in the way the web console lists them.
struct FieldListing {
    private(set) var lines: [String] = []
    private let style: TextStyle

    init(_ fields: [String: Any], _ style: TextStyle) {
        self.style = style
        add(fields, indent: "")
    }

    private mutating func add(_ fields: [String: Any], indent: String) {
        let width = fields.keys.map(\.count).max() ?? 0
        for (name, value) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            add(name.padded(to: width), value, indent: indent)
        }
    }

    private mutating func add(_ name: String, _ value: Any, indent: String) {
        if let elements = value as? [Any], let line = Self.oneLine(elements) {
            lines.append(indent + name + "  " + style.faint("array".padded(to: 9)) + "  " + line)
            return
        }
        let (type, text) = Self.describe(value)
        lines.append(indent + name + "  " + style.faint(type.padded(to: 9)) + "  " + text)
        switch value {
        case let map as [String: Any]:
            add(map, indent: indent + "  ")
        case let array as [Any]:
            for (index, element) in array.enumerated() { add("[\(index)]", element, indent: indent + "  ") }
        default: break
        }
    }

    /// An array of a few plain values reads better in one line.
    private static func oneLine(_ elements: [Any]) -> String? {
        guard !elements.contains(where: { $0 is [Any] || $0 is [String: Any] }) else { return nil }
        let line = "[" + elements.map { describe($0).text }.joined(separator: ", ") + "]"
        return line.count <= 60 ? line : nil
    }

    /// The Firestore type of a value as `data()` hands it out, and its text.
    static func describe(_ value: Any) -> (type: String, text: String) {
        switch value {
        case is NSNull: ("null", "null")
        case let text as String: ("string", "\"\(text)\"")
        case let time as Timestamp: ("timestamp", describe(time))
        case let point as GeoPoint: ("geopoint", describe(point))
        case let reference as DocumentReference: ("reference", reference.path)
        case let vector as VectorValue: ("vector", "\(vector.array)")
        case let bytes as Data: ("bytes", "\(bytes.count) bytes")
        case let number as NSNumber: describe(number)
        case let array as [Any]: ("array", array.count == 1 ? "1 element" : "\(array.count) elements")
        case let map as [String: Any]: ("map", map.count == 1 ? "1 field" : "\(map.count) fields")
        default: ("unknown", "\(value)")
        }
    }

    /// One class represents three types; its encoding distinguishes them.
    private static func describe(_ number: NSNumber) -> (type: String, text: String) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): ("boolean", number.boolValue ? "true" : "false")
        case UInt8(ascii: "d"), UInt8(ascii: "f"): ("double", "\(number.doubleValue)")
        default: ("integer", "\(number.int64Value)")
        }
    }

    static func describe(_ time: Timestamp) -> String {
        let seconds = Date(timeIntervalSince1970: Double(time.seconds)).formatted(.iso8601)
        guard time.nanoseconds >= 1000 else { return seconds }
        let microseconds = String(time.nanoseconds / 1000)
        let fraction = String(repeating: "0", count: 6 - microseconds.count) + microseconds
        return seconds.dropLast() + "." + (fraction.hasSuffix("000") ? fraction.dropLast(3) : fraction[...]) + "Z"
    }

    static func describe(_ point: GeoPoint) -> String {
        let latitude = "\(abs(point.latitude))° \(point.latitude < 0 ? "S" : "N")"
        let longitude = "\(abs(point.longitude))° \(point.longitude < 0 ? "W" : "E")"
        return "\(latitude), \(longitude)"
    }
}
