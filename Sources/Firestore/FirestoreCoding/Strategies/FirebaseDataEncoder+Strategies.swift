// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension FirebaseDataEncoder {
    /// How `Date` values are stored.
    public enum DateEncodingStrategy {
        /// As a Firestore timestamp: the default of `Firestore.Encoder`.
        case timestamp
        /// As `Date` encodes itself: a double, seconds since 2001-01-01.
        case deferredToDate
        /// As a double: seconds since 1970-01-01.
        case secondsSince1970
        /// As a double: milliseconds since 1970-01-01.
        case millisecondsSince1970
        /// As a string without a fraction, `2024-01-02T03:04:05Z`.
        case iso8601
        /// As the string that the formatter makes.
        case formatted(DateFormatter)
        /// As the closure writes it; an empty map if it writes nothing.
        case custom((Date, any Encoder) throws -> Void)
    }

    /// How `Data` values are stored.
    public enum DataEncodingStrategy {
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        /// As a base64 string.
        case base64
        /// As bytes: the default of `Firestore.Encoder`.
        case blob
        /// As the closure writes it; an empty map if it writes nothing.
        case custom((Data, any Encoder) throws -> Void)
    }

    /// How NaN and the infinities are stored.
    public enum NonConformingFloatEncodingStrategy {
        /// Encoding fails with `EncodingError.invalidValue`.
        case `throw`
        /// They are stored as these strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How coding keys become field names. Keys of `[String: T]` are never converted.
    public enum KeyEncodingStrategy {
        /// The key's `stringValue`.
        case useDefaultKeys
        /// `homeAddressLine` becomes `home_address_line`.
        case convertToSnakeCase
        /// By the closure, which gets the whole path, with Swift names, and returns the key that replaces the last
        /// component.
        case custom((_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
