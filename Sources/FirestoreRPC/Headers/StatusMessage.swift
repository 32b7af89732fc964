/// The value of `grpc-message`: UTF-8, percent-encoded but for printable ASCII.
enum StatusMessage {
    /// Peers bound the headers they accept (8 kB is usual); a longer message ends here.
    static let maximumSize = 4096

    static func encode(_ text: String) -> String {
        var isPlain = text.utf8.count <= maximumSize
        if isPlain { for byte in text.utf8 where !isPrintable(byte) { isPlain = false; break } }
        if isPlain { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(maximumSize, text.utf8.count + 32))
        for scalar in text.unicodeScalars {
            let mark = bytes.count
            for byte in String(scalar).utf8 {
                if isPrintable(byte) {
                    bytes.append(byte)
                } else {
                    bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
                }
            }
            if bytes.count > maximumSize {
                bytes.removeSubrange(mark...)
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lenient: what is not an escape stays as it is, what is not UTF-8 is replaced.
    static func decode(_ text: String) -> String {
        let source = Array(text.utf8)
        guard source.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = nibble(source[index + 1]), let low = nibble(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte <= 0x7E && byte != UInt8(ascii: "%")
    }

    static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
