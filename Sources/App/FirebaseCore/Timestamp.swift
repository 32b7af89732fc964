// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore
public import Foundation

/// A point in time with nanosecond resolution, as Firestore stores it.
///
/// A timestamp consists of whole seconds since 1970-01-01T00:00:00Z and a fraction that counts forward. Firestore stores
/// microseconds, so a stored timestamp is read back without the last three digits of its fraction.
///
/// A value outside the years 1 to 9999 can be created but not written: a write that contains it fails with
/// `invalidArgument`; the message names the field.
public final class Timestamp: NSObject, NSCopying, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z; negative before it.
    public let seconds: Int64
    /// The fraction of a second, 0 to 999 999 999, counted forward also before 1970.
    public let nanoseconds: Int32

    /// Creates a timestamp from its two parts, which are stored unchanged.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        super.init()
    }

    /// Creates a timestamp from a date. The fraction is truncated to nanoseconds.
    ///
    /// The date of a stored timestamp gives the same timestamp again, to the microsecond.
    public convenience init(date: Date) {
        guard let value = TimestampValue(date) else {
            // Infinite or not a number: an invalid timestamp, which every write rejects.
            self.init(seconds: date.timeIntervalSince1970 < 0 ? .min : .max, nanoseconds: 0)
            return
        }
        self.init(seconds: value.seconds, nanoseconds: value.nanoseconds)
    }

    /// The current time.
    public convenience override init() {
        self.init(date: Date())
    }

    /// Returns the timestamp as a date, whose resolution is about a tenth of a microsecond for current dates.
    public func dateValue() -> Date {
        TimestampValue(seconds: seconds, nanoseconds: nanoseconds).date
    }

    /// The chronological order of the two.
    public func compare(_ other: Timestamp) -> ComparisonResult {
        if (seconds, nanoseconds) == (other.seconds, other.nanoseconds) { return .orderedSame }
        return (seconds, nanoseconds) < (other.seconds, other.nanoseconds) ? .orderedAscending : .orderedDescending
    }

    /// Equal when both parts are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Timestamp else { return false }
        return seconds == other.seconds && nanoseconds == other.nanoseconds
    }

    /// Combines both parts.
    public override var hash: Int { Hasher.hash(seconds, nanoseconds) }

    /// Both parts, readable.
    public override var description: String {
        "<Timestamp: seconds=\(seconds) nanoseconds=\(nanoseconds)>"
    }

    /// The object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension Timestamp: Codable {
    private enum CodingKeys: String, CodingKey { case seconds, nanoseconds }

    /// Reads a stored timestamp. Ordinary decoders such as `JSONDecoder` read a map of the two parts.
    public convenience init(from decoder: any Decoder) throws {
        if let stored = decoder as? ValueDecoder, let time = try stored.read(Timestamp.self, { $0.timestamp }) {
            self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let time = TimestampValue(
            seconds: try container.decode(Int64.self, forKey: .seconds),
            nanoseconds: try container.decode(Int32.self, forKey: .nanoseconds))
        guard time.isValid else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "a timestamp must lie within the years 1 to 9999"))
        }
        self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
    }

    /// Stores a timestamp. Ordinary encoders write a map of the two parts.
    public func encode(to encoder: any Encoder) throws {
        if let stored = encoder as? ValueEncoder, stored.storesFirestoreTypes {
            return try stored.encode(TimestampValue(seconds: seconds, nanoseconds: nanoseconds))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(nanoseconds, forKey: .nanoseconds)
    }
}
