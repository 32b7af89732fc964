// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A decoded `EntityProto`.
struct EntityParts {
    private(set) var key: UnsafeRawBufferPointer?
    /// The properties with and without an index, in order.
    private(set) var properties: [UnsafeRawBufferPointer] = []

    init(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) {
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (EntityField.key, .bytes(let bytes)): key = bytes
            case (EntityField.property, .bytes(let bytes)), (EntityField.rawProperty, .bytes(let bytes)): properties.append(bytes)
            case (EntityField.key, _), (EntityField.property, _), (EntityField.rawProperty, _): throw EntityProblem(.malformed)
            default: break
            }
        }
    }
}

/// A decoded `Property`.
struct EntityProperty {
    private(set) var name: UnsafeRawBufferPointer
    private(set) var meaning = EntityMeaning.none
    /// Whether it is an element of an array.
    private(set) var isMultiple = false
    private(set) var value = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) {
        var found: UnsafeRawBufferPointer?
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (EntityField.name, .bytes(let bytes)): found = bytes
            case (EntityField.meaning, .varint(let number)): meaning = Int(truncatingIfNeeded: number)
            case (EntityField.multiple, .varint(let flag)): isMultiple = flag != 0
            case (EntityField.value, .bytes(let bytes)): value = bytes
            case (EntityField.name, _), (EntityField.meaning, _), (EntityField.multiple, _), (EntityField.value, _):
                throw EntityProblem(.malformed)
            default: break
            }
        }
        guard let found else { throw EntityProblem(.noName) }
        name = found
    }
}

/// A `PropertyValue`: at most one of its fields.
enum EntityValue {
    case null
    case integer(Int64)
    case boolean(Bool)
    case string(UnsafeRawBufferPointer)
    case double(Double)
    case point(GeoPointValue)
    case reference(UnsafeRawBufferPointer)
    case user

    init(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) {
        self = .null
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (EntityField.integer, .varint(let bits)): self = .integer(Int64(bitPattern: bits))
            case (EntityField.boolean, .varint(let flag)): self = .boolean(flag != 0)
            case (EntityField.string, .bytes(let bytes)): self = .string(bytes)
            case (EntityField.double, .fixed64(let bits)): self = .double(Double(bitPattern: bits))
            case (EntityField.point, .group(let inner)): self = .point(try Self.point(inner))
            case (EntityField.reference, .group(let inner)): self = .reference(inner)
            case (EntityField.user, _): self = .user
            default: throw EntityProblem(.malformed)
            }
        }
    }

    /// x is the latitude.
    private static func point(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) -> GeoPointValue {
        var point = GeoPointValue(latitude: 0, longitude: 0)
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            switch (number, payload) {
            case (EntityField.x, .fixed64(let bits)): point.latitude = Double(bitPattern: bits)
            case (EntityField.y, .fixed64(let bits)): point.longitude = Double(bitPattern: bits)
            default: throw EntityProblem(.malformed)
            }
        }
        return point
    }
}
