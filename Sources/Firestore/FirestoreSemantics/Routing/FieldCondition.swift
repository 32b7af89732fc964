// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A condition that is met by every document that a query matches, and that a table can look up.
///
/// Values are in `IndexValueEncoding`: equal for query-equal values, in the order of the values.
package enum FieldCondition: Sendable, Hashable {
    case key(DocumentKey)
    case value(FieldPathSegments, EncodedValue)
    /// The field is an array with this element.
    case element(FieldPathSegments, EncodedValue)
    /// The field's value is in this range.
    case range(FieldPathSegments, EncodedRange)
}

/// A value in `IndexValueEncoding`.
package struct EncodedValue: Sendable, Hashable, Comparable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ value: ValueView) { bytes = IndexValueEncoding.encode(value) }

    /// Below every value of the bracket.
    static func start(of bracket: TypeBracket) -> EncodedValue { EncodedValue(bytes: [IndexValueEncoding.tag(bracket)]) }

    /// Above every value of the bracket.
    static func end(of bracket: TypeBracket) -> EncodedValue { EncodedValue(bytes: [IndexValueEncoding.tag(bracket) + 1]) }

    static let lowest = EncodedValue(bytes: [])
    /// No encoding begins with this byte.
    static let highest = EncodedValue(bytes: [0xFF])

    package static func < (left: EncodedValue, right: EncodedValue) -> Bool { compare(left, right) < 0 }

    static func compare(_ left: EncodedValue, _ right: EncodedValue) -> Int {
        left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { compareBytes(left, $0) } }
    }

    package static func == (left: EncodedValue, right: EncodedValue) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// Values from `lower` to `upper`, both inclusive: a range may contain more values than the query matches, never fewer.
package struct EncodedRange: Sendable, Hashable {
    package var lower: EncodedValue
    package var upper: EncodedValue

    package func contains(_ value: EncodedValue) -> Bool { lower <= value && value <= upper }

    func intersection(_ other: EncodedRange) -> EncodedRange? {
        let both = EncodedRange(lower: max(lower, other.lower), upper: min(upper, other.upper))
        return both.lower <= both.upper ? both : nil
    }
}
