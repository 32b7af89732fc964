// SPDX-License-Identifier: Apache-2.0

/// The numbers of a generated table: five bits a character, the lowest first; the sixth bit says that more follow.
struct CompactNumbers {
    private var text: Substring.UTF8View

    init(_ text: String) { self.text = text[...].utf8 }

    mutating func next() -> UInt32? {
        var (value, shift): (UInt32, UInt32) = (0, 0)
        while let byte = text.popFirst() {
            let digit = Self.digit(byte)
            value |= (digit & 31) << shift
            shift += 5
            if digit & 32 == 0 { return value }
        }
        return nil
    }

    /// The alphabet of Base64.
    private static func digit(_ byte: UInt8) -> UInt32 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }
}
