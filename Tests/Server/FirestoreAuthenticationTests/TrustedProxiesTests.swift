// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Testing

@testable import FirestoreAuthentication

struct TrustedProxiesTests {
    @Test(arguments: [
        ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.8", false), ("10.0.0.0/24", "10.0.0.255", true), ("10.0.0.0/24", "10.0.1.0", false), ("10.0.0.0/9", "10.127.0.1", true),
        ("10.0.0.0/9", "10.128.0.1", false), ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "203.0.113.9", true), ("2001:db8::/32", "2001:db8:1::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("10.0.0.7", "::ffff:10.0.0.7", true), ("::ffff:10.0.0.7", "10.0.0.7", true), ("fe80::1", "fe80::1%eth0", true),
    ])
    func `a block contains the addresses that begin with its bits`(block: String, address: String, isInside: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(try TrustedProxies([block]).contains(address) == isInside)
    }

    @Test(arguments: ["", "a", "10.0.0", "10.0.0.1/", "10.0.0.1/33", "10.0.0.1/-1", "10.0.0.1/+1", "::1/129", "10.0.0.1:80", "[::1]", "010.0.0.1/8"])
    func `text that is not an address is rejected`(text: String) {
        #expect(throws: (any Error).self) { try TrustedProxies([text]) }
    }

    @Test(arguments: [
        ("192.0.2.1:5", ["203.0.113.5"], "192.0.2.1"), ("10.0.0.1:5", ["203.0.113.5"], "203.0.113.5"), ("10.0.0.1:5", ["198.51.100.1, 203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1:5", ["203.0.113.5, 10.0.0.2"], "203.0.113.5"), ("10.0.0.1:5", ["198.51.100.1", "203.0.113.5,10.0.0.2"], "203.0.113.5"), ("10.0.0.1:5", [], "10.0.0.1"), ("10.0.0.1:5", ["nonsense"], "10.0.0.1"),
        ("10.0.0.1:5", ["203.0.113.5, nonsense, 10.0.0.9"], "10.0.0.9"), ("::ffff:10.0.0.1:5", ["2001:db8::1"], "2001:db8::1"), ("10.0.0.1:5", [""], "10.0.0.1"),
        ("10.0.0.1:5", ["203.0.113.9:51234"], "203.0.113.9"), ("10.0.0.1:5", ["203.0.113.9:51234, 10.0.0.2:80"], "203.0.113.9"), ("10.0.0.1:5", ["[2001:db8::1]:443"], "2001:db8::1"),
        ("10.0.0.1:5", ["[2001:db8::1]"], "2001:db8::1"), ("10.0.0.1:5", ["203.0.113.9:x"], "10.0.0.1"), ("10.0.0.1:5", ["203.0.113.9:"], "10.0.0.1"), ("10.0.0.1:5", ["[2001:db8::1"], "10.0.0.1"),
        ("10.0.0.1:5", ["[2001:db8::1]443"], "10.0.0.1"),
    ])
    func `the client's address is the last one that no trusted proxy has`(peer: String, headers: [String], client: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8"])
        let metadata = RPCMetadata(headers.map { ("x-forwarded-for", $0) })
        #expect(proxies.client(of: try #require(TrustedProxies.peer(of: peer)), metadata) == IPAddress(client))
    }

    @Test(arguments: [("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost", true), ("LOCALHOST.", true), ("::ffff:127.0.0.1", true), ("0.0.0.0", false), ("::", false), ("10.0.0.1", false),
    ("db.localhost", false), ("", false)])
    func `names of this machine`(host: String, isLoopback: Bool) { #expect(LoopbackAddress.names(host) == isLoopback) }
}
