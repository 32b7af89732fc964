// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCoding
import Foundation

/// A type that can hold a server timestamp: `Date`, `Timestamp`, or a custom type.
public protocol ServerTimestampWrappable {
    /// Makes the value from the stored timestamp.
    static func wrap(_ timestamp: Timestamp) throws -> Self
    /// Returns the timestamp to store.
    static func unwrap(_ value: Self) throws -> Timestamp
}

extension Date: ServerTimestampWrappable {
    /// Converts a stored timestamp to a date.
    public static func wrap(_ timestamp: Timestamp) throws -> Date { timestamp.dateValue() }
    /// Converts a date to a timestamp for storage.
    public static func unwrap(_ value: Date) throws -> Timestamp { Timestamp(date: value) }
}

extension Timestamp: ServerTimestampWrappable {
    /// The timestamp itself.
    public static func wrap(_ timestamp: Timestamp) throws -> Self {
        guard let same = timestamp as? Self else {
            throw FirestoreDecodingError.decodingIsNotSupported("A server timestamp is a Timestamp.")
        }
        return same
    }
    /// The timestamp itself.
    public static func unwrap(_ value: Timestamp) throws -> Timestamp { value }
}

/// A property that the database fills with the time of the commit when it is nil.
///
/// ```swift
/// struct Note: Codable {
///     var text: String
///     @ServerTimestamp var createdAt: Date?
/// }
/// ```
/// Stored with a precision of microseconds. A value that is not nil is stored unchanged: a note that was read earlier
/// keeps its time when it is written again. Reading null or a missing field gives nil.
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable & Codable> {
    /// The time; nil requests the time of the commit at the next write.
    public var wrappedValue: Value?

    /// Creates the property; nil for the time of the commit.
    public init(wrappedValue value: Value?) { wrappedValue = value }
}

extension ServerTimestamp: Codable {
    /// Reads a timestamp; null is nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try Value.wrap(try container.decode(Timestamp.self))
    }

    /// Writes the timestamp, or requests the time of the commit. Other encoders throw for nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(Value.unwrap(wrappedValue))
        } else {
            try container.encode(FieldValue.serverTimestamp())
        }
    }
}

extension ServerTimestamp: DecodableFromMissingField {
    package init(missingField: Void) { self.init(wrappedValue: nil) }
}

extension ServerTimestamp: Equatable where Value: Equatable {}
extension ServerTimestamp: Hashable where Value: Hashable {}
extension ServerTimestamp: Sendable where Value: Sendable {}
