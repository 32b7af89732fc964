// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import NIOCore
import NIOPosix
import NIOSSL

/// Where a server is, and how to connect to it.
package struct RPCClientConfiguration: Sendable {
    package struct TLS: Sendable {
        /// A PEM file with the certificates to trust; nil for those of the system.
        package var trustFile: String?
        /// The name that the certificate must contain, if it is not the host's.
        package var serverName: String?

        package init(trustFile: String? = nil, serverName: String? = nil) {
            self.trustFile = trustFile
            self.serverName = serverName
        }
    }

    package var host: String
    package var port: Int
    package var tls: TLS?
    package var limits: RPCLimits
    package var connectTimeout: Duration
    package var pingAfter: Duration
    package var pingTimeout: Duration

    package init(
        host: String, port: Int, tls: TLS? = nil, limits: RPCLimits = RPCLimits(messageSize: 64 << 20),
        connectTimeout: Duration = .seconds(10), pingAfter: Duration = .seconds(30), pingTimeout: Duration = .seconds(20)
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.limits = limits
        self.connectTimeout = connectTimeout
        self.pingAfter = pingAfter
        self.pingTimeout = pingTimeout
    }
}

/// A channel over one HTTP/2 connection. Connects when first used. When the connection is lost, the calls in flight fail with
/// `unavailable`, and the next call connects again.
package final class RPCClientChannel: RPCChannel, ClientConnecting {
    private struct State {
        var connection: ClientConnection?
        var isShut = false
    }

    private let configuration: RPCClientConfiguration
    private let tls: NIOSSLContext?
    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    package init(_ configuration: RPCClientConfiguration) throws(RPCStatus) {
        self.configuration = configuration
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        guard let files = configuration.tls else {
            tls = nil
            return
        }
        do {
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.applicationProtocols = ["h2"]
            if let file = files.trustFile { settings.trustRoots = .file(file) }
            tls = try NIOSSLContext(configuration: settings)
        } catch {
            let trust = files.trustFile.map { " with the certificates in \($0) (a PEM file is needed)" } ?? ""
            throw RPCStatus(.invalidArgument, "TLS cannot be set up\(trust): \(error)")
        }
    }

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
        let connection = state.withLock { state in
            state.isShut = true
            return state.connection
        }
        guard let connection else { return }
        await withCheckedContinuation { continuation in
            connection.eventLoop.execute { connection.whenClosed { continuation.resume() } }
            connection.post(.shutdown)
        }
    }

    // MARK: Connecting

    func connection(after spent: ClientConnection?) -> ClientConnection {
        let (connection, isNew) = state.withLock { state -> (ClientConnection, Bool) in
            if let current = state.connection, current !== spent || state.isShut { return (current, false) }
            let address = RPCAddress(host: configuration.host, port: configuration.port)
            let connection = ClientConnection(
                eventLoop: eventLoop, limits: configuration.limits, authority: "\(address)", scheme: tls == nil ? "http" : "https")
            state.connection = connection
            return (connection, !state.isShut)
        }
        if isNew { connect(connection) } else if state.withLock({ $0.isShut }) { connection.post(.shutdown) }
        return connection
    }

    private func connect(_ connection: ClientConnection) {
        let configuration = self.configuration
        let tls = self.tls
        let care = ConnectionCare(
            pingAfter: TimeAmount(configuration.pingAfter), pingTimeout: TimeAmount(configuration.pingTimeout), closeIdleAfter: nil)
        let failure = ConnectionFailure(
            address: RPCAddress(host: configuration.host, port: configuration.port), usesTLS: tls != nil,
            trustFile: configuration.tls?.trustFile)
        ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(configuration.connectTimeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        let name = configuration.tls?.serverName ?? configuration.host
                        let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : name))
                    } else {
                        try pipeline.addHandler(ServerGreeting())
                    }
                    try pipeline.addHandler(
                        HTTP2ConnectionHandler(.client, limits: configuration.limits, care: care, failure: failure) { port, _ in
                            connection.connected(port)
                            return connection
                        })
                }
            }
            .connect(host: configuration.host, port: configuration.port)
            .whenFailure { error in connection.connectionLost(failure.unreachable(error)) }
    }
}
