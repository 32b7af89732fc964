// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The content of a `[String: Any]`, as text that preserves what equality loses: booleans differ from integers, integers
/// from doubles, timestamps from dates. Two dictionaries are the same data when their texts are.
func fieldText(_ value: Any?) -> String {
    guard let value else { return "missing" }
    switch value {
    case is NSNull: return "null"
    case let number as NSNumber: return numberText(number)
    case let text as String: return "\"\(text)\""
    case let data as Data: return "bytes(" + data.map { String($0, radix: 16) }.joined(separator: " ") + ")"
    case let timestamp as Timestamp: return "TS(\(timestamp.seconds), \(timestamp.nanoseconds))"
    case let point as GeoPoint: return "GeoPoint(\(point.latitude), \(point.longitude))"
    case let reference as DocumentReference: return "reference(\(reference.path))"
    case let vector as VectorValue: return "vector(\(vector.array))"
    case let sentinel as FieldValue: return "FieldValue(\(sentinel))"
    case let array as [Any]: return "[" + array.map { fieldText($0) }.joined(separator: ", ") + "]"
    case let map as [String: Any]:
        return "{" + map.sorted { $0.key < $1.key }.map { "\($0.key): \(fieldText($0.value))" }.joined(separator: ", ") + "}"
    default: return "\(type(of: value))(\(value))"
    }
}

private func numberText(_ number: NSNumber) -> String {
    // The only two boolean objects there are; equality would take 1 for one of them.
    if number === NSNumber(value: true) { return "true" }
    if number === NSNumber(value: false) { return "false" }
    if number is NSDecimalNumber { return "\(number.doubleValue)" }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return "\(number.doubleValue)"
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): return "\(number.uint64Value)"
    default: return "\(number.int64Value)"
    }
}

/// A coding path in the rules' notation, without the brackets: `a.b.Index 1`.
func pathText(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
