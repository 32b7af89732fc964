// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Text or a message that grows at its end.
///
/// An array checks its uniqueness and its capacity for each piece, which here are a few bytes long.
struct GrowingBytes: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        start = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit { start.deallocate() }

    private var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    var array: [UInt8] { [UInt8](written) }
    var slice: ByteSlice { ByteSlice(copying: written) }

    mutating func truncate(to count: Int) { self.count = count }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func append(_ ascii: StaticString) {
        append(UnsafeRawBufferPointer(start: ascii.utf8Start, count: ascii.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var first = 20
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: digits[first...]))
        }
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }

    // MARK: Protobuf

    @inline(__always)
    mutating func append(varint value: UInt64) {
        if value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
        reserve(10)
        store(value, varintLength(value), at: count)
        count += varintLength(value)
    }

    @inline(__always)
    mutating func append(tag number: Int32, type: UInt64) { append(varint: UInt64(number) << 3 | type) }

    /// Begins a field that has a length, which follows with `close`. Returns where its content begins.
    @inline(__always)
    mutating func open(_ number: Int32) -> Int {
        append(tag: number, type: 2)
        append(UInt8(0))
        return count
    }

    /// Sets the length of the field whose content begins there. One byte was reserved for it, which is enough for most fields; the content
    /// of a longer one is moved.
    @inline(__always)
    mutating func close(_ content: Int) {
        let length = count - content
        guard length < 0x80 else { return close(content, length: length) }
        start.storeBytes(of: UInt8(truncatingIfNeeded: length), toByteOffset: content - 1, as: UInt8.self)
    }

    @inline(never)
    private mutating func close(_ content: Int, length: Int) {
        let more = varintLength(UInt64(length)) - 1
        reserve(more)
        (start + content + more).copyMemory(from: start + content, byteCount: length)
        store(UInt64(length), more + 1, at: content - 1)
        count += more
    }

    /// Writes a varint that takes so many bytes into memory that is reserved.
    @inline(__always)
    private func store(_ value: UInt64, _ length: Int, at place: Int) {
        var rest = value
        for index in place..<(place + length - 1) {
            start.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: index, as: UInt8.self)
            rest >>= 7
        }
        start.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: place + length - 1, as: UInt8.self)
    }
}
