// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Values as bytes whose byte order is the value order (VAL-1 … VAL-16), and which are equal for query-equal values
/// (VAL-17).
///
/// A value is a tag for its type bracket followed by a self-delimiting content, so no encoding is a prefix of another,
/// and encodings can be concatenated. `docs/reference/storage-format.md` lists the forms. With all bits flipped the order is
/// reversed, as a descending column requires.
package enum IndexValueEncoding {
    /// Ends a list of elements, entries or segments: lower than the first byte of any of them.
    static let end: UInt8 = 0
    /// Precedes every entry of a map.
    static let entry: UInt8 = 1
    /// A zero inside a string is escaped, so that zero can end it.
    static let escape: UInt8 = 0xFF
    static let terminator: UInt8 = 1
    static let numericSegment: UInt8 = 1
    static let textSegment: UInt8 = 2

    /// The first byte of every value of a bracket; never 0 and never 0xFF, flipped or not.
    static func tag(_ bracket: TypeBracket) -> UInt8 { bracket.rawValue + 1 }

    package static func encode(_ value: ValueView) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    package static func append(_ value: ValueView, to bytes: inout [UInt8]) { append(value, to: &bytes, depth: 0) }

    /// Valid values nest far less; damaged bytes must not exhaust the stack.
    private static let deepest = 4 * Limits.nestingLevels

    private static func append(_ value: ValueView, to bytes: inout [UInt8], depth: Int) {
        let bracket = ValueOrdering.typeBracket(value)
        bytes.append(tag(bracket))
        switch bracket {
        case .malformed, .null: break
        case .boolean: bytes.append(value.boolean == true ? 1 : 0)
        case .number:
            if let integer = value.integer { append(integer, to: &bytes) } else { append(value.double ?? .nan, to: &bytes) }
        case .timestamp:
            let timestamp = value.timestamp ?? pendingTimestamp(value) ?? TimestampValue(seconds: 0, nanoseconds: 0)
            append(bigEndian: UInt64(bitPattern: timestamp.seconds) ^ 1 << 63, to: &bytes)
            append(bigEndian: UInt32(bitPattern: timestamp.nanoseconds), to: &bytes)
        case .string: append(text: value.stringBytes, to: &bytes)
        case .bytes: append(text: value.dataBytes, to: &bytes)
        case .reference: append(path: value.referenceBytes, to: &bytes)
        case .geoPoint:
            appendOrdered(value.geoPoint?.latitude ?? .nan, to: &bytes)
            appendOrdered(value.geoPoint?.longitude ?? .nan, to: &bytes)
        case .array: append(elements: value.elements, to: &bytes, depth: depth)
        case .vector:
            append(bigEndian: UInt32(clamping: value.vector?.count ?? 0), to: &bytes)
            append(elements: value.vector, to: &bytes, depth: depth)
        case .map: append(entries: value.fields, to: &bytes, depth: depth)
        }
    }

    /// A pending timestamp as a time that follows every valid one, in the order of the local write times (SY-D9).
    private static func pendingTimestamp(_ value: ValueView) -> TimestampValue? {
        guard let time = PendingTimestamp(value)?.localWriteTime else { return nil }
        return TimestampValue(seconds: time.seconds &+ 1 << 62, nanoseconds: time.nanoseconds)
    }

    // MARK: Numbers

    /// The largest double that is not greater, then the difference: exact for all integers (VAL-5).
    private static func append(_ integer: Int64, to bytes: inout [UInt8]) {
        var floor = Double(integer)
        if floor >= 0x1p63 || Int64(floor) > integer { floor = floor.nextDown }
        appendOrdered(floor, to: &bytes)
        append(bigEndian: UInt16(truncatingIfNeeded: integer - Int64(floor)), to: &bytes)
    }

    private static func append(_ double: Double, to bytes: inout [UInt8]) {
        appendOrdered(double, to: &bytes)
        append(bigEndian: UInt16(0), to: &bytes)
    }

    /// NaN is lowest, both zeros are equal, negative numbers have all bits flipped.
    private static func appendOrdered(_ double: Double, to bytes: inout [UInt8]) {
        guard !double.isNaN else { return append(bigEndian: UInt64(0), to: &bytes) }
        let bits = double == 0 ? 0 : double.bitPattern
        append(bigEndian: bits >> 63 == 0 ? bits | 1 << 63 : ~bits, to: &bytes)
    }

    /// The double that was written with these bits; 0.0 for both zeros.
    static func double(ordered bits: UInt64) -> Double {
        if bits == 0 { return .nan }
        return Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }

    private static func append<Integer: FixedWidthInteger>(bigEndian integer: Integer, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }

    // MARK: Strings and paths

    static func append(text: UnsafeRawBufferPointer?, to bytes: inout [UInt8]) {
        if let text {
            if text.contains(0) {
                for byte in text {
                    bytes.append(byte)
                    if byte == 0 { bytes.append(escape) }
                }
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(0)
        bytes.append(terminator)
    }

    /// Segment by segment, numeric ids first, shorter first (VAL-13, VAL-14).
    static func append(path: UnsafeRawBufferPointer?, to bytes: inout [UInt8]) {
        if let path {
            for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                append(segment: UnsafeRawBufferPointer(rebasing: segment), to: &bytes)
            }
        }
        bytes.append(end)
    }

    static func append(segment: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        if segment.first == UInt8(ascii: "_"), let number = PathOrdering.numericID(segment) {
            bytes.append(numericSegment)
            append(bigEndian: UInt64(bitPattern: number) ^ 1 << 63, to: &bytes)
        } else {
            bytes.append(textSegment)
            append(text: segment, to: &bytes)
        }
    }

    // MARK: Containers

    private static func append(elements: ArrayView?, to bytes: inout [UInt8], depth: Int) {
        if let elements, depth < deepest {
            for element in elements { append(element, to: &bytes, depth: depth + 1) }
        }
        bytes.append(end)
    }

    private static func append(entries: FieldsView?, to bytes: inout [UInt8], depth: Int) {
        if let entries, depth < deepest {
            for entry in entries {
                bytes.append(Self.entry)
                append(text: entry.name, to: &bytes)
                append(entry.value, to: &bytes, depth: depth + 1)
            }
        }
        bytes.append(end)
    }
}
