/// `/v1/projects/p?mask=a&mask=b`, taken apart.
enum RequestTarget {
    static func parse(_ target: String) -> (path: String, query: [(name: String, value: String)]) {
        let bytes = target.utf8
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
        let query = bytes[bytes.index(after: mark)...].split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (name: decode(parts[0]), value: parts.count > 1 ? decode(parts[1]) : "")
        }
        return (String(target[..<mark]), query)
    }

    private static func decode(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(StatusMessage.nibble),
                let low = rest.dropFirst().first.flatMap(StatusMessage.nibble)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
