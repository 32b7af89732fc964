// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The fields of a document or map, as an audit gives them to a type: what `KeyedReader` answers, noted.
struct AuditingKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedReader<Key>
    let audit: DecodingAudit
    let field: AuditedField

    init(base: KeyedReader<Key>, audit: DecodingAudit, isExempt: Bool) {
        self.base = base
        self.audit = audit
        field = audit.field(of: base.node)
        field.isStruct = true
        field.isExempt = isExempt
        field.restart()
    }

    var codingPath: [any CodingKey] { base.codingPath }

    /// A type that lists the keys it finds takes any, unless its own keys are few.
    var allKeys: [Key] {
        if Key.isOpen { field.isOpen = true }
        return base.allKeys
    }

    func contains(_ key: Key) -> Bool {
        noteRequest(Any?.self, key, isIfPresent: true)
        return base.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try required(Any?.self, key) { try base.decodeNil(forKey: key) }
    }

    @discardableResult
    @inline(__always)
    private func noteRequest(_ type: Any.Type, _ key: Key, isIfPresent: Bool) -> AuditedField {
        let child = field.child(key.stringValue)
        audit.noteRequest(type, child, isIfPresent: isIfPresent)
        return child
    }

    @inline(__always)
    private func required<T>(_ type: Any.Type, _ key: Key, _ body: () throws -> T) throws -> T {
        let child = noteRequest(type, key, isIfPresent: false)
        if !audit.repairs, !child.needsDonor { return try body() }
        return try audit.answer(
            type, at: DecodingPlace(node: base.node, key: key), in: base.state, child, stored: { base.stored(key) }, body)
    }

    @inline(__always)
    private func optional<T>(_ type: Any.Type, _ key: Key, _ body: () throws -> T?) throws -> T? {
        let child = noteRequest(type, key, isIfPresent: true)
        if !audit.repairs, !child.needsDonor { return try body() }
        return try audit.answer(
            type, at: DecodingPlace(node: base.node, key: key), in: base.state, child, stored: { base.stored(key) }, body)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try required(type, key) { try base.decode(type, forKey: key) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }

    // MARK: Containers in containers

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try required([String: Any].self, key) {
            let (fields, node) = try base.nestedFields(forKey: key)
            let inner = KeyedReader<Inner>(state: base.state, fields: fields, node: node, isExempt: false)
            return KeyedDecodingContainer(AuditingKeyedReader<Inner>(base: inner, audit: audit, isExempt: false))
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try required([Any].self, key) {
            AuditingUnkeyedReader(base: try base.nestedElements(forKey: key), audit: audit)
        }
    }

    func superDecoder() throws -> any Decoder {
        audit.noteRequest(Any?.self, field.child(NameKey.super.stringValue), isIfPresent: true)
        return try base.superDecoder()
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        noteRequest(Any?.self, key, isIfPresent: true)
        return try base.superDecoder(forKey: key)
    }

    // MARK: Scalars

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try required(type, key) { try base.decode(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try optional(type, key) { try base.decodeIfPresent(type, forKey: key) }
    }
}
