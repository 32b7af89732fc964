#if Remote
import FirestoreCore
import FirestoreEngine
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import Logging
import Testing

/// The ways to a database that must all keep the contract.
enum ServiceMode: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The engine in this process.
    case embedded
    /// The server's methods and the client, without a socket.
    case loopback
    /// The server on a port of this machine.
    case socket
    /// The same as `loopback`, but streams are cut at random and unary calls overtake each other.
    case faulty

    var testDescription: String { rawValue }

    /// What talks to a server cannot say of which moment a listing is: the protocol does not.
    var knowsTimeOfListings: Bool { self == .embedded }

    /// Through a server a watch that wants all keys is told everything from the beginning.
    var resumesWithKeys: Bool { self == .embedded }
}

/// A fresh database behind a service, and how to end it.
final class ServiceFixture: Sendable {
    static let database = DatabaseID(projectID: "contract")

    let service: any DocumentService
    private let end: @Sendable () async -> Void

    private init(_ service: any DocumentService, end: @escaping @Sendable () async -> Void = {}) {
        self.service = service
        self.end = end
    }

    func close() async {
        await service.shutdown()
        await end()
    }

    static func make(_ mode: ServiceMode, seed: UInt64 = 1) async throws -> ServiceFixture {
        var log = Logger(label: "contract")
        log.logLevel = .critical
        switch mode {
        case .embedded:
            return ServiceFixture(try Engine.open(EngineConfiguration(location: .memory, databaseID: database)))
        case .loopback, .faulty:
            let databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
            let loopback = RPCLoopback(FirestoreService(databases: databases))
            let channel: any RPCChannel = mode == .faulty ? FaultyChannel(loopback, seed: seed) : loopback
            return ServiceFixture(RemoteService(channel, database: database, backoff: .immediate)) { await databases.close() }
        case .socket:
            let server = HearthServer(
                ServerConfiguration(
                    listener: RPCServerConfiguration(host: "127.0.0.1", port: 0), databases: DatabaseOpening(storage: .memory),
                    grace: .seconds(1)), log: log)
            let address = try await server.start()
            let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: address.port))
            return ServiceFixture(RemoteService(channel, database: database, backoff: .immediate)) { await server.stop() }
        }
    }

    /// Runs `body` over a fresh database and ends that.
    static func with(
        _ mode: ServiceMode, seed: UInt64 = 1, _ body: (any DocumentService) async throws -> Void
    ) async throws {
        let fixture = try await make(mode, seed: seed)
        do { try await body(fixture.service) } catch {
            await fixture.close()
            throw error
        }
        await fixture.close()
    }
}

extension Backoff {
    /// Tests do not wait.
    static let immediate = Backoff(sleep: { _ in await Task.yield() })
}
#endif
