// SPDX-License-Identifier: Apache-2.0

/// The kinds a stored value can have.
public enum ValueKind: UInt8, Sendable {
    case null, boolean, integer, double, timestamp, string, bytes, reference, geoPoint, array, map
    /// The bytes are damaged. Readers turn this into `dataLoss`.
    case malformed
}

extension ValueKind {
    /// The kind in one word, as in messages and reports.
    package var name: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .timestamp: "timestamp"
        case .string: "string"
        case .bytes: "bytes"
        case .reference: "reference"
        case .geoPoint: "geopoint"
        case .array: "array"
        case .map: "map"
        case .malformed: "damaged"
        }
    }
}

/// A borrowed view of one encoded value: reads the bytes in place, allocates nothing.
///
/// Valid while the owner of the bytes lives; code that stores a view must retain the `ByteSlice` too. Accessors return nil when
/// the value is of another kind or malformed.
public struct ValueView {
    public let start: UnsafeRawPointer
    public let end: UnsafeRawPointer

    @inlinable @inline(__always)
    public init(_ bytes: UnsafeRawBufferPointer) {
        // A zero-length buffer may come without an address; only `start == end` matters then.
        start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        end = start + bytes.count
    }

    @inlinable @inline(__always) public var count: Int { end - start }
    @inlinable @inline(__always) public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    @inlinable @inline(__always)
    public var kind: ValueKind {
        guard start < end else { return .malformed }
        switch start.load(as: UInt8.self) {
        case WireTag.null: return .null
        case WireTag.boolean: return .boolean
        case WireTag.integer: return .integer
        case WireTag.double: return .double
        case WireTag.timestamp: return .timestamp
        case WireTag.string: return .string
        case WireTag.bytes: return .bytes
        case WireTag.reference: return .reference
        case WireTag.geoPoint: return .geoPoint
        case WireTag.array: return .array
        case WireTag.map: return .map
        default: return .malformed
        }
    }

    @inlinable @inline(__always) public var isNull: Bool { start < end && start.load(as: UInt8.self) == WireTag.null }

    /// A reader behind the tag, if the tag is `tag`.
    @inlinable @inline(__always)
    func payload(_ tag: UInt8) -> WireReader? {
        guard start < end, start.load(as: UInt8.self) == tag else { return nil }
        return WireReader(position: start + 1, end: end)
    }

    @inlinable @inline(__always)
    public var boolean: Bool? {
        guard var reader = payload(WireTag.boolean), let value = reader.varint() else { return nil }
        return value != 0
    }

    @inlinable @inline(__always)
    public var integer: Int64? {
        guard var reader = payload(WireTag.integer), let value = reader.varint() else { return nil }
        return Int64(bitPattern: value)
    }

    @inlinable @inline(__always)
    public var double: Double? {
        guard var reader = payload(WireTag.double), let bits = reader.fixed64() else { return nil }
        return Double(bitPattern: bits)
    }

    /// The UTF-8 bytes of a string.
    @inlinable @inline(__always)
    public var stringBytes: UnsafeRawBufferPointer? { longTagged(WireTag.string) }

    @inlinable @inline(__always)
    public var string: String? { stringBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The content of a bytes value.
    @inlinable @inline(__always)
    public var dataBytes: UnsafeRawBufferPointer? { longTagged(WireTag.bytes) }

    @inlinable @inline(__always)
    func longTagged(_ tag: UInt8) -> UnsafeRawBufferPointer? {
        guard var reader = payload(tag), reader.byte() == WireTag.longTagSuffix else { return nil }
        return reader.lengthDelimited()
    }

    /// The full resource name of a reference.
    @inlinable @inline(__always)
    public var referenceBytes: UnsafeRawBufferPointer? {
        guard var reader = payload(WireTag.reference) else { return nil }
        return reader.lengthDelimited()
    }

    package var timestamp: TimestampValue? {
        guard var reader = payload(WireTag.timestamp), let body = reader.lengthDelimited() else { return nil }
        var inner = WireReader(position: body.baseAddress!, end: body.baseAddress! + body.count)
        var seconds: Int64 = 0
        var nanoseconds: Int32 = 0
        while let tag = inner.byte() {
            guard let value = inner.varint() else { return nil }
            switch tag {
            case WireTag.seconds: seconds = Int64(bitPattern: value)
            case WireTag.nanoseconds: nanoseconds = Int32(truncatingIfNeeded: value)
            default: return nil
            }
        }
        return TimestampValue(seconds: seconds, nanoseconds: nanoseconds)
    }

    package var geoPoint: GeoPointValue? {
        guard var reader = payload(WireTag.geoPoint), let body = reader.lengthDelimited() else { return nil }
        var inner = WireReader(position: body.baseAddress!, end: body.baseAddress! + body.count)
        var latitude = 0.0
        var longitude = 0.0
        while let tag = inner.byte() {
            guard let bits = inner.fixed64() else { return nil }
            switch tag {
            case WireTag.latitude: latitude = Double(bitPattern: bits)
            case WireTag.longitude: longitude = Double(bitPattern: bits)
            default: return nil
            }
        }
        return GeoPointValue(latitude: latitude, longitude: longitude)
    }

    /// The elements of an array.
    @inlinable @inline(__always)
    public var elements: ArrayView? {
        guard var reader = payload(WireTag.array), let body = reader.lengthDelimited() else { return nil }
        return ArrayView(body)
    }

    /// The entries of a map.
    @inlinable @inline(__always)
    public var fields: FieldsView? {
        guard var reader = payload(WireTag.map), let body = reader.lengthDelimited() else { return nil }
        return FieldsView(body)
    }

    /// The components, if this is a vector: a map of `__type__` = `"__vector__"` and `value`.
    public var vector: ArrayView? {
        guard let fields else { return nil }
        if let components = fields.vectorComponents { return components }
        guard let type = fields[utf8: "__type__"]?.stringBytes, type.elementsEqual("__vector__".utf8) else { return nil }
        return fields[utf8: "value"]?.elements
    }
}

extension FieldsView {
    /// The components of a vector as it is usually stored: `__type__` first, then `value`. Compares words instead of names,
    /// because a search reads this for every document.
    fileprivate var vectorComponents: ArrayView? {
        guard bytes.count > 34 else { return nil }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        // 0A 19 0A 08 "__type__" 12 0D 8A 01 0A "__vector__"
        guard word(0) == 0x7974_5F5F_080A_190A, word(8) == 0x018A_0D12_5F5F_6570, word(16) == 0x6F74_6365_765F_5F0A,
            word(19) == 0x5F5F_726F_7463_6576
        else { return nil }
        var rest = FieldsView(UnsafeRawBufferPointer(rebasing: bytes[27...])).makeIterator()
        guard let (name, value) = rest.next(), name.count == 5, name[4] == UInt8(ascii: "e"),
            UInt32(littleEndian: name.loadUnaligned(as: UInt32.self)) == 0x756C_6176  // "valu"
        else { return nil }
        return value.elements
    }
}

/// The elements of an encoded array, in order.
public struct ArrayView: Sequence {
    public let bytes: UnsafeRawBufferPointer

    @inlinable @inline(__always) public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inlinable @inline(__always) public var isEmpty: Bool { bytes.isEmpty }

    @inlinable @inline(__always)
    public func makeIterator() -> Iterator {
        let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        return Iterator(reader: WireReader(position: start, end: start + bytes.count))
    }

    /// Number of elements; walks the array.
    @inlinable @inline(__always)
    public var count: Int {
        var iterator = makeIterator()
        var result = 0
        while iterator.next() != nil { result += 1 }
        return result
    }

    public struct Iterator: IteratorProtocol {
        @usableFromInline var reader: WireReader

        @inlinable init(reader: WireReader) { self.reader = reader }

        @inlinable @inline(__always)
        public mutating func next() -> ValueView? {
            WorkCounter.add()
            guard reader.byte() == WireTag.arrayElement, let value = reader.lengthDelimited() else { return nil }
            return ValueView(value)
        }
    }
}

/// The entries of a document or map, in the order of their names' UTF-8 bytes.
public struct FieldsView: Sequence {
    public let bytes: UnsafeRawBufferPointer

    @inlinable @inline(__always) public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inlinable @inline(__always) public var isEmpty: Bool { bytes.isEmpty }

    @inlinable @inline(__always)
    public func makeIterator() -> Iterator {
        let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        return Iterator(reader: WireReader(position: start, end: start + bytes.count))
    }

    public struct Iterator: IteratorProtocol {
        @usableFromInline var reader: WireReader
        /// True once an entry could not be read: the reader may stand at the end then too.
        @usableFromInline var hasFailed = false

        @inlinable init(reader: WireReader) { self.reader = reader }

        /// The next entry. Ends at the end of the bytes or at damage; `isDamaged` distinguishes them.
        @inlinable @inline(__always)
        public mutating func next() -> (name: UnsafeRawBufferPointer, value: ValueView)? {
            WorkCounter.add()
            guard !reader.isAtEnd, !hasFailed else { return nil }
            if let entry = reader.entry() { return entry }
            hasFailed = true
            return nil
        }

        @inlinable @inline(__always) public var isDamaged: Bool { hasFailed }
    }

    /// The value of the entry with exactly these name bytes.
    @inlinable @inline(__always)
    public subscript(name: UnsafeRawBufferPointer) -> ValueView? {
        var iterator = makeIterator()
        while let entry = iterator.next() {
            let order = compareBytes(entry.name, name)
            if order == 0 { return entry.value }
            if order > 0 { return nil }
        }
        return nil
    }

    @inlinable @inline(__always)
    public subscript(utf8 name: String) -> ValueView? {
        var name = name
        return name.withUTF8 { self[UnsafeRawBufferPointer($0)] }
    }

    /// The value at a path of nested names; nil where the path does not exist.
    package subscript(path: FieldPathSegments) -> ValueView? {
        var fields = self
        var value: ValueView?
        for (index, segment) in path.segments.enumerated() {
            value = fields[utf8: segment]
            if index == path.segments.count - 1 { break }
            guard let inner = value?.fields else { return nil }
            fields = inner
        }
        return value
    }
}

/// Unsigned bytewise order, then length: negative, zero or positive.
@inlinable @inline(__always)
public func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    var index = 0
    let shared = Swift.min(left.count, right.count)
    WorkCounter.add(1 + shared >> 6)
    // Eight at a time, then the rest; big-endian words order as their bytes do.
    while index &+ 8 <= shared {
        let leftWord = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let rightWord = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        if leftWord != rightWord { return leftWord < rightWord ? -1 : 1 }
        index &+= 8
    }
    while index < shared {
        let difference = Int(left[index]) - Int(right[index])
        if difference != 0 { return difference }
        index &+= 1
    }
    return left.count - right.count
}
