// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Writes protobuf from the last byte to the first.
///
/// The length of an embedded message precedes it. Writing backwards, the length is known by then, and messages need not be
/// measured in advance or moved afterwards. Callers write fields in descending order.
struct ReverseWriter: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// The first byte written so far.
    private var start: UnsafeMutableRawPointer

    init(capacity: Int = 256) {
        base = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
        start = base + capacity
    }

    deinit { base.deallocate() }

    var count: Int { base + capacity - start }

    /// Valid until more is written.
    private var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    var array: [UInt8] { [UInt8](written) }
    var slice: ByteSlice { ByteSlice(copying: written) }

    @inline(__always)
    private mutating func makeRoom(_ wanted: Int) {
        if start - base < wanted { grow(wanted) }
    }

    private mutating func grow(_ wanted: Int) {
        let count = count
        let larger = max(capacity * 2, count + wanted + 64)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        let target = memory + larger - count
        target.copyMemory(from: start, byteCount: count)
        base.deallocate()
        (base, capacity, start) = (memory, larger, target)
    }

    // MARK: Parts of fields

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        makeRoom(1)
        start -= 1
        start.storeBytes(of: byte, as: UInt8.self)
    }

    @inline(__always)
    mutating func varint(_ value: UInt64) {
        if value < 0x80 { return byte(UInt8(truncatingIfNeeded: value)) }
        let length = varintLength(value)
        makeRoom(length)
        start -= length
        var rest = value
        for index in 0..<(length - 1) {
            start.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: index, as: UInt8.self)
            rest >>= 7
        }
        start.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: length - 1, as: UInt8.self)
    }

    @inline(__always)
    mutating func fixed64(_ value: UInt64) {
        makeRoom(8)
        start -= 8
        start.storeBytes(of: value.littleEndian, as: UInt64.self)
    }

    @inline(__always)
    mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        makeRoom(bytes.count)
        start -= bytes.count
        start.copyMemory(from: source, byteCount: bytes.count)
    }

    mutating func raw(_ text: String) {
        var text = text
        text.withUTF8 { raw(UnsafeRawBufferPointer($0)) }
    }

    mutating func raw(_ bytes: ByteSlice) {
        defer { withExtendedLifetime(bytes) {} }
        raw(bytes.buffer)
    }

    mutating func tag(_ number: Int, type: UInt64) { varint(UInt64(number) << 3 | type) }

    /// Writes length and tag before the bytes that were written since `count` was `mark`.
    @inline(__always)
    mutating func close(_ number: Int, since mark: Int) {
        varint(UInt64(count - mark))
        tag(number, type: 2)
    }

    // MARK: Fields; those with the value they have when absent are left out, as proto3 does

    mutating func message(_ number: Int, _ body: (inout ReverseWriter) -> Void) {
        let mark = count
        body(&self)
        close(number, since: mark)
    }

    /// Omits an empty text.
    mutating func text(_ number: Int, _ text: String) {
        if !text.utf8.isEmpty { element(number, text) }
    }

    /// An element of a repeated field, or a member of a oneof, which is written even if empty.
    mutating func element(_ number: Int, _ text: String) {
        let mark = count
        raw(text)
        close(number, since: mark)
    }

    mutating func data(_ number: Int, _ bytes: ByteSlice) {
        if !bytes.isEmpty { element(number, bytes) }
    }

    mutating func element(_ number: Int, _ bytes: ByteSlice) {
        let mark = count
        raw(bytes)
        close(number, since: mark)
    }

    mutating func integer(_ number: Int, _ value: some BinaryInteger) {
        if value != 0 { element(number, value) }
    }

    mutating func element(_ number: Int, _ value: some BinaryInteger) {
        varint(UInt64(truncatingIfNeeded: value))
        tag(number, type: 0)
    }

    mutating func flag(_ number: Int, _ value: Bool) {
        if value { element(number, 1) }
    }

    mutating func packed(_ number: Int, _ values: [Int32]) {
        guard !values.isEmpty else { return }
        let mark = count
        for value in values.reversed() { varint(UInt64(truncatingIfNeeded: value)) }
        close(number, since: mark)
    }
}

extension WireMessage {
    /// The bytes that `body` writes, fields in descending order.
    static func bytes(reserving capacity: Int = 256, _ body: (inout ReverseWriter) -> Void) -> [UInt8] {
        var writer = ReverseWriter(capacity: capacity)
        body(&writer)
        return writer.array
    }
}
