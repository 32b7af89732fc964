// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One field of a protobuf message, as encoded. Borrowed: valid while the owner of the bytes lives.
struct RawField {
    enum Kind { case varint, fixed64, fixed32, bytes, group }

    var number: UInt32
    var kind: Kind
    /// Of varints and fixed numbers.
    var bits: UInt64 = 0
    /// Of strings, bytes and embedded messages.
    var payload = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The position of the field's tag.
    var start: UnsafeRawPointer
}

/// The fields of a protobuf message in encoded order, read in place. Groups, which are obsolete, are skipped.
struct RawFields {
    private var reader: WireReader
    /// Whether the bytes are not a protobuf message; no fields follow then.
    private(set) var isMalformed = false

    /// The depth that protobuf parsers accept.
    private static let groupDepth = 100

    init(_ bytes: UnsafeRawBufferPointer) {
        let start = ValueView(bytes).start
        reader = WireReader(position: start, end: start + bytes.count)
    }

    /// The position after the last field read.
    var position: UnsafeRawPointer { reader.position }

    @inline(__always)
    mutating func next() -> RawField? {
        guard !reader.isAtEnd, !isMalformed else { return nil }
        if let field = field() { return field }
        isMalformed = true
        return nil
    }

    @inline(__always)
    private mutating func field() -> RawField? {
        let start = reader.position
        guard let (number, type) = tag() else { return nil }
        switch type {
        case 0:
            guard let bits = reader.varint() else { return nil }
            return RawField(number: number, kind: .varint, bits: bits, start: start)
        case 1:
            guard let bits = reader.fixed64() else { return nil }
            return RawField(number: number, kind: .fixed64, bits: bits, start: start)
        case 2:
            guard let payload = reader.lengthDelimited() else { return nil }
            return RawField(number: number, kind: .bytes, payload: payload, start: start)
        case 3:
            guard skipGroup(number) else { return nil }
            return RawField(number: number, kind: .group, start: start)
        case 5:
            guard let bits = fixed32() else { return nil }
            return RawField(number: number, kind: .fixed32, bits: bits, start: start)
        default: return nil
        }
    }

    @inline(__always)
    private mutating func tag() -> (number: UInt32, type: UInt8)? {
        guard let tag = reader.varint(), tag <= UInt64(UInt32.max), tag >= 8 else { return nil }
        return (UInt32(tag >> 3), UInt8(tag & 7))
    }

    private mutating func fixed32() -> UInt64? {
        guard reader.end - reader.position >= 4 else { return nil }
        defer { reader.position += 4 }
        return UInt64(UInt32(littleEndian: reader.position.loadUnaligned(as: UInt32.self)))
    }

    /// Up to the end tag of the group, without recursion.
    private mutating func skipGroup(_ number: UInt32) -> Bool {
        var open = [number]
        while let innermost = open.last {
            guard let (number, type) = tag() else { return false }
            switch type {
            case 0: if reader.varint() == nil { return false }
            case 1: if reader.fixed64() == nil { return false }
            case 2: if reader.lengthDelimited() == nil { return false }
            case 3:
                guard open.count < Self.groupDepth else { return false }
                open.append(number)
            case 4:
                guard number == innermost else { return false }
                open.removeLast()
            case 5: if fixed32() == nil { return false }
            default: return false
            }
        }
        return true
    }
}
