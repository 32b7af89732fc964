// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreGateway
package import FirestoreRPC
package import FirestoreServer
package import FirestoreWire
import Foundation
import Logging
import Testing

/// Methods over real databases, without a connection.
package final class ServerFixture: Sendable {
    package static let database = DatabaseID(projectID: "library")

    package let service: FirestoreService
    package let admin: AdminService
    package let front: HTTPFront
    package let registry = PrometheusRegistry()

    package let rules: RulesRegistry

    package init(
        _ opening: DatabaseOpening = DatabaseOpening(storage: .forTests), rules: RulesRegistry = RulesRegistry(),
        authentication: any CallAuthentication = UnprovedAuthentication(), isDevelopment: Bool = true, maximumDatabases: Int = 100,
        maximumCalls: Int = 1_000, clock: any WallClock = SystemClock(), recorder: (any CallRecorder)? = nil,
        lane: DecodingLane = DecodingLane(), folders: (any DocumentFolders)? = nil, companions: [any DatabaseCompanion] = [],
        backups: (any DatabaseBackups)? = nil, fronts: [any DatabaseFront] = [], address: (@Sendable (RPCCallInfo) -> String)? = nil
    ) {
        var log = Logger(label: "test")
        log.logLevel = .critical
        self.rules = rules
        service = FirestoreService(
            databases: DatabaseRegistry(opening, rules: rules, maximum: maximumDatabases, companions: companions, log: log), authentication: authentication,
            maximumCalls: maximumCalls, clock: clock, recorder: recorder, fronts: fronts, address: address)
        admin = AdminService(service, clock: clock, folders: folders, backups: backups)
        front = HTTPFront(
            service, admin: admin, rules: rules, isDevelopment: isDevelopment, metrics: ServerMetrics(factory: registry), registry: registry, log: log,
            lane: lane)
    }

    /// The database, opened.
    package func open(_ database: DatabaseID = ServerFixture.database) async throws -> any DocumentService {
        try await service.databases.open(database)
    }

    // MARK: Unary

    package func call(
        _ method: FirestoreMethod, _ request: some WireMessage, metadata: [(name: String, value: String)] = [],
        deadline: ContinuousClock.Instant? = nil
    ) -> FakeUnaryCall {
        let info = RPCCallInfo(path: method.path, metadata: RPCMetadata(metadata), deadline: deadline)
        return FakeUnaryCall(ByteSlice(request.encoded()), info: info)
    }

    package func start(_ method: FirestoreMethod, _ calls: [FakeUnaryCall]) {
        guard case .unary(let handle)? = service[method] else {
            Issue.record("\(method) is no unary method")
            return
        }
        handle(calls)
    }

    package func unary<Response: WireMessage>(
        _ method: FirestoreMethod, _ request: some WireMessage, metadata: [(name: String, value: String)] = [],
        as type: Response.Type = Response.self
    ) async throws(RPCStatus) -> Response {
        let call = call(method, request, metadata: metadata)
        start(method, [call])
        let bytes = try await call.result().get()
        do throws(FirestoreError) { return try Response(decoding: ByteSlice(bytes)) } catch { throw RPCStatus(error) }
    }

    // MARK: Streams

    package func open(
        _ method: FirestoreMethod, metadata: [(name: String, value: String)] = [], room: Int = .max
    ) throws -> (call: FakeStreamCall, handler: any RPCStreamHandler) {
        let call = FakeStreamCall(info: RPCCallInfo(path: method.path, metadata: RPCMetadata(metadata)), room: room)
        guard case .stream(let handle)? = service[method] else { throw RPCStatus(.unimplemented, "\(method) is no stream") }
        return (call, handle(call))
    }

    package func stream<Response: WireMessage>(
        _ method: FirestoreMethod, _ request: some WireMessage, as type: Response.Type = Response.self
    ) async throws -> [Response] {
        let (call, handler) = try open(method)
        handler.receive(ByteSlice(request.encoded()))
        handler.halfClosed()
        let messages = try await call.outcome()
        handler.ended(nil)
        return try messages.map { try Response(decoding: $0) }
    }

    // MARK: HTTP

    package func http(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], body: String = "", page: String? = nil
    ) async -> FakeExchange.Response {
        await http(method, path, query: query, headers: headers, bytes: Array(body.utf8), page: page)
    }

    package func http(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], bytes: [UInt8], page: String? = nil
    ) async -> FakeExchange.Response {
        let exchange = FakeExchange(
            HTTPRequest(
                method: method, path: path, query: query, headers: RPCMetadata(headers), body: ByteSlice(bytes), peer: "test", page: page))
        front.handle(exchange)
        return await exchange.response()
    }

    // MARK: Data

    package func commit(_ writes: Write...) async throws { try await commit(writes) }

    package func commit(_ writes: [Write]) async throws {
        _ = try await unary(.commit, CommitRequest(database: Self.database, writes: writes), as: CommitMessage.self)
    }

    package func get(_ path: String) async throws -> Document {
        let request = GetDocumentRequest(database: Self.database, key: DocumentKey(trusted: path))
        return try await unary(.getDocument, request, as: DocumentResponse.self).document
    }
}

extension Write {
    package static func set(_ path: String, _ fields: [(String, Value)] = [], _ precondition: Precondition? = nil) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .set(.of(fields)), precondition: precondition)
    }

    package static func delete(_ path: String, _ precondition: Precondition? = nil) -> Write {
        Write(key: DocumentKey(trusted: path), operation: .delete, precondition: precondition)
    }
}

extension FieldBytes {
    package static func of(_ fields: [(String, Value)]) -> FieldBytes { FieldBytes(FieldMap(fields)) }
}

extension Document {
    package subscript(field: String) -> Value? { try? fields.map[field] }
}

extension StructuredQuery {
    package static func all(_ collection: String) -> StructuredQuery {
        StructuredQuery(scope: .collection(CollectionPath(trusted: collection)))
    }
}

/// The code a call ends with; `ok` if it ends well.
package func code(_ body: () async throws -> Void) async -> FirestoreError.Code {
    do {
        try await body()
        return .ok
    } catch let status as RPCStatus {
        return status.code
    } catch let error as FirestoreError {
        return error.code
    } catch {
        return .unknown
    }
}
