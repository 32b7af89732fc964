// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The fields of a document or map, looked up in the bytes by the keys of a type.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let state: DecodingState
    /// nil: the document. The struct has two words, because the standard library copies a container for every call.
    let node: DecodingNode?

    @inline(__always)
    init(state: DecodingState, fields: FieldsView, node: DecodingNode?, isExempt: Bool) {
        self.state = state
        self.node = node
        open(fields, isExempt: isExempt)
    }

    @inline(__always)
    private func open(_ fields: FieldsView, isExempt: Bool) {
        let renamed = state.usesDefaultKeys || isExempt ? nil : RenamedFields(fields, state: state, node: node)
        let map = DecodedMap(fields: fields, renamed: renamed)
        if let node { node.map = map } else { state.map = map }
    }

    @inline(__always) private var map: DecodedMap { node?.map ?? state.map }
    /// Without `map`, whose copy would retain a reference for every field.
    @inline(__always) private var fields: FieldsView { if let node { node.map.fields } else { state.map.fields } }

    var codingPath: [any CodingKey] { DecodingNode.path(node) }

    /// The keys that the type can represent, after conversion (R59).
    var allKeys: [Key] {
        (map.renamed?.names ?? fields.map { String(decoding: $0.name, as: UTF8.self) }).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    /// The stored value of a key, for audits.
    func stored(_ key: Key) -> ValueView? { find(key) }

    @inline(__always)
    private func find(_ key: Key) -> ValueView? {
        if !state.usesDefaultKeys, let renamed = map.renamed { return renamed.find(key.stringValue) }
        return state.find(key.stringValue, in: fields)
    }

    @inline(__always)
    private func value(_ key: Key, for type: Any.Type) throws -> ValueView {
        guard let value = find(key) else { throw state.keyNotFound(key, type, in: fields, node) }
        return value
    }

    /// nil for a missing field and for null (R22).
    @inline(__always)
    private func valueIfPresent(_ key: Key) throws -> ValueView? {
        guard let value = find(key) else {
            if state.isDamaged { throw state.damaged(place(key)) }
            return nil
        }
        return value.isNull ? nil : value
    }

    private func place(_ key: Key) -> DecodingPlace { DecodingPlace(node: node, key: key) }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key, for: Any?.self).isNull }

    // MARK: Any type

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let value = find(key) else { return try decodeMissing(type, key) }
        // The field with this name in the document is ignored (R73, R74).
        if T.self is any StructureCodingUncodedUnkeyed.Type { return try T(from: decoder(.nothing, key)) }
        return try state.decode(type, from: value, place(key))
    }

    private func decodeMissing<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        if T.self is any StructureCodingUncodedUnkeyed.Type { return try T(from: decoder(.nothing, key)) }
        return try decodeTolerated(type, key)
    }

    /// A function of its own: its locals need metadata of the optional type, which an id does not have to wait for.
    @inline(never)
    private func decodeTolerated<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        if !state.isDamaged, let tolerant = T.self as? any DecodableFromMissingField.Type,
            let result = tolerant.init(missingField: ()) as? T
        {
            if let kind = tolerant.toleranceWhenMissing { state.noteTolerance(kind, node, key) }
            return result
        }
        throw state.keyNotFound(key, type, in: fields, node)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let value = try valueIfPresent(key) else { return nil }
        if T.self is any StructureCodingUncodedUnkeyed.Type { return try T(from: decoder(.nothing, key)) }
        return try state.decode(type, from: value, place(key))
    }

    // MARK: Containers in containers

    private func decoder(_ slot: DecodingSlot, _ key: any CodingKey) -> ValueDecoder {
        ValueDecoder(state: state, node: DecodingNode(node, key, slot))
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        let (fields, inner) = try nestedFields(forKey: key)
        return KeyedDecodingContainer(KeyedReader<Inner>(state: state, fields: fields, node: inner, isExempt: false))
    }

    func nestedFields(forKey key: Key) throws -> (FieldsView, DecodingNode) {
        let value = try value(key, for: [String: Any].self)
        guard let map = value.fields else { throw state.nestedMismatch([String: Any].self, value, key, node) }
        return (map, DecodingNode(node, key, .value(value)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try nestedElements(forKey: key) }

    func nestedElements(forKey key: Key) throws -> UnkeyedReader {
        let value = try value(key, for: [Any].self)
        guard let elements = value.elements else { throw state.nestedMismatch([Any].self, value, key, node) }
        return UnkeyedReader(state: state, elements: elements, node: DecodingNode(node, key, .value(value)))
    }

    func superDecoder() throws -> any Decoder { superDecoder(named: NameKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key) }

    /// A missing field behaves like null; reading from it fails (R56).
    private func superDecoder(named key: any CodingKey) -> any Decoder {
        let found = map.renamed.map { $0.find(key.stringValue) } ?? state.find(key.stringValue, in: fields)
        return decoder(found.map { .value($0) } ?? .nothing, key)
    }

    // MARK: Scalars

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try state.boolean(value(key, for: type), place(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try state.string(value(key, for: type), place(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try state.double(value(key, for: type), place(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try state.float(value(key, for: type), place(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try state.integer(type, value(key, for: type), place(key))
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try state.integer(type, value(key, for: type), place(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try valueIfPresent(key).map { try state.boolean($0, place(key)) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try valueIfPresent(key).map { try state.string($0, place(key)) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try valueIfPresent(key).map { try state.double($0, place(key)) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try valueIfPresent(key).map { try state.float($0, place(key)) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try valueIfPresent(key).map { try state.integer(type, $0, place(key)) }
    }
}

extension DecodingState {
    /// For containers that are requested explicitly, null is a mismatch, too, and the path is that of the enclosing
    /// container (R93).
    @inline(never)
    func nestedMismatch(
        _ expected: Any.Type, _ value: ValueView, _ key: any CodingKey, _ node: DecodingNode?
    ) -> DecodingError {
        let inner = DecodingPlace(node: node, key: key)
        if value.kind == .malformed { return damaged(inner) }
        return .typeMismatch(
            expected,
            DecodingError.Context(
                codingPath: DecodingNode.path(node),
                debugDescription: "\(subject(inner.codingPath)) holds \(Self.description(of: value)), "
                    + "but \(Self.words(expected)) was expected."))
    }
}
