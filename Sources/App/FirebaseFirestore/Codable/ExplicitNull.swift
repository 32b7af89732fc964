// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding

/// An optional property whose nil is stored as null instead of being left out.
///
/// ```swift
/// struct Member: Codable {
///     @ExplicitNull var nickname: String?
/// }
/// ```
/// With `merge`, null overwrites the stored value. Reading null or a missing field gives nil.
@propertyWrapper
public struct ExplicitNull<Value> {
    /// The value; nil is stored as null.
    public var wrappedValue: Value?

    /// Creates the property.
    public init(wrappedValue value: Value?) { wrappedValue = value }
}

extension ExplicitNull: Encodable where Value: Encodable {
    /// Writes the value, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension ExplicitNull: Decodable where Value: Decodable {
    /// Reads the value; null is nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension ExplicitNull: DecodableFromMissingField where Value: Decodable {
    package init(missingField: Void) { self.init(wrappedValue: nil) }
}

extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}
extension ExplicitNull: Sendable where Value: Sendable {}
