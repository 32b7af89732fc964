// SPDX-License-Identifier: Apache-2.0

/// A decoder without data: answers every request with a stand-in and notes what was asked for.
struct ProbeDecoder: Decoder {
    let state: ProbeState
    let path: [ProbedKey.Segment]
    let depth: Int

    init(_ state: ProbeState, _ path: [ProbedKey.Segment], depth: Int) {
        self.state = state
        self.path = path
        self.depth = depth
    }

    var codingPath: [any CodingKey] { path.map { NameKey($0.text) } }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbeKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { ProbeUnkeyedContainer(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { ProbeSingleValueContainer(decoder: self) }

    /// A value of a type at a place below this one.
    func value<T: Decodable>(_ type: T.Type, at segment: ProbedKey.Segment?) throws -> T {
        let inner = segment.map { path + [$0] } ?? path
        let decoder = ProbeDecoder(state, inner, depth: depth + 1)
        if let reference = state.reference as? T {
            return reference
        } else if T.self is any UnprobedType.Type {
            if let value = StandIns.any(type) { return value }
        } else if depth < ProbeState.depthLimit, state.enter(type) {
            defer { state.leave(type) }
            if let value = try? T(from: decoder) { return value }
        } else if let value = StandIns.simple(type) {
            // A type inside itself: its keys are known.
            return value
        } else {
            throw ProbeStopped(type: "\(type)", path: ProbedKey.text(inner))
        }
        if let value = StandIns.simple(type) { return value }
        state.isComplete = false
        throw ProbeStopped(type: "\(type)", path: ProbedKey.text(inner))
    }
}

/// What a probe has found so far.
final class ProbeState {
    static let depthLimit = 20

    private(set) var keys: [ProbedKey] = []
    /// False once a type had no stand-in, so that keys after it may be missing.
    var isComplete = true
    let reference: AnyObject?
    private var seen: Set<String> = []
    /// The types that are being decoded: a type inside itself is not entered again.
    private var entered: Set<ObjectIdentifier> = []

    init(reference: AnyObject? = nil) { self.reference = reference }

    func note(_ key: ProbedKey) {
        guard seen.insert(ProbedKey.text(key.path)).inserted else { return }
        keys.append(key)
    }

    func enter(_ type: Any.Type) -> Bool { entered.insert(ObjectIdentifier(type)).inserted }

    func leave(_ type: Any.Type) { entered.remove(ObjectIdentifier(type)) }
}

/// A type for which the probe has no value.
struct ProbeStopped: Error, CustomStringConvertible {
    let type: String
    let path: String

    var description: String { "\(path): no value of \(type) can be made without data" }
}

struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// One key: of a dictionary any, of an enum with payloads its first case.
    var allKeys: [Key] { (Key(stringValue: "0") ?? StandIns.firstCase(Key.self)).map { [$0] } ?? [] }

    private var isOpen: Bool { Key.isOpen }

    private func segment(_ key: Key) -> ProbedKey.Segment { isOpen ? .values : .name(key.stringValue) }

    private func note(_ key: Key, _ type: Any.Type, _ presence: ProbedKey.Presence) {
        decoder.state.note(ProbedKey(path: decoder.path + [segment(key)], type: type, presence: presence))
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        note(key, type, ProbedKey.Presence(type))
        return try decoder.value(type, at: segment(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        note(key, type, .ifPresent)
        return try? decoder.value(type, at: segment(key))
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws -> KeyedDecodingContainer<Inner> {
        note(key, [String: Any].self, .required)
        return try inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        note(key, [Any].self, .required)
        return try inner(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        ProbeDecoder(decoder.state, decoder.path + [.name(NameKey.super.stringValue)], depth: decoder.depth + 1)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { inner(key) }

    private func inner(_ key: Key) -> ProbeDecoder {
        ProbeDecoder(decoder.state, decoder.path + [segment(key)], depth: decoder.depth + 1)
    }

    // The standard library's `decodeIfPresent` of a scalar would ask `decodeNil` and `decode`, as for a required one.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(type, key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { scalarIfPresent(type, key) }

    private func scalar<T: Decodable & StandInType>(_ type: T.Type, _ key: Key) throws -> T {
        note(key, type, .required)
        return T.standIn
    }

    private func scalarIfPresent<T: Decodable & StandInType>(_ type: T.Type, _ key: Key) -> T? {
        note(key, type, .ifPresent)
        return T.standIn
    }
}

/// One element, so that the keys of elements are asked for.
struct ProbeUnkeyedContainer: UnkeyedDecodingContainer {
    let decoder: ProbeDecoder
    private(set) var currentIndex = 0

    init(decoder: ProbeDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        return try decoder.value(type, at: .elements)
    }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { next() }

    private mutating func next() -> ProbeDecoder {
        currentIndex += 1
        return ProbeDecoder(decoder.state, decoder.path + [.elements], depth: decoder.depth + 1)
    }
}

struct ProbeSingleValueContainer: SingleValueDecodingContainer {
    let decoder: ProbeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type, at: nil) }
}
