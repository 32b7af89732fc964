// SPDX-License-Identifier: Apache-2.0

/// The tags of `google.firestore.v1.Value` and its relatives, as encoded.
///
/// A stored document is the protobuf wire form of the `fields` map of `google.firestore.v1.Document`
/// (`docs/reference/storage-format.md`). A field `title: "Hi"` at top level is
///
///     12 0E                  Document.fields, 14 bytes
///        0A 05 t i t l e     key
///        12 05               value, 5 bytes
///           8A 01 02 H i     Value.string_value
///
/// Inside a map the first byte is `0A` (`MapValue.fields`) instead of `12`; everything else is the same.
///
/// Computed, so that other modules see the number: a stored constant would be reached through a call.
///
/// `public`, like the other hot primitives of this module: the compiler does not inline `package` functions across modules
/// (`docs/decisions/0009-public-primitives-in-core.md`).
public enum WireTag {
    /// `Document.fields`
    @inlinable @inline(__always) public static var documentEntry: UInt8 { 0x12 }
    /// `MapValue.fields`, and also `ArrayValue.values`
    @inlinable @inline(__always) public static var mapEntry: UInt8 { 0x0A }
    @inlinable @inline(__always) public static var arrayElement: UInt8 { 0x0A }
    @inlinable @inline(__always) public static var entryKey: UInt8 { 0x0A }
    @inlinable @inline(__always) public static var entryValue: UInt8 { 0x12 }

    @inlinable @inline(__always) public static var boolean: UInt8 { 0x08 }
    @inlinable @inline(__always) public static var integer: UInt8 { 0x10 }
    @inlinable @inline(__always) public static var double: UInt8 { 0x19 }
    @inlinable @inline(__always) public static var reference: UInt8 { 0x2A }
    @inlinable @inline(__always) public static var map: UInt8 { 0x32 }
    @inlinable @inline(__always) public static var geoPoint: UInt8 { 0x42 }
    @inlinable @inline(__always) public static var array: UInt8 { 0x4A }
    @inlinable @inline(__always) public static var timestamp: UInt8 { 0x52 }
    @inlinable @inline(__always) public static var null: UInt8 { 0x58 }
    /// Field 17; the tag takes two bytes, the second is `longTagSuffix`.
    @inlinable @inline(__always) public static var string: UInt8 { 0x8A }
    /// Field 18; the tag takes two bytes, the second is `longTagSuffix`.
    @inlinable @inline(__always) public static var bytes: UInt8 { 0x92 }
    @inlinable @inline(__always) public static var longTagSuffix: UInt8 { 0x01 }

    /// `LatLng.latitude`/`longitude`
    @inlinable @inline(__always) public static var latitude: UInt8 { 0x09 }
    @inlinable @inline(__always) public static var longitude: UInt8 { 0x11 }
    /// `Timestamp.seconds`/`nanos`
    @inlinable @inline(__always) public static var seconds: UInt8 { 0x08 }
    @inlinable @inline(__always) public static var nanoseconds: UInt8 { 0x10 }
}

/// Bytes that a base-128 varint of `value` takes.
@inlinable @inline(__always)
public func varintLength(_ value: UInt64) -> Int {
    value < 0x80 ? 1 : (70 - (value | 1).leadingZeroBitCount) / 7
}

/// A bounds-checked cursor over protobuf bytes. Every read returns nil on malformed input and never leaves the buffer.
public struct WireReader {
    public var position: UnsafeRawPointer
    public let end: UnsafeRawPointer

    @inlinable @inline(__always)
    public init(position: UnsafeRawPointer, end: UnsafeRawPointer) {
        self.position = position
        self.end = end
    }

    @inlinable @inline(__always) public var isAtEnd: Bool { position >= end }

    @inlinable @inline(__always)
    public mutating func byte() -> UInt8? {
        guard position < end else { return nil }
        defer { position += 1 }
        return position.load(as: UInt8.self)
    }

    @inlinable @inline(__always)
    public mutating func varint() -> UInt64? {
        guard position < end else { return nil }
        let first = position.load(as: UInt8.self)
        if first < 0x80 {
            position += 1
            return UInt64(first)
        }
        return longVarint()
    }

    @usableFromInline
    mutating func longVarint() -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = position.load(as: UInt8.self)
            position += 1
            guard shift < 63 || (shift == 63 && byte <= 1) else { return nil }
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return nil
    }

    @inlinable @inline(__always)
    public mutating func fixed64() -> UInt64? {
        guard end - position >= 8 else { return nil }
        defer { position += 8 }
        return UInt64(littleEndian: position.loadUnaligned(as: UInt64.self))
    }

    /// A length and that many bytes.
    @inlinable @inline(__always)
    public mutating func lengthDelimited() -> UnsafeRawBufferPointer? {
        guard let length = varint(), length <= UInt64(end - position) else { return nil }
        defer { position += Int(length) }
        return UnsafeRawBufferPointer(start: position, count: Int(length))
    }

    /// One entry of a fields map: `tag length { 0A key 12 value }`. The tag is the document's or the map's.
    @inlinable @inline(__always)
    public mutating func entry() -> (name: UnsafeRawBufferPointer, value: ValueView)? {
        guard let tag = byte(), tag == WireTag.mapEntry || tag == WireTag.documentEntry,
            let body = lengthDelimited()
        else { return nil }
        var inner = WireReader(position: body.baseAddress!, end: body.baseAddress! + body.count)
        guard inner.byte() == WireTag.entryKey, let name = inner.lengthDelimited(),
            inner.byte() == WireTag.entryValue, let value = inner.lengthDelimited(), inner.isAtEnd
        else { return nil }
        return (name, ValueView(value))
    }
}

/// Writes the same format, for code that is not performance-critical. The fast writer is the encoder of `FirestoreCoding`.
extension [UInt8] {
    package mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    package mutating func appendFixed64(_ value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    package mutating func appendLengthDelimited(_ bytes: some Collection<UInt8>) {
        appendVarint(UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    /// `tag length { 0A key 12 value }`
    package mutating func appendEntry(tag: UInt8, name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let inner =
            2 + varintLength(UInt64(name.count)) + name.count + varintLength(UInt64(value.count)) + value.count
        append(tag)
        appendVarint(UInt64(inner))
        append(WireTag.entryKey)
        appendLengthDelimited(name)
        append(WireTag.entryValue)
        appendLengthDelimited(value)
    }
}
