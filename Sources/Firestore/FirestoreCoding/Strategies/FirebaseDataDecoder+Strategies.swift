// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension FirebaseDataDecoder {
    /// How `Date` values are read.
    public enum DateDecodingStrategy {
        /// From a Firestore timestamp (or a map of `seconds` and `nanoseconds`): the default of `Firestore.Decoder`.
        case timestamp
        /// As `Date` decodes itself: from a number, seconds since 2001-01-01.
        case deferredToDate
        /// From a number: seconds since 1970-01-01.
        case secondsSince1970
        /// From a number: milliseconds since 1970-01-01.
        case millisecondsSince1970
        /// From a string without a fraction, `2024-01-02T03:04:05Z`.
        case iso8601
        /// From a string that the formatter accepts.
        case formatted(DateFormatter)
        /// By the closure.
        case custom((_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` values are read.
    public enum DataDecodingStrategy {
        /// As `Data` decodes itself: from an array of numbers.
        case deferredToData
        /// From a base64 string.
        case base64
        /// From bytes, or from the base64 string that SDKs 10.0 to 10.3 wrote: the default of `Firestore.Decoder`.
        case blob
        /// By the closure.
        case custom((_ decoder: any Decoder) throws -> Data)
    }

    /// Whether strings represent NaN and the infinities.
    public enum NonConformingFloatDecodingStrategy {
        /// They do not: a string is not a number.
        case `throw`
        /// Exactly these strings do.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How field names become coding keys. Keys of `[String: T]` are never converted.
    public enum KeyDecodingStrategy {
        /// The field's name.
        case useDefaultKeys
        /// `home_address_line` becomes `homeAddressLine`.
        case convertFromSnakeCase
        /// By the closure, which gets the whole path (Swift names, the document's name last) and returns the key for
        /// the lookup.
        case custom((_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
