// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import NetworkFaults

/// The proxy cuts, delays and swallows; it never reorders.
struct FaultProxyTests {
    @Test func `bytes do not overtake delayed ones whose timer is late`() throws {
        let (client, server) = (EmbeddedChannel(), EmbeddedChannel())
        let link = ProxyLink(client)
        link.attach(server)
        link.pass(ByteBuffer(string: "first"), .toServer, after: .milliseconds(1))
        Thread.sleep(forTimeInterval: 0.002)
        link.pass(ByteBuffer(string: "second"), .toServer, after: .zero)
        #expect(try server.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "first"))
        #expect(try server.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "second"))
    }

    @Test func `an end of file waits for the bytes before it`() throws {
        let (client, server) = (EmbeddedChannel(), EmbeddedChannel())
        let link = ProxyLink(client)
        link.attach(server)
        server.pipeline.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        link.pass(ByteBuffer(string: "last"), .toServer, after: .milliseconds(1))
        Thread.sleep(forTimeInterval: 0.002)
        link.ended(.toServer)
        #expect(try server.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "last"))
        #expect(!server.isActive)
    }
}
