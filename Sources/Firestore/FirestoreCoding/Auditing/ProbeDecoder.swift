// SPDX-License-Identifier: Apache-2.0

/// A decoder without data: answers every request with a stand-in and records it.
struct ProbeDecoder: Decoder {
    let state: ProbeState
    let path: [ProbedKey.Segment]
    let depth: Int

    var codingPath: [any CodingKey] { path.map { NameKey($0.text) } }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbeKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { ProbeUnkeyedContainer(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { ProbeSingleValueContainer(decoder: self) }

    /// A value of a type at a place below this one: the caller's, a known one, or what decoding makes of stand-ins.
    func value<T: Decodable>(_ type: T.Type, at segment: ProbedKey.Segment?) throws -> T {
        let inner = segment.map { path + [$0] } ?? path
        if let value = state.standIn(type) as? T { return value }
        var failure: (any Error)?
        // Not of a type inside itself: its keys are known.
        var isComplete = true
        if T.self is any UnprobedType.Type {
            if let scalar = type as? any StandInType.Type, let value = state.scalar(scalar) as? T { return value }
            if let value = StandIns.any(type) { return value }
            isComplete = false
        } else if depth < ProbeState.depthLimit, state.enter(type) {
            defer { state.leave(type) }
            let decoder = ProbeDecoder(state: state, path: inner, depth: depth + 1)
            do { return try state.attempt(type) { try T(from: decoder) } } catch { failure = error }
            isComplete = false
        }
        if let value = StandIns.simple(type) { return value }
        if let tolerant = type as? any DecodableFromMissingField.Type, let value = tolerant.init(missingField: ()) as? T { return value }
        if !isComplete { state.isComplete = false }
        throw failure as? ProbeStopped ?? ProbeStopped(type: "\(type)", path: ProbedKey.text(inner))
    }
}

/// The findings of a probe so far.
final class ProbeState {
    static let depthLimit = 20

    private(set) var keys: [ProbedKey] = []
    /// False once a type had no stand-in, so that keys after it may be missing.
    var isComplete = true
    /// The caller's value for a type.
    let standIn: (any Decodable.Type) -> Any?
    /// The position of each key, by its path.
    private var positions: [String: Int] = [:]
    /// Which of the values for scalars is given.
    private var round = 0
    /// The types that reject all values for scalars.
    private var rejected: Set<ObjectIdentifier> = []
    /// The types that are being decoded: a type inside itself is not entered again.
    private var entered: Set<ObjectIdentifier> = []

    init(standIn: @escaping (any Decodable.Type) -> Any? = { _ in nil }) { self.standIn = standIn }

    /// The position of a key, new or not.
    @discardableResult
    func note(_ key: ProbedKey) -> Int {
        let text = ProbedKey.text(key.path)
        if let position = positions[text] { return position }
        positions[text] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    func note(_ standIn: Any, at position: Int) {
        if keys[position].standIn == nil { keys[position].standIn = standIn }
    }

    func scalar<T: StandInType>(_ type: T.Type) -> T {
        guard round > 0, let others = type as? any ScalarStandIns.Type else { return type.standIn }
        return Self.other(others, round) as? T ?? type.standIn
    }

    private static func other<T: ScalarStandIns>(_ type: T.Type, _ round: Int) -> T? {
        type.others.isEmpty ? nil : type.others[min(round, type.others.count) - 1]
    }

    /// Decodes a type; if it rejects the values, which types with rules do, it is decoded again with others.
    func attempt<T>(_ type: T.Type, _ decode: () throws -> T) throws -> T {
        let current = round
        defer { round = current }
        guard !rejected.contains(ObjectIdentifier(type)) else { throw StandInsRejected() }
        var first: any Error = StandInsRejected()
        for (index, next) in ([current] + (0...String.others.count).filter { $0 != current }).enumerated() {
            round = next
            do {
                return try decode()
            } catch let stop as ProbeStopped {
                // A value inside: all values were tried there.
                throw stop
            } catch {
                if index == 0 { first = error }
            }
        }
        rejected.insert(ObjectIdentifier(type))
        throw first
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

/// A type that rejected all stand-ins before.
private struct StandInsRejected: Error {}

struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// One key: of a dictionary any, of an enum with payloads its first case.
    var allKeys: [Key] { (Key(stringValue: "0") ?? StandIns.firstCase(Key.self)).map { [$0] } ?? [] }

    private var isOpen: Bool { Key.isOpen }

    private func segment(_ key: Key) -> ProbedKey.Segment { isOpen ? .values : .name(key.stringValue) }

    @discardableResult
    private func note(_ key: Key, _ type: Any.Type, _ presence: ProbedKey.Presence) -> Int {
        decoder.state.note(ProbedKey(path: decoder.path + [segment(key)], type: type, presence: presence))
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let position = note(key, type, ProbedKey.Presence(type))
        let value = try decoder.value(type, at: segment(key))
        decoder.state.note(value, at: position)
        return value
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
        ProbeDecoder(state: decoder.state, path: decoder.path + [.name(NameKey.super.stringValue)], depth: decoder.depth + 1)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        note(key, Any.self, .required)
        return inner(key)
    }

    private func inner(_ key: Key) -> ProbeDecoder {
        ProbeDecoder(state: decoder.state, path: decoder.path + [segment(key)], depth: decoder.depth + 1)
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
        return decoder.state.scalar(type)
    }

    private func scalarIfPresent<T: Decodable & StandInType>(_ type: T.Type, _ key: Key) -> T? {
        note(key, type, .ifPresent)
        return decoder.state.scalar(type)
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
        return ProbeDecoder(state: decoder.state, path: decoder.path + [.elements], depth: decoder.depth + 1)
    }
}

struct ProbeSingleValueContainer: SingleValueDecodingContainer {
    let decoder: ProbeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type, at: nil) }
}
