// SPDX-License-Identifier: Apache-2.0

/// The lines in which the values of a JSON text begin, by their places: `triggers[2].url`. The text is known to be well-formed.
package struct JSONTextLines {
    private var lines: [String: Int] = [:]
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        value(at: "")
    }

    /// The line of a place, or of the nearest place around it.
    package func line(of place: String) -> Int {
        var place = Substring(place)
        while true {
            if let line = lines[String(place)] { return line }
            guard let cut = place.lastIndex(where: { $0 == "." || $0 == "[" }) else { return lines[""] ?? 1 }
            place = place[..<cut]
        }
    }

    /// The line that contains a byte.
    package static func line(ofByte offset: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":")].contains(bytes[offset]) { step() }
    }

    private mutating func step() {
        if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
        offset += 1
    }

    private mutating func value(at place: String) {
        skipSpace()
        guard offset < bytes.count else { return }
        lines[place] = line
        switch bytes[offset] {
        case UInt8(ascii: "{"): members(at: place)
        case UInt8(ascii: "["): elements(at: place)
        case UInt8(ascii: "\""): _ = string()
        default:
            let ends = Array(" \n\r\t,:]}".utf8)
            while offset < bytes.count, !ends.contains(bytes[offset]) { step() }
        }
    }

    private mutating func members(at place: String) {
        step()
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
            let name = string()
            value(at: place.isEmpty ? name : place + "." + name)
        }
        if offset < bytes.count { step() }
    }

    private mutating func elements(at place: String) {
        step()
        var index = 0
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] != UInt8(ascii: "]") else { break }
            value(at: place + "[\(index)]")
            index += 1
        }
        if offset < bytes.count { step() }
    }

    /// As written, without its quotes.
    private mutating func string() -> String {
        step()
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count { step() }
            step()
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if offset < bytes.count { step() }
        return text
    }
}
