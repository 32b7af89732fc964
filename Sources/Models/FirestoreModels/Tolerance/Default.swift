// SPDX-License-Identifier: Apache-2.0
package import FirestoreCoding

/// A source of defaults for properties whose field may be missing.
///
/// ```swift
/// enum Status: String, Codable {
///     case open, done
///     enum Fallback: DefaultSource { static var value: Status { .open } }
/// }
/// struct Task: Codable {
///     @Default<Status.Fallback> var status: Status
/// }
/// ```
/// A type, and not the property's initial value, because a synthesized `init(from:)` does not pass that value to a property wrapper.
///
/// Beyond the Apple SDK.
public protocol DefaultSource {
    /// The type of the property.
    associatedtype Value: Codable
    /// The default.
    static var value: Value { get }
}

/// The defaults that Hearth brings.
///
/// Beyond the Apple SDK.
public enum DefaultValue {
    /// Zero, for numbers.
    public enum Zero<Value: AdditiveArithmetic & Codable>: DefaultSource {
        /// Zero.
        @inlinable public static var value: Value { .zero }
    }

    /// The empty string, array, set or dictionary.
    public enum Empty<Value: EmptyInitializable & Codable>: DefaultSource {
        /// The empty value.
        public static var value: Value { Value() }
    }

    /// False.
    public enum False: DefaultSource {
        /// False.
        @inlinable public static var value: Bool { false }
    }

    /// True.
    public enum True: DefaultSource {
        /// True.
        @inlinable public static var value: Bool { true }
    }
}

/// A type that has an empty value.
///
/// Beyond the Apple SDK.
public protocol EmptyInitializable {
    /// Creates the empty value.
    init()
}

extension String: EmptyInitializable {}
extension Array: EmptyInitializable {}
extension Set: EmptyInitializable {}
extension Dictionary: EmptyInitializable {}

/// A number that is zero where its field is missing or null: `@DefaultZero var stars: Int`.
public typealias DefaultZero<Value: AdditiveArithmetic & Codable> = Default<DefaultValue.Zero<Value>>
/// A string or collection that is empty where its field is missing or null: `@DefaultEmpty var tags: [String]`.
public typealias DefaultEmpty<Value: EmptyInitializable & Codable> = Default<DefaultValue.Empty<Value>>
/// A truth value that is false where its field is missing or null.
public typealias DefaultFalse = Default<DefaultValue.False>
/// A truth value that is true where its field is missing or null.
public typealias DefaultTrue = Default<DefaultValue.True>

/// A property that has a default where its field is missing or null.
///
/// ```swift
/// struct Book: Codable {
///     var title: String
///     @DefaultZero var stars: Int
///     @DefaultEmpty var tags: [String]
///     @Default<Status.Fallback> var status: Status
/// }
/// ```
/// So documents that were written before the property existed still decode. A field of another type is an error as ever: a
/// default hides nothing. For an optional property, null is nil and only a missing field is the default. The value is always
/// written, so that queries find it; a read writes nothing. Works in other decoders too.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct Default<Source: DefaultSource> {
    /// The value.
    public var wrappedValue: Source.Value

    /// Creates the property.
    @inlinable
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// A property that has a default where its field is missing; null is an error.
///
/// Otherwise like ``Default``.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct DefaultStrict<Source: DefaultSource> {
    /// The value.
    public var wrappedValue: Source.Value

    /// Creates the property.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// A property that has a default where its field is missing or null, and that is not written while it has that default.
///
/// Queries do not find such documents: `whereField("stars", isEqualTo: 0)` needs the field. Otherwise like ``Default``.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct DefaultOmitted<Source: DefaultSource> where Source.Value: Equatable {
    /// The value.
    public var wrappedValue: Source.Value

    /// Creates the property.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

// MARK: Coding

extension Default: Decodable {
    /// Reads the value; null is the default, or nil for an optional.
    public init(from decoder: any Decoder) throws { wrappedValue = try Defaulted.value(of: Source.self, decoder) }
}

extension DefaultStrict: Decodable {
    /// Reads the value; throws for null, unless the value is an optional.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Source.Value.self)
    }
}

extension DefaultOmitted: Decodable {
    /// Reads the value; null is the default, or nil for an optional.
    public init(from decoder: any Decoder) throws { wrappedValue = try Defaulted.value(of: Source.self, decoder) }
}

extension Default: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension DefaultStrict: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension DefaultOmitted: Encodable {
    /// Writes the value, also if it is the default: leaving it out is up to the type whose property it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// How values with defaults are read.
enum Defaulted {
    static func value<Source: DefaultSource>(of source: Source.Type, _ decoder: any Decoder) throws -> Source.Value {
        let container = try decoder.singleValueContainer()
        guard container.decodeNil(), !(Source.Value.self is any OptionalValue.Type) else {
            return try container.decode(Source.Value.self)
        }
        (decoder as? ValueDecoder)?.tolerate(.defaultUsed)
        return Source.value
    }
}

/// Marks optionals.
protocol OptionalValue {}

extension Optional: OptionalValue {}

extension Default: DecodableFromMissingField {
    package init(missingField: Void) { wrappedValue = Source.value }
    package static var toleranceWhenMissing: ToleranceKind? { .defaultUsed }
}

extension DefaultStrict: DecodableFromMissingField {
    package init(missingField: Void) { wrappedValue = Source.value }
    package static var toleranceWhenMissing: ToleranceKind? { .defaultUsed }
}

extension DefaultOmitted: DecodableFromMissingField {
    package init(missingField: Void) { wrappedValue = Source.value }
    package static var toleranceWhenMissing: ToleranceKind? { .defaultUsed }
}

extension Default: Equatable where Source.Value: Equatable {}
extension Default: Hashable where Source.Value: Hashable {}
extension Default: Sendable where Source.Value: Sendable {}
extension DefaultStrict: Equatable where Source.Value: Equatable {}
extension DefaultStrict: Hashable where Source.Value: Hashable {}
extension DefaultStrict: Sendable where Source.Value: Sendable {}
extension DefaultOmitted: Equatable {}
extension DefaultOmitted: Hashable where Source.Value: Hashable {}
extension DefaultOmitted: Sendable where Source.Value: Sendable {}

extension Default: NamedType { package static var writtenName: String { TypeNames.name(Source.Value.self) } }
extension DefaultStrict: NamedType { package static var writtenName: String { TypeNames.name(Source.Value.self) } }
extension DefaultOmitted: NamedType { package static var writtenName: String { TypeNames.name(Source.Value.self) } }
