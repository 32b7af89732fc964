// SPDX-License-Identifier: Apache-2.0

/// The decoder that a probed type receives: it has every key, and a stand-in for every value.
struct ProbingDecoder: Decoder {
    let probe: FieldProbe
    /// 0 for the document itself, whose keys are recorded.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbingKeys<Key>(probe: probe, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ProbingElements(probe: probe, depth: depth) }

    func singleValueContainer() -> any SingleValueDecodingContainer { ProbingValue(probe: probe, depth: depth) }
}

private struct ProbingKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: FieldProbe
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    private func ask(_ key: Key, _ type: Any.Type, isOptional: Bool = false, isOpaque: Bool = false) {
        guard depth == 0 else { return }
        probe.record(FieldProbe.Request(key: key.stringValue, type: type, isOptional: isOptional, isOpaque: isOpaque))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        ask(key, type)
        let value = try probe.standIn(type, depth: depth)
        if depth == 0 { probe.note(value) }
        return value
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        ask(key, type, isOptional: true)
        return nil
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedDecodingContainer<Inner> {
        ask(key, Any.self, isOpaque: true)
        return KeyedDecodingContainer(ProbingKeys<Inner>(probe: probe, depth: depth + 1))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        ask(key, Any.self, isOpaque: true)
        return ProbingElements(probe: probe, depth: depth + 1)
    }

    func superDecoder() -> any Decoder { ProbingDecoder(probe: probe, depth: depth + 1) }

    func superDecoder(forKey key: Key) -> any Decoder {
        ask(key, Any.self, isOpaque: true)
        return ProbingDecoder(probe: probe, depth: depth + 1)
    }

    func decode(_ type: Bool.Type, forKey key: Key) -> Bool {
        ask(key, type)
        return false
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: String.Type, forKey key: Key) -> String {
        ask(key, type)
        return ""
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Double.Type, forKey key: Key) -> Double {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Float.Type, forKey key: Key) -> Float {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Int.Type, forKey key: Key) -> Int {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? {
        ask(key, type, isOptional: true)
        return nil
    }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 {
        ask(key, type)
        return 0
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? {
        ask(key, type, isOptional: true)
        return nil
    }
}

/// An empty array.
private struct ProbingElements: UnkeyedDecodingContainer {
    let probe: FieldProbe
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.standIn(type, depth: depth + 1) }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedDecodingContainer<Inner> {
        KeyedDecodingContainer(ProbingKeys<Inner>(probe: probe, depth: depth + 1))
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { ProbingElements(probe: probe, depth: depth + 1) }
    func superDecoder() -> any Decoder { ProbingDecoder(probe: probe, depth: depth + 1) }
}

/// Zero, or an empty text.
private struct ProbingValue: SingleValueDecodingContainer {
    let probe: FieldProbe
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.standIn(type, depth: depth + 1) }
    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode(_ type: Double.Type) -> Double { 0 }
    func decode(_ type: Float.Type) -> Float { 0 }
    func decode(_ type: Int.Type) -> Int { 0 }
    func decode(_ type: Int8.Type) -> Int8 { 0 }
    func decode(_ type: Int16.Type) -> Int16 { 0 }
    func decode(_ type: Int32.Type) -> Int32 { 0 }
    func decode(_ type: Int64.Type) -> Int64 { 0 }
    func decode(_ type: UInt.Type) -> UInt { 0 }
    func decode(_ type: UInt8.Type) -> UInt8 { 0 }
    func decode(_ type: UInt16.Type) -> UInt16 { 0 }
    func decode(_ type: UInt32.Type) -> UInt32 { 0 }
    func decode(_ type: UInt64.Type) -> UInt64 { 0 }
}
