// SPDX-License-Identifier: Apache-2.0

/// The lines in which the values of a JSON text begin, by their places: `triggers[2].url`. The text is known to be well-formed.
package struct JSONTextLines {
    private var offsets: [String: Int] = [:]
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        value(at: "")
    }

    /// The line of a place, or of the nearest place around it.
    package func line(of place: String) -> Int { Self.line(ofByte: byte(of: place), in: bytes) }

    /// The column of a place in its line, or of the nearest place around it: 1 for the first character.
    package func column(of place: String) -> Int { Self.column(ofByte: byte(of: place), in: bytes) }

    private func byte(of place: String) -> Int {
        var place = Substring(place)
        while true {
            if let offset = offsets[String(place)] { return offset }
            guard let cut = place.lastIndex(where: { $0 == "." || $0 == "[" }) else { return offsets[""] ?? 0 }
            place = place[..<cut]
        }
    }

    /// The column of a byte, in characters of Unicode.
    package static func column(ofByte offset: Int, in bytes: [UInt8]) -> Int {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return 1 + before[start...].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    /// The line that contains a byte.
    package static func line(ofByte offset: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":")].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func value(at place: String) {
        skipSpace()
        guard offset < bytes.count else { return }
        offsets[place] = offset
        switch bytes[offset] {
        case UInt8(ascii: "{"): members(at: place)
        case UInt8(ascii: "["): elements(at: place)
        case UInt8(ascii: "\""): _ = string()
        default:
            let ends = Array(" \n\r\t,:]}".utf8)
            while offset < bytes.count, !ends.contains(bytes[offset]) { offset += 1 }
        }
    }

    private mutating func members(at place: String) {
        offset += 1
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
            let name = string()
            value(at: place.isEmpty ? name : place + "." + name)
        }
        if offset < bytes.count { offset += 1 }
    }

    private mutating func elements(at place: String) {
        offset += 1
        var index = 0
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] != UInt8(ascii: "]") else { break }
            value(at: place + "[\(index)]")
            index += 1
        }
        if offset < bytes.count { offset += 1 }
    }

    /// As written, without its quotes.
    private mutating func string() -> String {
        offset += 1
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count { offset += 1 }
            offset += 1
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if offset < bytes.count { offset += 1 }
        return text
    }
}
