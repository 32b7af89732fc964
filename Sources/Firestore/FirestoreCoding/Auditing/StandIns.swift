// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Values that replace ones that could not be decoded, so that decoding continues and every failure of a document is found
/// (MP-34). The result of such a decoding is thrown away.
package enum StandIns {
    /// A stand-in that needs no decoding: zero, empty, the epoch, the first case of an enum; nil if there is none.
    package static func simple<T>(_ type: T.Type) -> T? {
        if let standIn = type as? any StandInType.Type { return standIn.standIn as? T }
        if T.self == Date.self { return Date(timeIntervalSince1970: 0) as? T }
        if T.self == URL.self { return URL(string: "https://example.com") as? T }
        if let enumeration = type as? any CaseIterable.Type { return first(of: enumeration) as? T }
        return firstCase(type)
    }

    /// A stand-in for any type that can be decoded from stand-ins.
    package static func any<T: Decodable>(_ type: T.Type) -> T? {
        if let value = simple(type) { return value }
        return try? T(from: ProbeDecoder(state: ProbeState(), path: [], depth: 0))
    }

    private static func first<Enumeration: CaseIterable>(of type: Enumeration.Type) -> Enumeration? { type.allCases.first }

    /// The first case of an enum that is not `CaseIterable`. Its cases cannot be listed, but an enum of at most one byte has
    /// zero as the bits of its first case, whether it has no payloads or small ones.
    static func firstCase<T>(_ type: T.Type) -> T? {
        guard T.self != Never.self, kind(of: type) == enumerationKind else { return nil }
        // One case: no bits at all.
        if MemoryLayout<T>.size == 0 { return unsafeBitCast((), to: T.self) }
        return MemoryLayout<T>.size == 1 ? unsafeBitCast(0 as UInt8, to: T.self) : nil
    }

    /// The kind of a type: the first word of its metadata, which the stable ABI of Swift defines.
    private static func kind<T>(of type: T.Type) -> UInt {
        unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self).pointee
    }

    /// `MetadataKind.enum`.
    private static let enumerationKind: UInt = 0x201
}

package protocol StandInType {
    static var standIn: Self { get }
}

extension Bool: StandInType { package static var standIn: Bool { false } }
extension String: StandInType { package static var standIn: String { "" } }
extension Double: StandInType { package static var standIn: Double { 0 } }
extension Float: StandInType { package static var standIn: Float { 0 } }
extension Int: StandInType { package static var standIn: Int { 0 } }
extension Int8: StandInType { package static var standIn: Int8 { 0 } }
extension Int16: StandInType { package static var standIn: Int16 { 0 } }
extension Int32: StandInType { package static var standIn: Int32 { 0 } }
extension Int64: StandInType { package static var standIn: Int64 { 0 } }
extension UInt: StandInType { package static var standIn: UInt { 0 } }
extension UInt8: StandInType { package static var standIn: UInt8 { 0 } }
extension UInt16: StandInType { package static var standIn: UInt16 { 0 } }
extension UInt32: StandInType { package static var standIn: UInt32 { 0 } }
extension UInt64: StandInType { package static var standIn: UInt64 { 0 } }
extension Array: StandInType { package static var standIn: [Element] { [] } }
extension Set: StandInType { package static var standIn: Set<Element> { [] } }
extension Dictionary: StandInType { package static var standIn: [Key: Value] { [:] } }
extension Optional: StandInType { package static var standIn: Wrapped? { nil } }
extension Data: StandInType { package static var standIn: Data { Data() } }
extension Decimal: StandInType { package static var standIn: Decimal { 0 } }
extension UUID: StandInType {
    package static var standIn: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

/// A scalar with stand-ins for types that reject zero and empty strings, tried one after the other; the last one again if
/// another scalar has more.
package protocol ScalarStandIns: StandInType {
    static var others: [Self] { get }
}

extension ScalarStandIns where Self: BinaryInteger {
    package static var others: [Self] { [1, 100, Self(clamping: 2_000)] }
}

extension Bool: ScalarStandIns { package static var others: [Bool] { [true] } }
extension Double: ScalarStandIns { package static var others: [Double] { [1, 100, 2_000] } }
extension Float: ScalarStandIns { package static var others: [Float] { [1, 100, 2_000] } }
extension Int: ScalarStandIns {}
extension Int8: ScalarStandIns {}
extension Int16: ScalarStandIns {}
extension Int32: ScalarStandIns {}
extension Int64: ScalarStandIns {}
extension UInt: ScalarStandIns {}
extension UInt8: ScalarStandIns {}
extension UInt16: ScalarStandIns {}
extension UInt32: ScalarStandIns {}
extension UInt64: ScalarStandIns {}
extension String: ScalarStandIns {
    package static var others: [String] {
        [
            "a", "1", "name@example.com", "https://example.com", "2000-01-01T00:00:00Z", "2000-01-01",
            "00000000-0000-0000-0000-000000000000", "#000000",
        ]
    }
}

/// A type that is stored as one value, although it may ask other coders for keys: none of them is a field.
package protocol UnprobedType {}

extension Bool: UnprobedType {}
extension String: UnprobedType {}
extension Double: UnprobedType {}
extension Float: UnprobedType {}
extension Int: UnprobedType {}
extension Int8: UnprobedType {}
extension Int16: UnprobedType {}
extension Int32: UnprobedType {}
extension Int64: UnprobedType {}
extension UInt: UnprobedType {}
extension UInt8: UnprobedType {}
extension UInt16: UnprobedType {}
extension UInt32: UnprobedType {}
extension UInt64: UnprobedType {}
extension Date: UnprobedType {}
extension Data: UnprobedType {}
extension Decimal: UnprobedType {}
extension URL: UnprobedType {}
extension UUID: UnprobedType {}
