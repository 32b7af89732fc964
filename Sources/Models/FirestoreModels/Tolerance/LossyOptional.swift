// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding

/// An optional property that is nil where its field does not decode.
///
/// ```swift
/// struct Book: Codable {
///     @LossyOptional var website: URL?
/// }
/// ```
/// The failure and the stored value are retained, and the value is written back while the property is nil: writing a document loses
/// nothing that reading it did not understand. Without a failure nil is not written, as for other optionals. Also for enums with payloads
/// whose cases may grow. Equality ignores the failure.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct LossyOptional<Value: Codable> {
    /// The value; nil if there is none, or none that decodes.
    public var wrappedValue: Value?
    /// The failure, if the stored value did not decode.
    public private(set) var failures: [LossyFailure] = []

    /// The property with its failure.
    public var projectedValue: LossyOptional { self }

    /// Creates the property.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Whether there is anything to write.
    var writesSomething: Bool { wrappedValue != nil || failures.contains { $0.stored != nil } }
}

extension LossyOptional: Codable {
    /// Reads the value; nil for null, and for a value that does not decode.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard !container.decodeNil() else {
            wrappedValue = nil
            return
        }
        do {
            wrappedValue = try container.decode(Value.self)
        } catch {
            wrappedValue = nil
            let stored = decoder as? ValueDecoder
            let value = try stored.map { _ in try container.decode(FirestoreValue.self) }
            failures = [LossyFailure(index: nil, key: nil, stored: value, error: error)]
            stored?.tolerate(.valueLost)
        }
    }

    /// Writes the value, or to Firestore the stored value that did not decode, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else if encoder is ValueEncoder, let stored = failures.first?.stored {
            try container.encode(stored)
        } else {
            try container.encodeNil()
        }
    }
}

extension LossyOptional: DecodableFromMissingField {
    package init(missingField: Void) { self.init(wrappedValue: nil) }
}

extension LossyOptional: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (left: LossyOptional, right: LossyOptional) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyOptional: Hashable where Value: Hashable {
    /// Combines the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyOptional: Sendable where Value: Sendable {}
extension LossyOptional: NamedType { package static var writtenName: String { TypeNames.name(Value.self) + "?" } }
