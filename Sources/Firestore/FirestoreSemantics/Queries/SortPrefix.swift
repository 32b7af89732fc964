// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The first part of a value's position in the order, as one integer. If two prefixes differ, the values have the same
/// order; if they are equal, the values must be compared. Most comparisons of a sort do not read the bytes.
enum SortPrefix {
    /// The type bracket in the top byte, below it the first part of the value.
    static func of(_ value: ValueView?) -> UInt64 {
        guard let value else { return 0 }
        let bracket = ValueOrdering.typeBracket(value)
        return UInt64(bracket.rawValue) << 56 | content(value, bracket) >> 8
    }

    private static func content(_ value: ValueView, _ bracket: TypeBracket) -> UInt64 {
        switch bracket {
        case .boolean: value.boolean == true ? .max : 0
        // Rounding an integer never reverses an order.
        case .number: (value.integer.map(Double.init) ?? value.double).map(content) ?? 0
        // A pending timestamp follows all others.
        case .timestamp: value.timestamp.map(content) ?? (value.kind == .map ? .max : 0)
        case .string: value.stringBytes.map(content) ?? 0
        case .bytes: value.dataBytes.map(content) ?? 0
        case .malformed, .null, .reference, .geoPoint, .array, .vector, .map: 0
        }
    }

    private static func content(_ double: Double) -> UInt64 {
        if double.isNaN { return 0 }
        // Both zeros are equal; negative numbers have all bits flipped.
        let bits = double == 0 ? 0 : double.bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    private static func content(_ timestamp: TimestampValue) -> UInt64 {
        // All valid seconds fit: they take 39 bits.
        let seconds = timestamp.seconds &- TimestampValue.validSeconds.lowerBound
        guard timestamp.isValid else { return timestamp.seconds < 0 ? 0 : .max }
        return UInt64(seconds) << 25 | UInt64(timestamp.nanoseconds) >> 5
    }

    private static func content(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var result: UInt64 = 0
        for index in 0..<8 { result = result << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return result
    }
}
