// SPDX-License-Identifier: Apache-2.0
#if Remote
import FirestoreRPC

/// The address of the client that sends a request, for limits.
enum ClientAddress {
    /// The peer of the connection. If that is a proxy the operator trusts, the last address in `X-Forwarded-For` that is not one: what
    /// stands before it is the client's own claim.
    static func of(_ request: HTTPRequest, isTrusted: (String) -> Bool) -> String {
        // The peer ends with its port.
        let peer = plain(request.peer.lastIndex(of: ":").map { request.peer[..<$0] } ?? request.peer[...])
        guard isTrusted(peer) else { return peer }
        let hops = request.headers.entries.filter { $0.name.utf8.elementsEqual("x-forwarded-for".utf8) }
            .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
        for hop in hops.reversed() {
            guard let address = address(of: hop) else { break }
            if !isTrusted(address) { return address }
        }
        return peer
    }

    /// Whether a proxy has passed the request on.
    static func isForwarded(_ request: HTTPRequest) -> Bool {
        request.headers.entries.contains { entry in
            entry.name.utf8.elementsEqual("forwarded".utf8) || entry.name.utf8.elementsEqual("x-forwarded-for".utf8)
        }
    }

    /// An element of `X-Forwarded-For`: an address, some proxies add brackets and a port. nil if it is something else.
    private static func address(of hop: Substring) -> String? {
        var text = hop.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        if text.hasPrefix("[") {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.contains("."), let colon = text.lastIndex(of: ":"), !text[..<colon].contains(":") {
            text = text[..<colon]
        }
        guard !text.isEmpty, text.utf8.count <= 45, text.utf8.allSatisfy(isOfAddress) else { return nil }
        return plain(text)
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower)
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
    }

    /// A socket for both versions writes IPv4 addresses as `::ffff:192.0.2.1`.
    private static func plain(_ address: Substring) -> String {
        let lower = address.lowercased()
        return lower.hasPrefix("::ffff:") && lower.contains(".") ? String(lower.dropFirst(7)) : lower
    }
}
#endif
