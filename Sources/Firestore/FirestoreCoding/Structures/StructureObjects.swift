// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Converts between the bytes of the codec and the plain structures of `FirebaseDataEncoder`.
///
/// Objects that have no form as bytes are stored here. The bytes refer to them by number, in the form of a reference,
/// which structures do not have.
final class StructureObjects {
    private var objects: [Any] = []

    func add(_ object: Any) -> String {
        objects.append(object)
        return String(objects.count - 1)
    }

    /// The object that a value refers to.
    func object(namedBy value: ValueView) -> Any? {
        guard let name = value.referenceBytes, let index = Int(String(decoding: name, as: UTF8.self)),
            objects.indices.contains(index)
        else { return nil }
        return objects[index]
    }

    /// A structure from bytes that the encoder wrote.
    func object(_ view: ValueView) -> Any {
        switch view.kind {
        case .boolean: view.boolean.map { NSNumber(value: $0) } ?? NSNull()
        case .integer: view.integer.map { NSNumber(value: $0) } ?? NSNull()
        case .double: view.double.map { NSNumber(value: $0) } ?? NSNull()
        case .string: view.string ?? NSNull()
        case .bytes: view.dataBytes.map { Data($0) } ?? NSNull()
        case .array: view.elements.map { $0.map { object($0) } } ?? NSNull()
        case .map: view.fields.map { dictionary($0) } ?? NSNull()
        case .reference: object(namedBy: view) ?? NSNull()
        case .null, .timestamp, .geoPoint, .malformed: NSNull()
        }
    }

    private func dictionary(_ fields: FieldsView) -> [String: Any] {
        var result: [String: Any] = [:]
        for (name, value) in fields { result[String(decoding: name, as: UTF8.self)] = object(value) }
        return result
    }
}

extension StructureObjects: StructureRules {
    func checkDepth(_ depth: Int) {}

    func scalar(_ object: Any) -> Value? {
        switch object {
        case is NSNull: return .null
        case let integer as any BinaryInteger: return Int64(exactly: integer).map { .integer($0) } ?? .reference(add(object))
        case let double as any BinaryFloatingPoint: return .double(Double(double))
        case let decimal as Decimal: return .double(decimal.nearestDouble)
        case let number as NSNumber:
            switch number.content {
            case .boolean(let flag): return .boolean(flag)
            case .integer(let integer): return .integer(integer)
            case .double(let double): return .double(double)
            case .unsigned: return .reference(add(number))
            }
        case let text as String: return .string(text)
        case let text as Substring: return .string(String(text))
        case let data as Data: return .bytes([UInt8](data))
        default: return nil
        }
    }

    /// An object that has no form as bytes is passed through unchanged.
    func substitute(_ object: Any) -> StructureSubstitute {
        if let remote = object as? any FirebaseRemoteConfigValueDecoding { return .structure(remote.structure) }
        return .value(.reference(add(object)))
    }
}
