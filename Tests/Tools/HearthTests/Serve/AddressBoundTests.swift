// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Testing

@testable import hearth

/// Whose address a connection counts for.
struct AddressBoundTests {
    private func client(_ arguments: [String], _ peer: String, forwarded: String? = nil) throws -> AddressBound.Client? {
        let bound = try ServeSettings(words: arguments, environment: [:]).listener.addresses
        return bound?.client(peer, forwarded.map { RPCMetadata([("x-forwarded-for", $0)]) })
    }

    @Test func `an address has a thousand connections if the settings do not say otherwise`() throws {
        #expect(try ServeSettings(words: [], environment: [:]).listener.addresses?.limit == 1_000)
        #expect(try ServeSettings(words: ["--max-connections-per-address", "7"], environment: [:]).listener.addresses?.limit == 7)
        let error = #expect(throws: (any Error).self) { try ServeSettings(words: ["--max-connections-per-address", "0"], environment: [:]) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("--max-connections-per-address must be positive"))
    }

    @Test func `loopback is not bounded in development mode, and is otherwise`() throws {
        #expect(try client([], "127.0.0.1:5000") == .unbounded)
        #expect(try client([], "::1:5000") == .unbounded)
        #expect(try client(["--rules", "r"], "127.0.0.1:5000") == .address("127.0.0.1"))
        #expect(try client(["--rules", "r"], "203.0.113.7:5000") == .address("203.0.113.7"))
        #expect(try client(["--rules", "r"], "2001:db8:1:2:3:4:5:6:5000") == .address("2001:db8:1:2::/64"))
    }

    @Test func `behind a trusted proxy requests count for the clients that it names`() throws {
        let arguments = ["--rules", "r", "--trusted-proxy", "10.0.0.0/24"]
        #expect(try client(arguments, "10.0.0.7:5000") == .proxy)
        #expect(try client(arguments, "10.0.0.7:5000", forwarded: "203.0.113.7") == .address("203.0.113.7"))
        #expect(try client(arguments, "10.0.0.7:5000", forwarded: "1.2.3.4, 203.0.113.7, 10.0.0.9") == .address("203.0.113.7"))
        // A client that is no proxy cannot choose its address.
        #expect(try client(arguments, "203.0.113.9:5000", forwarded: "203.0.113.7") == .address("203.0.113.9"))
    }
}
