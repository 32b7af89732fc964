// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import NIOCore
import NIOPosix

/// A channel to a service in the same process, through both cores and without a socket: statuses, deadlines, cancellation
/// and back-pressure are those of a real connection.
package final class RPCLoopback: RPCChannel, ClientConnecting {
    private let client: ClientConnection

    package init(_ service: any RPCService, limits: RPCLimits = RPCLimits(), observer: (any RPCObserver)? = nil) {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        var limits = limits
        limits.streamWindow = LoopbackLink.window(limits)
        let client = ClientConnection(eventLoop: eventLoop, limits: limits, authority: "loopback", scheme: "http")
        self.client = client
        eventLoop.execute { [limits] in
            LoopbackLink().connect(client) { port in
                ServerConnection(
                    eventLoop: eventLoop, service: service, http: nil, limits: limits, observer: observer, peer: "loopback",
                    budget: MemoryBudget(), port: port)
            }
        }
    }

    /// With the framing of HTTP/2 between the cores: the caller carries the bytes from one channel to the other. Both have the same loop,
    /// which runs the service, too, so that no other thread takes part.
    package init(
        _ service: any RPCService, limits: RPCLimits = RPCLimits(), observer: (any RPCObserver)? = nil, from channel: any Channel,
        to serverChannel: any Channel
    ) throws {
        let client = ClientConnection(eventLoop: channel.eventLoop, limits: limits, authority: "loopback", scheme: "http")
        self.client = client
        try Self.frame(serverChannel, as: .server, limits) { port, channel in
            ServerConnection(
                eventLoop: channel.eventLoop, service: service, http: nil, limits: limits, observer: observer, peer: "loopback",
                budget: MemoryBudget(), port: port, runOffLoop: { $0() })
        }
        try Self.frame(channel, as: .client, limits) { port, _ in
            client.connected(port)
            return client
        }
    }

    private static func frame(
        _ channel: any Channel, as role: HTTP2Framing.Role, _ limits: RPCLimits,
        core: @escaping (HTTP2ConnectionHandler, any Channel) -> any ConnectionCore
    ) throws {
        try channel.pipeline.syncOperations.addHandler(
            HTTP2ConnectionHandler(role, limits: limits, care: ConnectionCare(), makeCore: core))
    }

    func connection(after spent: ClientConnection?) -> ClientConnection { client }

    package func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        try await call(path, request, metadata, deadline)
    }

    package func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall {
        start(path, metadata, deadline, handler: handler)
    }

    package func open(
        _ path: String, only request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?,
        handler: any RPCClientHandler
    ) -> any RPCClientCall {
        start(path, metadata, deadline, onlyMessage: request, handler: handler)
    }

    package func shutdown() async {
        await withCheckedContinuation { continuation in
            client.eventLoop.execute { [client] in client.whenClosed { continuation.resume() } }
            client.post(.shutdown)
        }
    }
}
