// SPDX-License-Identifier: Apache-2.0

/// Text in UTF-8 that grows at its end.
///
/// An array checks its uniqueness and its capacity for each piece, which here are a few bytes long.
struct TextBytes: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        start = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit { start.deallocate() }

    var array: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }

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
}
