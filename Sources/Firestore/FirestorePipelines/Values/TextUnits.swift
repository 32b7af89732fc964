// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A string as a sequence of code points, or bytes as they are, read in place.
///
/// Offsets count bytes, positions count units. Valid while the value lives.
struct TextUnits {
    let bytes: UnsafeRawBufferPointer
    /// The value it is read from, whose type results have.
    private let model: EvaluatedValue
    private let isString: Bool

    /// nil for a value that is neither a string nor bytes.
    init?(_ value: EvaluatedValue) {
        guard let bytes = value.textBytes else { return nil }
        self.bytes = bytes
        model = value
        isString = value.utf8 != nil
    }

    func value(_ range: Range<Int>) -> EvaluatedValue { .text(UnsafeRawBufferPointer(rebasing: bytes[range]), like: model) }

    /// The number of units.
    var count: Int { position(of: bytes.count) }

    /// How many units are before an offset.
    func position(of offset: Int) -> Int {
        isString ? bytes[..<offset].reduce(0) { $0 + (UTF8Unit.continues($1) ? 0 : 1) } : offset
    }

    /// The offset of the unit so many units behind another offset, or the end of the text.
    func offset(of position: Int, from start: Int = 0) -> Int {
        guard isString else { return position < bytes.count - start ? start + position : bytes.count }
        var (offset, rest) = (start, position)
        while rest > 0, offset < bytes.count {
            offset = end(from: offset)
            rest -= 1
        }
        return offset
    }

    /// Where the unit that begins at an offset ends.
    func end(from offset: Int) -> Int { isString ? UTF8Unit.end(from: offset, in: bytes) : offset + 1 }

    /// Where the unit that ends at an offset begins.
    func start(before offset: Int) -> Int { isString ? UTF8Unit.start(before: offset, in: bytes) : offset - 1 }

    /// The units in reverse.
    func reversed() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = bytes.count
        while end > 0 {
            let start = start(before: end)
            result += bytes[start..<end]
            end = start
        }
        return result
    }
}

/// Code points in UTF-8.
enum UTF8Unit {
    /// Whether a byte is not the first one of a code point.
    static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    static func end(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var end = offset + 1
        while end < bytes.count, continues(bytes[end]) { end += 1 }
        return end
    }

    static func start(before offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var start = offset - 1
        while start > 0, continues(bytes[start]) { start -= 1 }
        return start
    }
}
