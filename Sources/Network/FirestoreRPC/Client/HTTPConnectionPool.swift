// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOPosix
import NIOSSL

/// Requests by HTTP/1.1 over connections that are used again: for many requests to few servers.
///
/// As with `HTTPFetch`, redirects are not followed, and answers are bounded in size and in time. What exceeds the size is cut off, because
/// the status is what callers ask for.
package final class HTTPConnectionPool: Sendable {
    private struct Origin: Hashable {
        let usesTLS: Bool
        let host: String
        let port: Int
    }

    /// More idle connections to one server are closed.
    private static let maximumIdle = 64
    private let idle = Mutex<(connections: [Origin: [PooledConnection]], isClosed: Bool)>(([:], false))
    private let trust: HTTPTrust
    private let refusesCloudAddresses: Bool

    /// - Parameter refusesCloudAddresses: Whether addresses are refused where clouds keep the secrets of machines, such as 169.254.169.254.
    package init(trust: HTTPTrust = HTTPTrust(), refusesCloudAddresses: Bool) {
        self.trust = trust
        self.refusesCloudAddresses = refusesCloudAddresses
    }

    package func run(_ question: HTTPQuestion, patience: Duration) async throws(HTTPFetchError) -> HTTPAnswer {
        let origin = Origin(usesTLS: question.usesTLS, host: question.host, port: question.port)
        let end = ContinuousClock.now + patience
        while let connection = takeIdle(origin) {
            switch await ask(connection, question, until: end, patience, origin) {
            case .success(let answer): return answer
            // The server had closed the connection before it saw the request.
            case .failure(.stale): continue
            case .failure(.failed(let error)): throw error
            }
        }
        let connection = try await connect(question, patience)
        switch await ask(connection, question, until: end, patience, origin) {
        case .success(let answer): return answer
        case .failure(.stale): throw .failed("the connection was lost")
        case .failure(.failed(let error)): throw error
        }
    }

    /// Closes idle connections, and the others when they have their answers.
    package func close() {
        let connections = idle.withLock { idle in
            idle.isClosed = true
            defer { idle.connections = [:] }
            return idle.connections.values.flatMap(\.self)
        }
        for connection in connections { connection.close() }
    }

    private func takeIdle(_ origin: Origin) -> PooledConnection? { idle.withLock { $0.connections[origin]?.popLast() } }

    private func putBack(_ connection: PooledConnection, _ origin: Origin) {
        let isKept = idle.withLock { idle in
            guard !idle.isClosed, idle.connections[origin, default: []].count < Self.maximumIdle else { return false }
            idle.connections[origin, default: []].append(connection)
            return true
        }
        guard isKept else { return connection.close() }
        connection.rest { [weak self] in
            self?.idle.withLock { idle in idle.connections[origin]?.removeAll { $0 === connection } }
        }
    }

    private func ask(
        _ connection: PooledConnection, _ question: HTTPQuestion, until end: ContinuousClock.Instant, _ patience: Duration, _ origin: Origin
    ) async -> Result<HTTPAnswer, PooledConnection.Failure> {
        let rest = end - .now
        guard rest > .zero else {
            connection.close()
            return .failure(.failed(.tooLate(patience)))
        }
        let result = await connection.ask(question, within: rest, patience)
        if case .success = result, connection.isReusable { putBack(connection, origin) }
        return result
    }

    private func connect(_ question: HTTPQuestion, _ patience: Duration) async throws(HTTPFetchError) -> PooledConnection {
        let tls: NIOSSLContext?
        do {
            tls = question.usesTLS ? try trust.context() : nil
        } catch {
            throw .failed("TLS cannot be set up: \(error)")
        }
        let connection = PooledConnection(refusesCloudAddresses: refusesCloudAddresses)
        do {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            _ = try await ClientBootstrap(group: loop)
                .connectTimeout(TimeAmount(patience))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try connection.install(in: channel, tls, host: question.host) }
                }
                .connect(host: question.host, port: question.port).get()
        } catch {
            throw HTTPFetch.connectFailure(error, within: patience)
        }
        return connection
    }
}
