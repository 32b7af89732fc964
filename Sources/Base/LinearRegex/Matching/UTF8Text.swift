// SPDX-License-Identifier: Apache-2.0

/// The UTF-8 of a text, borrowed and read in both directions. Other bytes are read safely, with results that
/// are not specified.
struct UTF8Text {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Passes the text of a string to `body`.
    static func with<R>(
        _ text: String, _ body: (UTF8Text) throws(RegularExpressionError) -> R
    ) throws(RegularExpressionError) -> R {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(RegularExpressionError) in try body(UTF8Text(UnsafeRawBufferPointer(bytes))) }
        }
        return try result.get()
    }

    var count: Int { bytes.count }

    /// The scalar that ends at an offset, and where it begins.
    func scalar(before end: Int) -> (value: UInt32, start: Int) {
        var start = end - 1
        var byte = UInt32(bytes[start])
        guard byte >= 0x80 else { return (byte, start) }
        var value: UInt32 = 0
        var (shift, mask): (UInt32, UInt32) = (0, 0x3F)
        while byte & 0xC0 == 0x80, start > 0, shift < 18 {
            value |= (byte & 0x3F) << shift
            shift += 6
            mask >>= 1
            start -= 1
            byte = UInt32(bytes[start])
        }
        return (value | (byte & mask) << shift, start)
    }

    /// The scalar that begins at an offset, and where it ends.
    func scalar(at start: Int) -> (value: UInt32, end: Int) {
        let byte = UInt32(bytes[start])
        guard byte >= 0x80 else { return (byte, start + 1) }
        let end = min(start + (byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4), bytes.count)
        return (bytes[start + 1..<end].reduce(byte & (0x7F >> UInt32(end - start))) { $0 << 6 | UInt32($1) & 0x3F }, end)
    }

    /// The offset of the next scalar. The end has a next offset, too, which is behind everything.
    func offset(after offset: Int) -> Int { offset < bytes.count ? scalar(at: offset).end : offset + 1 }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
