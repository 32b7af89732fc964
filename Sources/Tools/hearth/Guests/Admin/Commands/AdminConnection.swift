// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import FirestoreWire
import Foundation
import Logging

/// Calls of the admin API: to a running server, or in this process to a data directory that no server uses.
struct AdminConnection: Sendable {
    private(set) var database: DatabaseID
    /// nil for a data directory.
    let server: (endpoint: RemoteEndpoint, token: String?)?
    private let perform: @Sendable (AdminMethod, JSON) async throws(FirestoreError) -> JSON

    private init(
        _ database: DatabaseID, server: (endpoint: RemoteEndpoint, token: String?)? = nil,
        perform: @escaping @Sendable (AdminMethod, JSON) async throws(FirestoreError) -> JSON
    ) {
        self.database = database
        self.server = server
        self.perform = perform
    }

    // MARK: Names

    var project: String { "projects/\(database.projectID)" }
    var databaseName: String { "\(project)/databases/\(database.databaseID)" }

    func databaseName(_ id: String) -> String { "\(project)/databases/\(id)" }
    func groupName(_ group: String) -> String { "\(databaseName)/collectionGroups/\(group)" }

    /// A connection to the same place, for another database of the project.
    func with(database id: String) -> AdminConnection {
        var copy = self
        copy.database.databaseID = id
        return copy
    }

    // MARK: Calls

    func call(_ method: AdminMethod, _ members: [(name: String, value: JSON?)]) async throws(FirestoreError) -> JSON {
        try await perform(method, .members(members))
    }

    /// All elements of a list, page by page.
    func list(
        _ method: AdminMethod, _ member: String, _ members: [(name: String, value: JSON?)]
    ) async throws(FirestoreError) -> [JSON] {
        var elements: [JSON] = []
        var token = ""
        repeat {
            let page = try await call(method, members + [("pageToken", token.isEmpty ? nil : .string(token))])
            elements += page.elements(member)
            token = page.text("nextPageToken")
        } while !token.isEmpty
        return elements
    }

    /// Calls a method that answers with an operation, and returns what the operation answers when it is over.
    func result(of method: AdminMethod, _ members: [(name: String, value: JSON?)]) async throws(FirestoreError) -> JSON {
        var operation = try await call(method, members)
        while !operation.flag("done") {
            operation = try await call(.waitOperation, [("name", .string(operation.text("name"))), ("timeout", .string("30s"))])
        }
        if let error = operation["error"] {
            throw FirestoreError(FirestoreError.Code(rawValue: error.integer("code")) ?? .unknown, error.text("message"))
        }
        var response = operation["response"] ?? .object([])
        response.setMember("@type", nil)
        return response
    }

    // MARK: Opening

    /// Opens what the options name, and closes it after `body`.
    static func run(_ options: PlaceOptions, _ body: @escaping @Sendable (AdminConnection) async throws -> Void) async throws {
        let place = try Place(options, environment: CommandEnvironment.current)
        let timeout = options.timeout ?? 60
        try await Interruption.watch {
            let place = try await place.withProject(writes: true)
            let database = DatabaseID(projectID: place.projectID ?? DatabaseID.fallbackProject, databaseID: place.databaseName)
            switch place.kind {
            case .server: try await serve(place, database, timeout, body)
            case .file(let path): try await open(path, database, body)
            case .cloud: throw FirestoreError(.unimplemented, "Cloud Firestore is administered with gcloud")
            }
        }
    }

    private static func serve(
        _ place: Place, _ database: DatabaseID, _ timeout: Double, _ body: (AdminConnection) async throws -> Void
    ) async throws {
        guard let (endpoint, token) = try place.endpoint() else { throw FirestoreError(.internal, "the place is no server") }
        if !endpoint.keepsSecrets, place.tokenFile != nil {
            throw FirestoreError.invalidArgument("a token would be sent unencrypted; use --tls", at: endpoint.host)
        }
        let tls = endpoint.usesTLS ? RPCClientConfiguration.TLS(trustFile: endpoint.trustFile) : nil
        let channel = try RPCClientChannel(RPCClientConfiguration(host: endpoint.host, port: endpoint.port, tls: tls))
        let metadata = RPCMetadata(token.map { [("authorization", "Bearer \($0)")] } ?? [])
        let connection = AdminConnection(database, server: (endpoint, token)) { (method, request) async throws(FirestoreError) -> JSON in
            let bytes = try method.request.bytes(request)
            do throws(RPCStatus) {
                let answer = try await channel.unary(method.path, bytes, metadata: metadata, deadline: .now + .seconds(timeout))
                do throws(FirestoreError) { return try method.response.json(answer) } catch { throw RPCStatus(error) }
            } catch {
                throw FirestoreError(error)
            }
        }
        do {
            try await body(connection)
        } catch {
            await channel.shutdown()
            throw error
        }
        await channel.shutdown()
    }

    private static func open(
        _ path: String, _ database: DatabaseID, _ body: (AdminConnection) async throws -> Void
    ) async throws {
        var isDirectory = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw FirestoreError(
                .notFound, "this is no data directory of `hearth serve`; name the directory, or a running server with --server", at: path)
        }
        let held: DataDirectory
        do throws(RPCStatus) {
            held = try DataDirectory(path, advice: CommandAdvice.server)
        } catch {
            throw FirestoreError(.failedPrecondition, "\(error.message); to administer a running server use --server HOST:PORT")
        }
        defer { withExtendedLifetime(held) {} }
        try await administer(.directory(path), database, body)
    }

    /// Administers databases in this process.
    static func administer(
        _ storage: DatabaseOpening.Storage, _ database: DatabaseID, _ body: (AdminConnection) async throws -> Void
    ) async throws {
        var opening = DatabaseOpening(storage: storage, createsDatabases: false)
        opening.advice = CommandAdvice.files
        let silent = Logger(label: "hearth", factory: { _ in SwiftLogNoOpLogHandler() })
        let databases = DatabaseRegistry(opening, log: silent)
        let admin = AdminService(FirestoreService(databases: databases))
        let connection = AdminConnection(database) { (method, request) async throws(FirestoreError) -> JSON in
            try await admin.answer(method, try method.request.checked(request), .embedded)
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(connection)) } catch { result = .failure(error) }
        await admin.stop()
        await databases.close()
        try result.get()
    }
}
