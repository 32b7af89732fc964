#if Remote
enum PercentEncoding {
    /// Resolves `%XX`; what is no such escape stays as it is.
    static func decoded(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text[text.startIndex...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest.first),
                let low = digit(rest.dropFirst().first)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte, let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
        return UInt8(digit)
    }
}
#endif
