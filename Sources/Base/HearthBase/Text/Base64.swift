// SPDX-License-Identifier: Apache-2.0

/// Bytes as text: RFC 4648, written with padding; the URL-safe alphabet and missing padding are accepted (VAL-24).
package enum Base64 {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Uses the alphabet for URLs and no padding, as in JSON web tokens (RFC 7515).
    package static func encodeForURL(_ bytes: [UInt8]) -> String {
        let text = encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }.map { letter in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: letter
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil if the text is not base64.
    package static func decode(_ text: String) -> [UInt8]? {
        let letters = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        let padding = text.utf8.count - letters.count
        guard letters.count % 4 != 1, padding == 0 || padding <= 2 && text.utf8.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count * 3 / 4)
        var bits = 0
        var count = 0
        for letter in letters {
            let value = values[Int(letter)]
            guard value != 0xFF else { return nil }
            bits = bits << 6 | Int(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }
}
