// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A type that accepts a missing field: `@ServerTimestamp` and `@ExplicitNull` are nil then (R83, R90).
package protocol DecodableFromMissingField {
    init(missingField: Void)
    /// The kind of deviation that a tolerance report contains for a missing field; nil where that is not a deviation.
    static var toleranceWhenMissing: ToleranceKind? { get }
}

extension DecodableFromMissingField {
    package static var toleranceWhenMissing: ToleranceKind? { nil }
}

/// Values of any type: scalars, Foundation's types and arrays of scalars are decoded directly, all other types by
/// `init(from:)`.
extension DecodingState {
    func decode<T: Decodable>(_ type: T.Type, from value: ValueView, _ place: DecodingPlace) throws -> T {
        if T.self == String.self { return unsafeBitCast(try string(value, place), to: T.self) }
        if T.self == Int.self { return unsafeBitCast(try integer(Int.self, value, place), to: T.self) }
        if T.self == Double.self { return unsafeBitCast(try double(value, place), to: T.self) }
        if T.self == Date.self { return unsafeBitCast(try date(value, place), to: T.self) }
        if T.self == URL.self { return unsafeBitCast(try url(value, place), to: T.self) }
        if T.self == Data.self { return unsafeBitCast(try data(value, place), to: T.self) }
        if T.self == Decimal.self { return unsafeBitCast(try decimal(value, place), to: T.self) }
        if T.self == [String].self, !readsElements {
            return unsafeBitCast(try array(value, place) { try self.string($0, $1()) } as [String], to: T.self)
        }
        if T.self == [Double].self, !readsElements { return unsafeBitCast(try doubles(value, place), to: T.self) }
        if T.self == [Int].self, !readsElements {
            return unsafeBitCast(try array(value, place) { try self.integer(Int.self, $0, $1()) } as [Int], to: T.self)
        }
        if T.self == [Float].self, !readsElements {
            return unsafeBitCast(try array(value, place) { try self.float($0, $1()) } as [Float], to: T.self)
        }
        if T.self == [Bool].self, !readsElements {
            return unsafeBitCast(try array(value, place) { try self.boolean($0, $1()) } as [Bool], to: T.self)
        }
        if let objects, let object: T = passthroughObject(value, among: objects) { return object }
        let decoder = decoder(value, place)
        markDictionary(type, at: decoder.node)
        do {
            return try T(from: decoder)
        } catch let error as DecodingError {
            throw explained(error, type, place)
        }
    }

    /// Whether arrays of scalars ask for each element, so that an audit finds every failure in them.
    @inline(__always) private var readsElements: Bool { audit != nil }

    /// An object that is passed through unchanged if exactly its type is requested (R31).
    private func passthroughObject<T>(_ value: ValueView, among objects: StructureObjects) -> T? {
        guard let object = objects.object(namedBy: value), type(of: object) == T.self,
            let typed = object as? T, options.passthrough?.isPassthroughType(typed) == true
        else { return nil }
        return typed
    }

    /// Exempts the keys of a `[String: T]` from the key strategy (R67). Costs nothing without a strategy.
    @inline(__always)
    func markDictionary<T>(_ type: T.Type, at node: DecodingNode?) {
        guard !usesDefaultKeys, T.self is any StringKeyedDictionary.Type else { return }
        if let node { node.isExemptFromKeyStrategy = true } else { isRootExemptFromKeyStrategy = true }
    }

    /// A decoder for the value at a place. Without a key the value is the node's own.
    @inline(__always)
    func decoder(_ value: ValueView, _ place: DecodingPlace) -> ValueDecoder {
        ValueDecoder(state: self, node: place.key.map { DecodingNode(place.node, $0, .value(value)) } ?? place.node)
    }

    // MARK: Arrays of scalars

    private func elements(_ value: ValueView, _ place: DecodingPlace) throws -> ArrayView {
        guard let elements = value.elements else { throw mismatch([Any].self, found: value, place) }  // R94
        return elements
    }

    @inline(__always)
    private func array<T>(
        _ value: ValueView, _ place: DecodingPlace,
        _ read: (ValueView, () -> DecodingPlace) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        for element in try elements(value, place) {
            result.append(
                try read(element) {
                    DecodingPlace(node: self.decoder(value, place).node, key: IndexKey(result.count))
                })
        }
        return result
    }

    /// Consecutive doubles are eleven bytes apart, as long as all elements are doubles.
    private func doubles(_ value: ValueView, _ place: DecodingPlace) throws -> [Double] {
        let bytes = try elements(value, place).bytes
        let stride = 11
        guard let start = bytes.baseAddress, bytes.count % stride == 0 else {
            return try array(value, place) { try self.double($0, $1()) }
        }
        let count = bytes.count / stride
        var isUniform = true
        let result = [Double](unsafeUninitializedCapacity: count) { target, initialized in
            for index in 0..<count {
                let element = start + index * stride
                guard element.load(as: UInt8.self) == WireTag.arrayElement,
                    element.load(fromByteOffset: 1, as: UInt8.self) == 9,
                    element.load(fromByteOffset: 2, as: UInt8.self) == WireTag.double
                else {
                    isUniform = false
                    return
                }
                let bits = UInt64(littleEndian: element.loadUnaligned(fromByteOffset: 3, as: UInt64.self))
                (target.baseAddress! + index).initialize(to: Double(bitPattern: bits))
                initialized = index + 1
            }
        }
        return isUniform ? result : try array(value, place) { try self.double($0, $1()) }
    }
}
