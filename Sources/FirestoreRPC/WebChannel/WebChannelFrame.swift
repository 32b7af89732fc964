// SPDX-License-Identifier: Apache-2.0

/// A message of the server, with its number.
struct WebChannelArray: Sendable, Hashable {
    let id: Int
    /// JSON: `[{…}]` or `["noop"]`.
    let content: [UInt8]

    static let noop = Array("[\"noop\"]".utf8)
    static let close = Array("[\"close\"]".utf8)
}

/// The framing of answers: the length, a line feed, and so much JSON (WC-25).
package enum WebChannelFrame {
    /// A length is in UTF-16 code units, in which JavaScript counts (WC-26).
    static func units(_ text: some Sequence<UInt8>) -> Int {
        var units = 0
        // A character begins with any byte that is no continuation; outside of the first plane it is two units.
        for byte in text { units += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0) }
        return units
    }

    package static func frame(_ json: [UInt8]) -> [UInt8] { Array("\(units(json))\n".utf8) + json }

    static func frame(_ arrays: ArraySlice<WebChannelArray>) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(arrays.reduce(2) { $0 + $1.content.count + 24 })
        for array in arrays {
            json.append(UInt8(ascii: json.isEmpty ? "[" : ","))
            json.append(UInt8(ascii: "["))
            json += String(array.id).utf8
            json.append(UInt8(ascii: ","))
            json += array.content
            json.append(UInt8(ascii: "]"))
        }
        json.append(UInt8(ascii: "]"))
        return frame(json)
    }
}
