// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import Logging
import ServerTestSupport

/// A database behind the methods of a server, and a client of it, without a socket.
final class RemoteFixture: Sendable {
    static let database = DatabaseID(projectID: "remote")

    let service: RemoteService
    /// The database itself, around the wire.
    let truth: any DocumentService
    let counter = CallCounter()
    private let databases: DatabaseRegistry

    init(
        writeAhead: WriteAhead = .ownServer, backoff: Backoff = .immediate, rejecting rejection: MethodRefusal? = nil
    ) async throws {
        var log = Logger(label: "remote")
        log.logLevel = .critical
        databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
        truth = try await databases.open(Self.database)
        let methods = FirestoreService(databases: databases)
        let loopback = RPCLoopback(rejection.map { $0.over(methods) } ?? methods, observer: counter)
        service = RemoteService(
            loopback, database: Self.database, backoff: backoff, retries: .immediate, writeAhead: writeAhead)
    }

    func close() async {
        await service.shutdown()
        await databases.close()
    }

    static func with(
        writeAhead: WriteAhead = .ownServer, backoff: Backoff = .immediate, rejecting rejection: MethodRefusal? = nil,
        _ body: (RemoteFixture) async throws -> Void
    ) async throws {
        let fixture = try await RemoteFixture(writeAhead: writeAhead, backoff: backoff, rejecting: rejection)
        do { try await body(fixture) } catch {
            await fixture.close()
            throw error
        }
        await fixture.close()
    }
}

/// A method that a server rejects.
struct MethodRefusal: Sendable {
    var path: String
    /// nil: the server does not know it.
    var status: RPCStatus?

    func over(_ service: any RPCService) -> any RPCService { RefusingService(service, self) }
}

private struct RefusingService: RPCService {
    private let service: any RPCService
    private let rejection: MethodRefusal

    init(_ service: any RPCService, _ rejection: MethodRefusal) {
        self.service = service
        self.rejection = rejection
    }

    func method(at path: String) -> RPCMethod? {
        guard path.utf8.elementsEqual(rejection.path.utf8) else { return service.method(at: path) }
        guard let status = rejection.status else { return nil }
        return .stream { call in
            call.finish(status)
            return DeafHandler()
        }
    }
}
