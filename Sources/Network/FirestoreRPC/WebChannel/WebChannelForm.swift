// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A problem of a WebChannel request itself, and not of a message in it: answered with status 400.
package struct WebChannelProblem: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// The body of a POST of WebChannel: `headers=…&count=2&ofs=3&req0___data__=…&req1___data__=…` (WC-8, WC-16).
package struct WebChannelForm: Sendable {
    /// A message of the client (WC-17: its number is `ofs` and what stands in its name, not its place in the form).
    package struct Map: Sendable, Hashable {
        package let id: Int
        /// JSON; nil if there is none, because the client could not encode it (WC-21).
        package let text: [UInt8]?

        package init(id: Int, text: [UInt8]?) {
            self.id = id
            self.text = text
        }
    }

    /// Of the stream, sent with its first request.
    package private(set) var headers = RPCMetadata()
    /// By their numbers, each of which is there once.
    package private(set) var maps: [Map] = []

    /// The most messages in one form.
    package static let mostMaps = 1_000
    private static let mostHeaders = 100
    private static let mostHeaderBytes = 16 << 10

    package init(_ body: ByteSlice) throws(WebChannelProblem) {
        let bytes = body.array
        var count: Int?
        var offset = 0
        var found: [Int: [UInt8]?] = [:]
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            let pair = bytes[start..<end]
            start = end + 1
            guard !pair.isEmpty else { continue }
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? end
            let name = try Self.decoded(pair[..<mark])
            let value = mark < end ? pair[(mark + 1)...] : []
            if name == Self.countName {
                count = try Self.number(value, "count")
            } else if name == Self.offsetName {
                offset = try Self.number(value, "ofs")
            } else if name == Self.headersName {
                headers = try Self.headers(try Self.decoded(value))
            } else if let (number, key) = try Self.map(name) {
                if found.updateValue(found[number] ?? nil, forKey: number) == nil, found.count > Self.mostMaps {
                    throw WebChannelProblem("a form has at most \(Self.mostMaps) messages")
                }
                if key == Self.dataName { found[number] = .some(try Self.decoded(value)) }
            }
        }
        guard count ?? found.count == found.count else {
            throw WebChannelProblem("the form announces \(count ?? 0) messages and has \(found.count)")
        }
        maps = found.sorted { $0.key < $1.key }.map { Map(id: offset + $0.key, text: $0.value) }
    }

    /// The form, or the problem of the request.
    package static func read(_ body: ByteSlice) -> Result<WebChannelForm, WebChannelProblem> {
        Result { () throws(WebChannelProblem) in try WebChannelForm(body) }
    }

    private static let countName = Array("count".utf8)
    private static let offsetName = Array("ofs".utf8)
    private static let headersName = Array("headers".utf8)
    private static let dataName = Array("__data__".utf8)
    private static let prefix = Array("req".utf8)

    /// Takes `req12___data__` apart; nil for other names.
    private static func map(_ name: [UInt8]) throws(WebChannelProblem) -> (number: Int, key: [UInt8])? {
        guard name.starts(with: prefix), let mark = name.firstIndex(of: UInt8(ascii: "_")) else { return nil }
        return (try number(name[prefix.count..<mark], "req"), Array(name[(mark + 1)...]))
    }

    /// Numbers of real sessions are far below the bound, and sums of two do not overflow.
    private static func number(_ digits: ArraySlice<UInt8>, _ what: String) throws(WebChannelProblem) -> Int {
        guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw WebChannelProblem("\(what) in the form has no number, or a number of more than 15 digits")
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) throws(WebChannelProblem) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < text.endIndex, let high = digit(text[index + 1]), let low = digit(text[index + 2]) else {
                    throw WebChannelProblem("the form has a percent sign without two hexadecimal digits")
                }
                result.append(high << 4 | low)
                index += 2
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            case let byte: result.append(byte)
            }
            index += 1
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// `Name:value` and a line end, any number of times.
    private static func headers(_ text: [UInt8]) throws(WebChannelProblem) -> RPCMetadata {
        guard text.count <= mostHeaderBytes else { throw WebChannelProblem("the form's headers have more than \(mostHeaderBytes) bytes") }
        var headers = RPCMetadata()
        for line in text.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw WebChannelProblem("one of the form's headers has no colon")
            }
            guard headers.entries.count < mostHeaders else { throw WebChannelProblem("the form has more than \(mostHeaders) headers") }
            headers.append(
                String(decoding: trimmed(line[..<colon]), as: UTF8.self).lowercased(),
                String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self))
        }
        return headers
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
