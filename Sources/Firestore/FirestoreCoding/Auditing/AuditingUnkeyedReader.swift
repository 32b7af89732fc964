// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The elements of an array, as an audit gives them to a type: what `UnkeyedReader` answers, noted.
struct AuditingUnkeyedReader: UnkeyedDecodingContainer {
    private var base: UnkeyedReader
    private let audit: DecodingAudit
    private let elements: AuditedField

    init(base: UnkeyedReader, audit: DecodingAudit) {
        self.base = base
        self.audit = audit
        elements = audit.field(of: base.node).anyElement
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    private mutating func answer<T>(_ type: Any.Type, _ body: (inout UnkeyedReader) throws -> T) throws -> T {
        audit.noteRequest(type, elements, isIfPresent: false)
        let index = base.currentIndex
        let place = DecodingPlace(node: base.node, key: IndexKey(index))
        let stored = base.stored
        let value = try audit.answer(type, at: place, in: base.state, elements, stored: { stored }) { try body(&base) }
        // A failed read does not advance, and its stand-in has to.
        if base.currentIndex == index, !base.isAtEnd { base.skip() }
        return value
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try answer(type) { try $0.decode(type) } }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        try answer([String: Any].self) { try $0.nestedContainer(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try answer([Any].self) { try $0.nestedUnkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try base.superDecoder() }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try answer(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try answer(type) { try $0.decode(type) } }
}
