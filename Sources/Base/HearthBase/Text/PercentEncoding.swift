// SPDX-License-Identifier: Apache-2.0

/// `%20`: how URLs and some header fields write bytes that they cannot hold.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Writes a byte as `%XX`.
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }

    /// Encodes everything but letters, digits and `-._~`, which mean the same in every part of a URL.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default: append(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An id as the name of a file or folder: never `..`, never hidden.
    package static func fileName(_ id: String) -> String {
        let name = encode(id)
        if name.isEmpty { return "%" }
        return name.utf8.first == UInt8(ascii: ".") ? "%2E" + name.dropFirst() : name
    }

    /// Returns nil if an escape is malformed or the result is not UTF-8.
    package static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value(of:)), let low = rest.popFirst().flatMap(value(of:)) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Leaves a malformed escape as it is and replaces bytes that are not UTF-8. In a query a plus sign is a blank.
    package static func decodeLeniently(_ text: Substring, isQuery: Bool = false) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(value(of:)), let low = rest.dropFirst().first.flatMap(value(of:)) {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(isQuery && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes a query apart: `mask=a&mask=b`. A parameter without an equals sign has an empty value.
    package static func parameters(of query: Substring) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? decodeLeniently(Substring(parts[1]), isQuery: true) : ""
            return (name: decodeLeniently(Substring(parts[0]), isQuery: true), value: value)
        }
    }

    /// The value that a hexadecimal digit represents.
    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
