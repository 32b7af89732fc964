// SPDX-License-Identifier: Apache-2.0

/// A message of the server, with its number.
struct WebChannelArray: Sendable, Hashable {
    let id: Int
    /// JSON: `[{…}]` or `["noop"]`.
    let content: [UInt8]
    let units: Int

    init(id: Int, content: [UInt8]) {
        self.id = id
        self.content = content
        units = WebChannelFrame.units(content)
    }

    static let noop = Array("[\"noop\"]".utf8)
    static let close = Array("[\"close\"]".utf8)
}

/// The framing of answers: the length, a line feed, and so much JSON (WC-25).
package enum WebChannelFrame {
    /// A length is in UTF-16 code units, which JavaScript uses (WC-26).
    static func units(_ text: [UInt8]) -> Int {
        text.withUnsafeBytes { text in
            var units = 0
            var index = 0
            while index < text.count {
                if index + 8 <= text.count, text.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
                    units += 8
                    index += 8
                    continue
                }
                // A character begins with any byte that is not a continuation; outside of the first plane it is two units.
                let byte = text[index]
                units += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0)
                index += 1
            }
            return units
        }
    }

    package static func frame(_ json: [UInt8]) -> [UInt8] { Array("\(units(json))\n".utf8) + json }

    static func frame(_ arrays: ArraySlice<WebChannelArray>) -> [UInt8] {
        var (units, bytes) = (1, 1)
        for array in arrays {
            let around = String(array.id).utf8.count + 4
            units += array.units + around
            bytes += array.content.count + around
        }
        var frame = Array("\(units)\n".utf8)
        frame.reserveCapacity(frame.count + bytes)
        var separator = UInt8(ascii: "[")
        for array in arrays {
            frame.append(separator)
            separator = UInt8(ascii: ",")
            frame.append(UInt8(ascii: "["))
            frame += String(array.id).utf8
            frame.append(UInt8(ascii: ","))
            frame += array.content
            frame.append(UInt8(ascii: "]"))
        }
        frame.append(UInt8(ascii: "]"))
        return frame
    }
}
