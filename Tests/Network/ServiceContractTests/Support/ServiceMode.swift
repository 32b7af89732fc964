// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import FirestoreGateway
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import Logging
import ServerFixtures
import Testing

/// The paths to a database, which must all satisfy the contract.
enum ServiceMode: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The engine in this process.
    case embedded
    /// The server's methods and the client, without a socket.
    case loopback
    /// The server on a port of this machine.
    case socket
    /// A `loopback` whose streams are cut at random and unary calls overtake each other.
    case faulty

    /// The server on a port, over its REST routes.
    case rest

    var testDescription: String { rawValue }

    /// What not every mode can do.
    enum Ability: Sendable {
        case watching, timeOfListings, resumingWithKeys
    }

    struct Limit: Sendable, CustomTestStringConvertible {
        let ability: Ability
        let modes: [ServiceMode]
        let reason: String
        var testDescription: String { "\(ability): \(reason)" }
    }

    /// All that the modes cannot do. `LimitContractTests` shows that it is so, the other suites leave out what is named here.
    static let limits: [Limit] = [
        Limit(ability: .watching, modes: [.rest], reason: "HTTP/1.1 has no streams both ways, so REST has no Listen"),
        Limit(ability: .timeOfListings, modes: [.loopback, .socket, .faulty, .rest], reason: "the protocol does not say of which moment a listing is"),
        Limit(ability: .resumingWithKeys, modes: [.loopback, .socket, .faulty], reason: "a server does not list keys: everything is told from the beginning"),
    ]

    func can(_ ability: Ability) -> Bool { !Self.limits.contains { $0.ability == ability && $0.modes.contains(self) } }

    static let watching = allCases.filter { $0.can(.watching) }
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

    /// Some requests are for administrators, as which tests ask the embedded database.
    private static let administrator = RPCMetadata([("authorization", "Bearer owner")])

    static func make(_ mode: ServiceMode, seed: UInt64 = 1) async throws -> ServiceFixture {
        var log = Logger(label: "contract")
        log.logLevel = .critical
        switch mode {
        case .embedded:
            return ServiceFixture(try Engine.open(EngineConfiguration(location: EngineStores.place(), databaseID: database)))
        case .loopback, .faulty:
            let databases = DatabaseRegistry(DatabaseOpening(storage: .forTests), log: log)
            let loopback = RPCLoopback(FirestoreService(databases: databases))
            let channel: any RPCChannel = mode == .faulty ? FaultyChannel(loopback, seed: seed) : loopback
            return ServiceFixture(RemoteService(channel, database: database, metadata: administrator, backoff: .immediate)) { await databases.close() }
        case .socket, .rest:
            let server = HearthServer(
                ServerConfiguration(
                    listener: RPCServerConfiguration(host: "127.0.0.1", port: 0), databases: DatabaseOpening(storage: .forTests),
                    grace: .seconds(1)), log: log)
            let address = try await server.start()
            let channel: any RPCChannel =
                mode == .rest
                ? RESTChannel(port: address.port)
                : try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: address.port))
            return ServiceFixture(RemoteService(channel, database: database, metadata: administrator, backoff: .immediate)) { await server.stop() }
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
