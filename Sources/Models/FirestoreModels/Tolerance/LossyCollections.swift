// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding

/// An array that leaves out the elements that do not decode.
///
/// ```swift
/// struct Book: Codable {
///     @LossyArray var tags: [Tag]
/// }
/// for failure in book.$tags.failures { log(failure.index, failure.error) }
/// ```
/// Omitted elements are stored in `failures` and **written back** at their positions, unchanged, so that writing a document
/// loses nothing that reading it did not understand: by index while the array has as many elements as were read, otherwise at the
/// end. ``LossyArrayDropping`` does not write them. A missing or null field is the empty array; a field that is not an array is an
/// error. Equality ignores the failures. In other decoders stored values are not retained.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct LossyArray<Element: Codable> {
    /// The elements that decode.
    public var wrappedValue: [Element]
    /// The elements that do not.
    public private(set) var failures: [LossyFailure] = []
    private var read: Int?

    /// The property with its failures.
    public var projectedValue: LossyArray { self }

    /// Creates the property.
    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

extension LossyArray: Codable {
    /// Reads the elements that decode.
    public init(from decoder: any Decoder) throws {
        (wrappedValue, failures) = try LossyFailure.elements(of: Element.self, decoder)
        read = wrappedValue.count
    }

    /// Writes the elements, and to Firestore those that did not decode.
    public func encode(to encoder: any Encoder) throws {
        try LossyFailure.encode(wrappedValue, failures, read: read, to: encoder)
    }
}

/// An array that leaves out the elements that do not decode, also when it is written.
///
/// Otherwise like ``LossyArray``.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct LossyArrayDropping<Element: Codable> {
    /// The elements that decode.
    public var wrappedValue: [Element]
    /// The elements that do not.
    public private(set) var failures: [LossyFailure] = []

    /// The property with its failures.
    public var projectedValue: LossyArrayDropping { self }

    /// Creates the property.
    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

extension LossyArrayDropping: Codable {
    /// Reads the elements that decode.
    public init(from decoder: any Decoder) throws {
        (wrappedValue, failures) = try LossyFailure.elements(of: Element.self, decoder)
    }

    /// Writes the elements that decoded.
    public func encode(to encoder: any Encoder) throws {
        try LossyFailure.encode(wrappedValue, [], read: nil, to: encoder)
    }
}

/// A set that leaves out the elements that do not decode.
///
/// Omitted elements are written back after the others. Otherwise like ``LossyArray``.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct LossySet<Element: Codable & Hashable> {
    /// The elements that decode.
    public var wrappedValue: Set<Element>
    /// The elements that do not.
    public private(set) var failures: [LossyFailure] = []

    /// The property with its failures.
    public var projectedValue: LossySet { self }

    /// Creates the property.
    public init(wrappedValue: Set<Element>) { self.wrappedValue = wrappedValue }
}

extension LossySet: Codable {
    /// Reads the elements that decode.
    public init(from decoder: any Decoder) throws {
        let (elements, failures) = try LossyFailure.elements(of: Element.self, decoder)
        wrappedValue = Set(elements)
        self.failures = failures
    }

    /// Writes the elements, and to Firestore those that did not decode.
    public func encode(to encoder: any Encoder) throws {
        try LossyFailure.encode(wrappedValue, failures, read: nil, to: encoder)
    }
}

extension LossyArray: DecodableFromMissingField {
    package init(missingField: Void) { self.init(wrappedValue: []) }
}

extension LossyArrayDropping: DecodableFromMissingField {
    package init(missingField: Void) { self.init(wrappedValue: []) }
}

extension LossySet: DecodableFromMissingField {
    package init(missingField: Void) { self.init(wrappedValue: []) }
}

extension LossyArray: Equatable where Element: Equatable {
    /// Whether the elements are equal.
    public static func == (left: LossyArray, right: LossyArray) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Combines the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArrayDropping: Equatable where Element: Equatable {
    /// Whether the elements are equal.
    public static func == (left: LossyArrayDropping, right: LossyArrayDropping) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArrayDropping: Hashable where Element: Hashable {
    /// Combines the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossySet: Hashable {
    /// Whether the elements are equal.
    public static func == (left: LossySet, right: LossySet) -> Bool { left.wrappedValue == right.wrappedValue }

    /// Combines the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArray: Sendable where Element: Sendable {}
extension LossyArrayDropping: Sendable where Element: Sendable {}
extension LossySet: Sendable where Element: Sendable {}

extension LossyArray: NamedType { package static var writtenName: String { TypeNames.name([Element].self) } }
extension LossyArrayDropping: NamedType { package static var writtenName: String { TypeNames.name([Element].self) } }
extension LossySet: NamedType { package static var writtenName: String { TypeNames.name(Set<Element>.self) } }
