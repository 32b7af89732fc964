// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding

/// An enum that also holds raw values that are not among its cases, so that new cases in the data do not break old apps.
///
/// ```swift
/// enum Status: OpenEnum, Hashable {
///     case open, done
///     case unknown(String)
///
///     init?(rawValue: String) {
///         switch rawValue {
///         case "open": self = .open
///         case "done": self = .done
///         default: return nil
///         }
///     }
///     var rawValue: String {
///         switch self {
///         case .open: "open"
///         case .done: "done"
///         case .unknown(let raw): raw
///         }
///     }
/// }
/// ```
/// Any raw value decodes, and is written back as it was read. A value of another type is an error, as for other enums.
///
/// Beyond the Apple SDK.
public protocol OpenEnum: RawRepresentable, Codable where RawValue: Codable {
    /// The case for a raw value that no other case has.
    static func unknown(_ rawValue: RawValue) -> Self
}

extension OpenEnum where RawValue == String {
    /// Reads the raw value.
    public init(from decoder: any Decoder) throws { self = try Self.decoded(from: decoder) }

    /// Writes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension OpenEnum where RawValue == Int {
    /// Reads the raw value.
    public init(from decoder: any Decoder) throws { self = try Self.decoded(from: decoder) }

    /// Writes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension OpenEnum {
    private static func decoded(from decoder: any Decoder) throws -> Self {
        let raw = try decoder.singleValueContainer().decode(RawValue.self)
        if let known = Self(rawValue: raw) { return known }
        (decoder as? ValueDecoder)?.tolerate(.unknownCase)
        return unknown(raw)
    }
}
