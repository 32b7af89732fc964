// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The addresses that the name of a host means for a server: `localhost` is the loopback of both families, `*` all addresses of both.
/// A client that resolves a name tries one family first, and finds another server there, or none.
enum ListenHosts {
    static let everything = "*"
    /// How often another port is tried that is free in both families, if any port was requested.
    private static let mostAttempts = 8

    static func addresses(_ host: String) -> [String] {
        if host == everything { return ["0.0.0.0", "::"] }
        return host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [host]
    }

    /// Listens at every address of a host on the same port, except in a family that the machine does not have.
    static func bind(
        _ host: String, port: Int, _ bootstrap: () -> ServerBootstrap
    ) async throws -> [any Channel] {
        var attempts = 0
        while true {
            attempts += 1
            do {
                return try await bind(addresses(host), port: port, bootstrap)
            } catch let error as IOError where port == 0 && error.errnoCode == EADDRINUSE && attempts < mostAttempts {
                continue
            }
        }
    }

    private static func bind(_ hosts: [String], port: Int, _ bootstrap: () -> ServerBootstrap) async throws -> [any Channel] {
        var channels: [any Channel] = []
        var missing: (any Error)?
        for host in hosts {
            var listening = bootstrap()
            if hosts.count > 1, host.contains(":") {
                // Otherwise the address of IPv6 takes IPv4's as well, and they exclude each other.
                listening = listening.serverChannelOption(
                    ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 1)
            }
            do {
                channels.append(try await listening.bind(host: host, port: channels.first?.localAddress?.port ?? port).get())
            } catch {
                guard hosts.count > 1, isOfMissingFamily(error) else {
                    for channel in channels { try? await channel.close().get() }
                    throw error
                }
                missing = error
            }
        }
        if channels.isEmpty, let missing { throw missing }
        return channels
    }

    private static func isOfMissingFamily(_ error: any Error) -> Bool {
        guard let code = (error as? IOError)?.errnoCode else { return false }
        return [EADDRNOTAVAIL, EAFNOSUPPORT, EPROTONOSUPPORT].contains(code)
    }
}
