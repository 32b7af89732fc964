// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreRPC

/// The reverse proxies that are trusted to report the addresses of their clients: `--trusted-proxy`.
struct TrustedProxies {
    private let blocks: [AddressBlock]

    init(_ texts: [String] = []) throws {
        blocks = try texts.map { text in
            guard let block = AddressBlock(text) else {
                throw ValidationError(
                    "--trusted-proxy: \"\(text)\" is not an address; give one such as 10.0.0.7, or a block such as 10.0.0.0/24")
            }
            return block
        }
    }

    var isEmpty: Bool { blocks.isEmpty }

    func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// The other end of the connection; nil within the process.
    static func peer(of text: String) -> IPAddress? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        return IPAddress(String(text[..<colon]))
    }

    /// The address of the client. The content of `X-Forwarded-For` is used as far as trusted proxies have written it: the last address in
    /// it that is not a proxy's.
    func client(of peer: IPAddress, _ metadata: RPCMetadata) -> IPAddress {
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
    static func isForwarded(_ metadata: RPCMetadata) -> Bool {
        metadata.entries.contains { $0.name == "x-forwarded-for" || $0.name == "forwarded" }
    }
}
