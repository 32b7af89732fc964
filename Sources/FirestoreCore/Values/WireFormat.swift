/// The tags of `google.firestore.v1.Value` and its relatives, as they stand in the bytes.
///
/// A stored document is the protobuf wire form of the `fields` map of `google.firestore.v1.Document`
/// (`docs/storage-format.md`). A field `title: "Hi"` at top level is
///
///     12 0E                  Document.fields, 14 bytes
///        0A 05 t i t l e     key
///        12 05               value, 5 bytes
///           8A 01 02 H i     Value.string_value
///
/// Inside a map the first byte is `0A` (`MapValue.fields`) instead of `12`; everything else is the same.
package enum WireTag {
    /// `Document.fields`
    package static let documentEntry: UInt8 = 0x12
    /// `MapValue.fields`, and also `ArrayValue.values`
    package static let mapEntry: UInt8 = 0x0A
    package static let arrayElement: UInt8 = 0x0A
    package static let entryKey: UInt8 = 0x0A
    package static let entryValue: UInt8 = 0x12

    package static let boolean: UInt8 = 0x08
    package static let integer: UInt8 = 0x10
    package static let double: UInt8 = 0x19
    package static let reference: UInt8 = 0x2A
    package static let map: UInt8 = 0x32
    package static let geoPoint: UInt8 = 0x42
    package static let array: UInt8 = 0x4A
    package static let timestamp: UInt8 = 0x52
    package static let null: UInt8 = 0x58
    /// Field 17; the tag takes two bytes, the second is `longTagSuffix`.
    package static let string: UInt8 = 0x8A
    /// Field 18; the tag takes two bytes, the second is `longTagSuffix`.
    package static let bytes: UInt8 = 0x92
    package static let longTagSuffix: UInt8 = 0x01

    /// `LatLng.latitude`/`longitude`
    package static let latitude: UInt8 = 0x09
    package static let longitude: UInt8 = 0x11
    /// `Timestamp.seconds`/`nanos`
    package static let seconds: UInt8 = 0x08
    package static let nanoseconds: UInt8 = 0x10
}

/// Bytes that a base-128 varint of `value` takes.
@inlinable
package func varintLength(_ value: UInt64) -> Int {
    value < 0x80 ? 1 : (70 - (value | 1).leadingZeroBitCount) / 7
}

/// A bounds-checked cursor over protobuf bytes. Every read answers nil on malformed input and never leaves the buffer.
package struct WireReader {
    package var position: UnsafeRawPointer
    package let end: UnsafeRawPointer

    @inlinable
    package init(position: UnsafeRawPointer, end: UnsafeRawPointer) {
        self.position = position
        self.end = end
    }

    @inlinable package var isAtEnd: Bool { position >= end }

    @inlinable
    package mutating func byte() -> UInt8? {
        guard position < end else { return nil }
        defer { position += 1 }
        return position.load(as: UInt8.self)
    }

    @inlinable
    package mutating func varint() -> UInt64? {
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

    @inlinable
    package mutating func fixed64() -> UInt64? {
        guard end - position >= 8 else { return nil }
        defer { position += 8 }
        return UInt64(littleEndian: position.loadUnaligned(as: UInt64.self))
    }

    /// A length and that many bytes.
    @inlinable
    package mutating func lengthDelimited() -> UnsafeRawBufferPointer? {
        guard let length = varint(), length <= UInt64(end - position) else { return nil }
        defer { position += Int(length) }
        return UnsafeRawBufferPointer(start: position, count: Int(length))
    }

    /// One entry of a fields map: `tag length { 0A key 12 value }`. The tag is the document's or the map's.
    @inlinable
    package mutating func entry() -> (name: UnsafeRawBufferPointer, value: ValueView)? {
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

/// Writing the same format, for code that is not hot. The hot writer is the encoder of `FirestoreCoding`.
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
