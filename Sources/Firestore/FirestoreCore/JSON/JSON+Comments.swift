// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// A text as people keep it in files: a byte-order mark, `// comments` and `/* comments */` become spaces, so that everything else
    /// stays in its place. Text in strings is not a comment.
    package static func withoutComments(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(text)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20]) }
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = endOfString(in: bytes, from: index)
            case UInt8(ascii: "/"): index = blankComment(in: &bytes, from: index)
            default: index += 1
            }
        }
        return bytes
    }

    /// After the closing quote, or at the end of the text.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index + 1
    }

    /// Lines stay lines. A slash that begins no comment stays, and is an error for the reader.
    private static func blankComment(in bytes: inout [UInt8], from start: Int) -> Int {
        let isLine: Bool
        switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
        case UInt8(ascii: "/"): isLine = true
        case UInt8(ascii: "*"): isLine = false
        default: return start + 1
        }
        var index = start + 2
        while index < bytes.count {
            if isLine, bytes[index] == UInt8(ascii: "\n") { break }
            if !isLine, bytes[index] == UInt8(ascii: "/"), bytes[index - 1] == UInt8(ascii: "*"), index > start + 2 {
                index += 1
                break
            }
            index += 1
        }
        for place in start..<index where bytes[place] != UInt8(ascii: "\n") && bytes[place] != UInt8(ascii: "\r") { bytes[place] = 0x20 }
        return index
    }
}
