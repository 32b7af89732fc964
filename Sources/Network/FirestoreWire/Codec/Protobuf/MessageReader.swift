// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The fields of one protobuf message in encoded order, as slices of the message's own bytes.
struct MessageReader {
    private let owner: ByteStorage
    private var fields: RawFields

    init(_ bytes: ByteSlice) {
        owner = bytes.owner
        fields = RawFields(bytes.buffer)
    }

    @inline(__always)
    mutating func next() throws(FirestoreError) -> MessageField? {
        if let field = fields.next() { return MessageField(raw: field, owner: owner) }
        guard !fields.isMalformed else { throw .malformedMessage }
        return nil
    }
}

/// One field of a message. A field of an unexpected type is treated as unknown, as in protobuf.
struct MessageField {
    let raw: RawField
    let owner: ByteStorage

    var number: UInt32 { raw.number }

    /// The content of a string, of bytes or of an embedded message.
    @inline(__always)
    var bytes: ByteSlice? {
        guard raw.kind == .bytes else { return nil }
        return ByteSlice(owner: owner, start: ValueView(raw.payload).start, count: raw.payload.count)
    }

    private var varint: UInt64? { raw.kind == .varint ? raw.bits : nil }

    // A field that occurs again replaces the earlier one.

    func read(_ target: inout ByteSlice) {
        if let bytes { target = bytes }
    }

    func read(_ target: inout String) throws(FirestoreError) {
        if let bytes { target = try String(wire: bytes) }
    }

    func read(_ target: inout Bool) {
        if let varint { target = varint != 0 }
    }

    /// Numbers of 32 bits: the upper bits are dropped, as in protobuf.
    func read(_ target: inout Int32) {
        if let varint { target = Int32(truncatingIfNeeded: varint) }
    }

    func read(_ target: inout Int64) {
        if let varint { target = Int64(bitPattern: varint) }
    }

    func read(_ target: inout Double) {
        if raw.kind == .fixed64 { target = Double(bitPattern: raw.bits) }
    }

    // Repeated fields.

    func append(to list: inout [ByteSlice]) {
        if let bytes { list.append(bytes) }
    }

    func append(to list: inout [String]) throws(FirestoreError) {
        if let bytes { list.append(try String(wire: bytes)) }
    }

    /// Numbers are encoded one by one or packed.
    func append(to list: inout [Int32]) throws(FirestoreError) {
        if let varint { list.append(Int32(truncatingIfNeeded: varint)) }
        guard raw.kind == .bytes else { return }
        defer { withExtendedLifetime(owner) {} }
        let start = ValueView(raw.payload).start
        var reader = WireReader(position: start, end: start + raw.payload.count)
        while !reader.isAtEnd {
            guard let number = reader.varint() else { throw .malformedMessage }
            list.append(Int32(truncatingIfNeeded: number))
        }
    }
}

extension FirestoreError {
    static var malformedMessage: FirestoreError { .invalidArgument("the message is not well-formed protobuf") }
}

extension String {
    /// Strict: text on the wire must be UTF-8 (VAL-26).
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        guard bytes.withUnsafeBytes(isValidUTF8) else { throw .invalidArgument("a string in the message is not valid UTF-8") }
        self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
