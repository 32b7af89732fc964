// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOPosix
import Testing

@testable import FirestoreRPC

/// The addresses that a server listens on.
@Suite struct ListenHostsTests {
    private struct Silent: RPCService {
        func method(at path: String) -> RPCMethod? { nil }
    }

    @Test func `localhost and * are both families, and every other host is itself`() {
        #expect(ListenHosts.addresses("localhost") == ["127.0.0.1", "::1"] && ListenHosts.addresses("LocalHost") == ["127.0.0.1", "::1"])
        #expect(ListenHosts.addresses("*") == ["0.0.0.0", "::"])
        for host in ["127.0.0.1", "::", "0.0.0.0", "db.example.com"] { #expect(ListenHosts.addresses(host) == [host]) }
    }

    /// Whether this machine has IPv6.
    private static func hasIPv6() async -> Bool {
        let probe = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "::1", port: 0).get()
        try? await probe?.close().get()
        return probe != nil
    }

    private func isReached(_ host: String, _ port: Int) async -> Bool {
        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: host, port: port).get()
        try? await channel?.close().get()
        return channel != nil
    }

    @Test(arguments: ["localhost", "*"])
    func `one port takes connections of both families`(host: String) async throws {
        let server = RPCServer(configuration: RPCServerConfiguration(host: host), service: Silent())
        let address = try await server.start()
        #expect(address.host == host && address.port > 0)
        #expect(await isReached("127.0.0.1", address.port))
        if await Self.hasIPv6() { #expect(await isReached("::1", address.port)) }
        // The port is taken in both.
        let second = RPCServer(configuration: RPCServerConfiguration(host: host, port: address.port), service: Silent())
        let failure = await #expect(throws: RPCStatus.self) { try await second.start() }
        #expect(failure?.code == .alreadyExists)
        await server.shutdown(grace: .zero)
        #expect(await !isReached("127.0.0.1", address.port))
        let third = RPCServer(configuration: RPCServerConfiguration(host: host, port: address.port), service: Silent())
        _ = try await third.start()
        await third.shutdown(grace: .zero)
    }
}
