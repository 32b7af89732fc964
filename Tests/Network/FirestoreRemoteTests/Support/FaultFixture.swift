// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import Logging
import NetworkFaults

/// A real server and a real client on sockets, with a proxy between them.
final class FaultFixture: Sendable {
    static let database = DatabaseID(projectID: "faults")

    let proxy: FaultProxy
    let service: RemoteService
    /// The database itself, around the wire.
    let truth: any DocumentService
    let counter: CallCounter
    private let server: RPCServer
    private let databases: DatabaseRegistry

    /// `pingAfter`: silence after which the client asks whether the server is there.
    init(
        pingAfter: Duration = .seconds(30), pingTimeout: Duration = .seconds(20), backoff: Backoff = .immediate,
        writeAhead: WriteAhead = .ownServer
    ) async throws {
        var log = Logger(label: "faults")
        log.logLevel = .critical
        databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
        truth = try await databases.open(Self.database)
        counter = CallCounter()
        // The server finds out about dead clients as quickly.
        server = RPCServer(
            configuration: RPCServerConfiguration(pingAfter: pingAfter, pingTimeout: pingTimeout),
            service: FirestoreService(databases: databases), observer: counter, logger: log)
        let address = try await server.start()
        proxy = FaultProxy(to: address.port)
        let port = try await proxy.start()
        let channel = try RPCClientChannel(
            RPCClientConfiguration(host: "127.0.0.1", port: port, pingAfter: pingAfter, pingTimeout: pingTimeout))
        service = RemoteService(
            channel, database: Self.database, backoff: backoff, retries: .immediate, writeAhead: writeAhead)
    }

    func close() async {
        await service.shutdown()
        await proxy.stop()
        await server.shutdown(grace: .seconds(1))
        await databases.close()
    }

    static func with(
        pingAfter: Duration = .seconds(30), pingTimeout: Duration = .seconds(20), backoff: Backoff = .immediate,
        writeAhead: WriteAhead = .ownServer, _ body: (FaultFixture) async throws -> Void
    ) async throws {
        let fixture = try await FaultFixture(pingAfter: pingAfter, pingTimeout: pingTimeout, backoff: backoff, writeAhead: writeAhead)
        do { try await body(fixture) } catch {
            await fixture.close()
            throw error
        }
        await fixture.close()
    }
}
