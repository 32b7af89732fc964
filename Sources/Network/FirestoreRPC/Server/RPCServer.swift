// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS

/// gRPC and HTTP on one port.
///
/// Plain connections are distinguished by their first bytes, TLS connections by ALPN (and by their first bytes if the client does
/// not name a protocol). HTTP/2 streams whose content type is not gRPC's go to the `HTTPService`, as HTTP/1.1 requests do.
package final class RPCServer: Sendable {
    private let configuration: RPCServerConfiguration
    private let service: any RPCService
    private let http: (any HTTPService)?
    private let observer: (any RPCObserver)?
    private let logger: Logger
    private let registry: ConnectionRegistry
    /// The process's event loops: another server costs no threads.
    private let group = MultiThreadedEventLoopGroup.singleton
    private let listeners = Mutex<[any Channel]>([])

    package init(
        configuration: RPCServerConfiguration, service: any RPCService, http: (any HTTPService)? = nil,
        observer: (any RPCObserver)? = nil, logger: Logger = Logger(label: "hearth.rpc")
    ) {
        self.configuration = configuration
        self.service = service
        self.http = http
        self.observer = observer
        self.logger = logger
        registry = ConnectionRegistry(limit: configuration.connections, bound: configuration.addresses, observer: observer)
    }

    // MARK: Starting

    /// Starts to listen. Returns the address, with the actual port if 0 was requested.
    package func start() async throws(RPCStatus) -> RPCAddress {
        let tls = try configuration.tls.map { (files) throws(RPCStatus) in try TLSFiles.context(files) }
        let channels: [any Channel]
        do {
            channels = try await ListenHosts.bind(configuration.host, port: configuration.port) { bootstrap(tls) }
        } catch {
            throw ListenFailure.status(error, at: RPCAddress(host: configuration.host, port: configuration.port))
        }
        listeners.withLock { $0 = channels }
        let address = RPCAddress(host: configuration.host, port: channels.first?.localAddress?.port ?? configuration.port)
        logger.debug("listening", metadata: ["address": "\(address)"])
        return address
    }

    private func bootstrap(_ tls: NIOSSLContext?) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 16 << 10, high: 32 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.configure(channel, tls: tls) }
            }
    }

    // MARK: Connections

    private func configure(_ channel: any Channel, tls: NIOSSLContext?) throws {
        let peer = channel.remoteAddress.map { "\($0.ipAddress ?? ""):\($0.port ?? 0)" } ?? ""
        guard let activity = registry.admit(channel, peer: peer) else {
            channel.close(promise: nil)
            return
        }
        let visitor = Visitor(peer: peer, activity: activity)
        let pipeline = channel.pipeline.syncOperations
        guard let tls else {
            try pipeline.addHandler(sniffer(visitor))
            return
        }
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.undecidedTimeout)) {
            channel.close(promise: nil)
        }
        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
        try pipeline.addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                timeout.cancel()
                return channel.eventLoop.makeCompletedFuture {
                    switch result {
                    case .negotiated("h2"): try self.speak(.http2, on: channel, visitor)
                    case .negotiated: try self.speak(.http1, on: channel, visitor)
                    case .fallback: try channel.pipeline.syncOperations.addHandler(self.sniffer(visitor))
                    }
                }
            })
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
    }

    /// Who has connected.
    private struct Visitor: Sendable {
        let peer: String
        let activity: ConnectionActivity
    }

    private func sniffer(_ visitor: Visitor) -> ProtocolSniffer {
        ProtocolSniffer(timeout: TimeAmount(configuration.undecidedTimeout)) { channel, choice in
            try self.speak(choice, on: channel, visitor)
        }
    }

    private func speak(_ choice: ProtocolSniffer.Choice, on channel: any Channel, _ visitor: Visitor) throws {
        let pipeline = channel.pipeline.syncOperations
        let limits = configuration.limits
        let doorkeeper = Doorkeeper(policy: configuration.access, isEncrypted: configuration.tls != nil)
        let (peer, clients) = (visitor.peer, registry.clients(behind: visitor.peer))
        switch choice {
        case .http2:
            let care = ConnectionCare(
                pingAfter: TimeAmount(configuration.pingAfter), pingTimeout: TimeAmount(configuration.pingTimeout),
                closeIdleAfter: configuration.closeIdleAfter.map { TimeAmount($0) })
            try pipeline.addHandler(
                HTTP2ConnectionHandler(.server, limits: limits, care: care, activity: visitor.activity) {
                    [service, http, observer, doorkeeper] port, channel in
                    ServerConnection(
                        eventLoop: channel.eventLoop, service: service, http: http, limits: limits, observer: observer, peer: peer,
                        doorkeeper: doorkeeper, clients: clients, port: port)
                })
        case .http1:
            // The handler answers errors itself, with an error object.
            try pipeline.configureHTTPServerPipeline(withErrorHandling: false)
            try pipeline.addHandler(
                HTTP1ConnectionHandler(
                    service: http ?? NoHTTPService(), limits: limits, observer: observer, doorkeeper: doorkeeper, patience: .init(),
                    eventLoop: channel.eventLoop, peer: peer, clients: clients, activity: visitor.activity))
        }
    }

    // MARK: Stopping

    /// Accepts no more connections, lets calls finish, and closes the remaining ones after `grace`.
    package func shutdown(grace: Duration) async {
        let listening = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        guard !listening.isEmpty else { return }
        for listener in listening { try? await listener.close().get() }
        let open = registry.close()
        for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        // The goodbye of TLS takes up to a second beside a client that does not answer it.
        let patience = configuration.tls == nil ? grace : max(grace - .seconds(1), grace / 2)
        let impatience = group.any().scheduleTask(in: TimeAmount(patience)) {
            for channel in open { channel.close(promise: nil) }
        }
        try? await EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: group.any()).get()
        impatience.cancel()
        logger.debug("stopped listening")
    }
}

/// For servers that speak gRPC only.
private struct NoHTTPService: HTTPService {
    func handle(_ exchange: any HTTPExchange) {
        exchange.respond(status: 404, headers: RPCMetadata(), body: [])
    }
}
