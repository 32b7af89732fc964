// SPDX-License-Identifier: Apache-2.0

import FirestoreCoding

/// Whether the use of a default has to be reported.
@usableFromInline
enum ToleranceReporting {
    @usableFromInline static var isActive: Bool { ToleranceActivity.isActive }
}

// The methods that synthesized `init(from:)` and `encode(to:)` call in files that import this module, with any coder. Generic code calls
// the containers' own methods, which do the same for Hearth's coders (MP-63).

extension KeyedDecodingContainer {
    /// Makes a missing or null field the default.
    ///
    /// Beyond the Apple SDK.
    @inlinable
    public func decode<Source>(_ type: Default<Source>.Type, forKey key: Key) throws -> Default<Source> {
        if let value = try valueIfPresent(Source.Value.self, forKey: key) { return Default(wrappedValue: value) }
        guard ToleranceReporting.isActive else { return Default(wrappedValue: Source.value) }
        return try decodeTolerant(type, forKey: key) { Default(wrappedValue: Source.value) }
    }

    /// Scalars without the search for how to decode any type. The comparisons are made when the caller is compiled.
    @inlinable
    func valueIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        if Value.self == Int.self { return unsafeBitCast(try decodeIfPresent(Int.self, forKey: key), to: Value?.self) }
        if Value.self == Double.self { return unsafeBitCast(try decodeIfPresent(Double.self, forKey: key), to: Value?.self) }
        if Value.self == Bool.self { return unsafeBitCast(try decodeIfPresent(Bool.self, forKey: key), to: Value?.self) }
        if Value.self == String.self { return unsafeBitCast(try decodeIfPresent(String.self, forKey: key), to: Value?.self) }
        return try decodeIfPresent(type, forKey: key)
    }

    /// Makes a missing field the default, and null nil.
    ///
    /// Beyond the Apple SDK.
    public func decode<Source>(
        _ type: Default<Source>.Type, forKey key: Key
    ) throws -> Default<Source> where Source.Value: ExpressibleByNilLiteral {
        try decodeTolerant(type, forKey: key) { Default(wrappedValue: Source.value) }
    }

    /// Makes a missing field the default.
    ///
    /// Beyond the Apple SDK.
    public func decode<Source>(_ type: DefaultStrict<Source>.Type, forKey key: Key) throws -> DefaultStrict<Source> {
        try decodeTolerant(type, forKey: key) { DefaultStrict(wrappedValue: Source.value) }
    }

    /// Makes a missing or null field the default.
    ///
    /// Beyond the Apple SDK.
    public func decode<Source>(_ type: DefaultOmitted<Source>.Type, forKey key: Key) throws -> DefaultOmitted<Source> {
        try decodeTolerant(type, forKey: key) { DefaultOmitted(wrappedValue: Source.value) }
    }

    /// Makes a missing field an empty array.
    ///
    /// Beyond the Apple SDK.
    public func decode<Element>(_ type: LossyArray<Element>.Type, forKey key: Key) throws -> LossyArray<Element> {
        try decodeTolerant(type, forKey: key) { LossyArray(wrappedValue: []) }
    }

    /// Makes a missing field an empty array.
    ///
    /// Beyond the Apple SDK.
    public func decode<Element>(_ type: LossyArrayDropping<Element>.Type, forKey key: Key) throws -> LossyArrayDropping<Element> {
        try decodeTolerant(type, forKey: key) { LossyArrayDropping(wrappedValue: []) }
    }

    /// Makes a missing field an empty set.
    ///
    /// Beyond the Apple SDK.
    public func decode<Element>(_ type: LossySet<Element>.Type, forKey key: Key) throws -> LossySet<Element> {
        try decodeTolerant(type, forKey: key) { LossySet(wrappedValue: []) }
    }

    /// Makes a missing field an empty dictionary.
    ///
    /// Beyond the Apple SDK.
    public func decode<Value>(_ type: LossyDictionary<Value>.Type, forKey key: Key) throws -> LossyDictionary<Value> {
        try decodeTolerant(type, forKey: key) { LossyDictionary(wrappedValue: [:]) }
    }

    /// Makes a missing field nil.
    ///
    /// Beyond the Apple SDK.
    public func decode<Value>(_ type: LossyOptional<Value>.Type, forKey key: Key) throws -> LossyOptional<Value> {
        try decodeTolerant(type, forKey: key) { LossyOptional(wrappedValue: nil) }
    }

    /// Called with a generic type, so that the container's own method is selected.
    @inline(never)
    @usableFromInline
    func decodeTolerant<Wrapper: Decodable>(
        _ type: Wrapper.Type, forKey key: Key, _ whenMissing: () -> Wrapper
    ) throws -> Wrapper {
        do {
            return try decode(type, forKey: key)
        } catch DecodingError.keyNotFound(let missing, _) where missing.stringValue == key.stringValue && !contains(key) {
            return whenMissing()
        }
    }
}

extension KeyedEncodingContainer {
    /// Leaves the default out.
    ///
    /// Beyond the Apple SDK.
    public mutating func encode<Source>(_ value: DefaultOmitted<Source>, forKey key: Key) throws {
        guard value.wrappedValue != Source.value else { return }
        try encode(value.wrappedValue, forKey: key)
    }

    /// Omits nil, unless a value that did not decode is retained for writing.
    ///
    /// Beyond the Apple SDK.
    public mutating func encode<Value>(_ value: LossyOptional<Value>, forKey key: Key) throws {
        guard value.writesSomething else { return }
        try encodeItself(value, forKey: key)
    }

    /// Called with a generic type, so that the container's own method is selected.
    private mutating func encodeItself<Wrapper: Encodable>(_ value: Wrapper, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}
