// SPDX-License-Identifier: Apache-2.0
package import FirestoreRPC

/// The reverse proxies that are trusted to report the addresses of their clients.
package struct TrustedProxies: Sendable {
    /// A text that is neither an address nor a block of addresses.
    package struct Refusal: Error {
        package let text: String
    }

    private let blocks: [AddressBlock]

    package static let none = TrustedProxies(blocks: [])

    private init(blocks: [AddressBlock]) { self.blocks = blocks }

    package init(_ texts: [String]) throws(Refusal) {
        blocks = try texts.map { (text) throws(Refusal) in
            guard let block = AddressBlock(text) else { throw Refusal(text: text) }
            return block
        }
    }

    package var isEmpty: Bool { blocks.isEmpty }

    package func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// The other end of the connection; nil within the process.
    package static func peer(of text: String) -> IPAddress? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        return IPAddress(String(text[..<colon]))
    }

    /// The address of the client. The content of `X-Forwarded-For` is used as far as trusted proxies have written it: the last address in
    /// it that is not a proxy's.
    package func client(of peer: IPAddress, _ metadata: RPCMetadata) -> IPAddress {
        guard contains(peer) else { return peer }
        var client = peer
        for (name, value) in metadata.entries.reversed() where name == "x-forwarded-for" {
            for text in value.split(separator: ",").reversed() {
                guard let address = Self.forwarded(text.drop { $0 == " " }.prefix { $0 != " " }) else { return client }
                client = address
                guard contains(address) else { return client }
            }
        }
        return client
    }

    /// The address of the client that sends a request, for limits.
    package func client(of request: HTTPRequest) -> String {
        guard let peer = Self.peer(of: request.peer) else { return request.peer }
        return client(of: peer, request.headers).text
    }

    /// The address of the client of a call, for limits.
    package func client(of call: RPCCallInfo) -> String {
        guard let peer = Self.peer(of: call.peer) else { return call.peer }
        return client(of: peer, call.metadata).text
    }

    /// The address in an entry of `X-Forwarded-For`. Some proxies add the client's port, and put addresses of IPv6 in brackets.
    private static func forwarded(_ entry: Substring) -> IPAddress? {
        func isPort(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        if entry.first == "[" {
            guard let end = entry.firstIndex(of: "]") else { return nil }
            let rest = entry[end...].dropFirst()
            guard rest.isEmpty || rest.first == ":" && isPort(rest.dropFirst()) else { return nil }
            return IPAddress(String(entry[..<end].dropFirst()))
        }
        // More than one colon belongs to an address of IPv6, which has no port without brackets.
        guard let colon = entry.firstIndex(of: ":"), colon == entry.lastIndex(of: ":") else { return IPAddress(String(entry)) }
        return isPort(entry[colon...].dropFirst()) ? IPAddress(String(entry[..<colon])) : nil
    }

    /// Whether the headers say that a proxy has passed the request on.
    package static func isForwarded(_ metadata: RPCMetadata) -> Bool {
        metadata.entries.contains { $0.name == "x-forwarded-for" || $0.name == "forwarded" }
    }
}
