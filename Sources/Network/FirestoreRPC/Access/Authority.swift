// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The content of `Host` and `:authority`, `localhost:8080` or `[::1]`: the host in lower case without its final dot, and the port.
struct Authority: Hashable {
    /// An address without brackets, or a name of letters, digits, hyphens and underscores.
    let host: String
    let isAddress: Bool
    let port: Int?
    /// Whether a colon without a port follows, which `Host` may have and an origin may not.
    let hasEmptyPort: Bool

    /// Names have 253 bytes at most.
    private static let maximumSize = 300

    /// nil if the text is not an authority.
    init?(_ text: String) {
        let bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        guard !bytes.isEmpty, bytes.count <= Self.maximumSize else { return nil }
        let rest: ArraySlice<UInt8>
        if bytes[0] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), Self.isIPv6(bytes[1..<end]) else { return nil }
            host = String(decoding: bytes[1..<end], as: UTF8.self)
            isAddress = true
            rest = bytes[(end + 1)...]
        } else {
            let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            var name = bytes[..<end]
            if name.last == UInt8(ascii: ".") { name.removeLast() }
            guard Self.isName(name) else { return nil }
            host = String(decoding: name, as: UTF8.self)
            isAddress = Self.isIPv4(name)
            rest = bytes[end...]
        }
        let digits = rest.dropFirst()
        guard rest.isEmpty || rest.first == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(Self.isDigit) else { return nil }
        hasEmptyPort = !rest.isEmpty && digits.isEmpty
        port = digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard port ?? 0 <= 65_535 else { return nil }
    }

    /// Whether the host is `localhost` or a name below it.
    var isLocalhost: Bool { host == "localhost" || host.utf8.reversed().starts(with: ".localhost".utf8.reversed()) }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        name.count <= 253
            && name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
                            || byte == UInt8(ascii: "_")
                    }
            }
    }

    /// Four decimal numbers; browsers convert every other spelling of an address to this one.
    private static func isIPv4(_ name: ArraySlice<UInt8>) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(isDigit) && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
            }
    }

    private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        let isPlain = text.allSatisfy { byte in
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || byte == UInt8(ascii: ":")
                || byte == UInt8(ascii: ".")
        }
        guard isPlain, text.count <= 45, text.contains(UInt8(ascii: ":")) else { return false }
        return (try? SocketAddress(ipAddress: String(decoding: text, as: UTF8.self), port: 0)) != nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
