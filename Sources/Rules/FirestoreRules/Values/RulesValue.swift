// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A value of the rules language.
///
/// Values of documents are made when a condition asks for them: maps and lists stay in the document's bytes until then.
enum RulesValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Double)
    case string(String)
    case bytes(ByteSlice)
    case timestamp(TimestampValue)
    case duration(DurationValue)
    case latlng(GeoPointValue)
    case path(PathValue)
    case list(ListValue)
    case set(SetValue)
    case map(MapValue)
    case mapDiff(MapDiffValue)
    case vector([Double])
    /// A field about which the filters of a query prove facts.
    case constraint(FieldConstraint)

    var type: ValueType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .string: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .latlng: .latlng
        case .path: .path
        case .list: .list
        case .set: .set
        case .map: .map
        case .mapDiff: .mapDiff
        case .vector: .vector
        // A number whose spelling is unknown is a number to the reader.
        case .constraint(let constraint): constraint.equalNumber?.type ?? .constraint
        }
    }

    /// The answer of `is` (SR-56). A set is nothing at all; the official emulator does the same.
    func isInstance(of type: ValueType) -> Bool {
        switch (self, type) {
        case (.set, _), (.null, _): false
        case (.int, .number), (.float, .number): true
        default: self.type == type
        }
    }
}

/// A length of time. Seconds and nanoseconds have the same sign.
struct DurationValue: Sendable, Hashable, Comparable {
    let seconds: Int64
    let nanoseconds: Int32

    private static let nanosecondsPerSecond: Int64 = 1_000_000_000
    /// About ten thousand years, as in `google.protobuf.Duration`.
    private static let validSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

    /// Nil if it is out of range.
    init?(seconds: Int64, nanoseconds: Int64 = 0) {
        let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: Self.nanosecondsPerSecond)
        let (sum, overflow) = seconds.addingReportingOverflow(carry)
        guard !overflow else { return nil }
        if sum > 0, rest < 0 {
            self.seconds = sum - 1
            self.nanoseconds = Int32(rest + Self.nanosecondsPerSecond)
        } else if sum < 0, rest > 0 {
            self.seconds = sum + 1
            self.nanoseconds = Int32(rest - Self.nanosecondsPerSecond)
        } else {
            self.seconds = sum
            self.nanoseconds = Int32(rest)
        }
        guard Self.validSeconds.contains(self.seconds) else { return nil }
    }

    static func + (left: DurationValue, right: DurationValue) -> DurationValue? {
        let (seconds, overflow) = left.seconds.addingReportingOverflow(right.seconds)
        return overflow ? nil : DurationValue(seconds: seconds, nanoseconds: Int64(left.nanoseconds) + Int64(right.nanoseconds))
    }

    static prefix func - (value: DurationValue) -> DurationValue? {
        DurationValue(seconds: -value.seconds, nanoseconds: -Int64(value.nanoseconds))
    }

    static func < (left: DurationValue, right: DurationValue) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// The result of `diff` of two maps. Names are sorted.
final class MapDiffValue: Sendable {
    let added: [String]
    let removed: [String]
    let changed: [String]
    let unchanged: [String]

    init(added: [String], removed: [String], changed: [String], unchanged: [String]) {
        self.added = added
        self.removed = removed
        self.changed = changed
        self.unchanged = unchanged
    }
}
