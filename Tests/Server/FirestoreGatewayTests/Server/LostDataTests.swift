// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Foundation
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreGateway

/// A server whose data directory vanishes while it runs.
struct LostDataTests {
    private static let database = ServerFixture.database
    private let folder: ScratchFolder
    private var data: String { folder.file("data") }

    init() throws { folder = try ScratchFolder() }

    private func server() -> HearthServer {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let opening = DatabaseOpening(storage: .directory(data), durability: .relaxed)
        return HearthServer(ServerConfiguration(databases: opening, grace: .milliseconds(200)), log: log)
    }

    private func get(_ path: String, at address: RPCAddress, maximumBytes: Int = 64 << 20) async throws -> HTTPAnswer {
        var question = HTTPQuestion(
            usesTLS: false, host: address.host, port: address.port, target: path, header: ("Authorization", "Bearer owner"))
        question.maximumBytes = maximumBytes
        return try await HTTPFetch.run(question, patience: .seconds(60))
    }

    private func call<Response: WireMessage>(
        _ channel: any RPCChannel, _ method: FirestoreMethod, _ request: some WireMessage, as type: Response.Type = Response.self
    ) async throws -> Response {
        let metadata = RPCMetadata([("authorization", "Bearer owner")])
        return try Response(decoding: try await channel.unary(method.path, request.encoded(), metadata: metadata, deadline: nil))
    }

    private func status(_ body: () async throws -> Void) async -> RPCStatus? {
        do { try await body() } catch { return error as? RPCStatus }
        return nil
    }

    @Test(arguments: [false, true])
    func `without its directory a server is not ready, commits nothing, and gives the data to a backup`(isMoved: Bool) async throws {
        let server = server()
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        for number in 0..<30 {
            let request = CommitRequest(database: Self.database, writes: [.set("books/\(number)", [("n", .integer(Int64(number)))])])
            _ = try await call(channel, .commit, request, as: CommitMessage.self)
        }
        #expect(try await get("/readyz", at: address).status == 200)
        if isMoved {
            try FileManager.default.moveItem(atPath: data, toPath: folder.file("moved"))
        } else {
            try FileManager.default.removeItem(atPath: data)
        }
        let ready = try await get("/readyz", at: address)
        #expect(ready.status == 503 && String(decoding: ready.body, as: UTF8.self).contains("hearth backup"))
        // The look at the readiness was one at the files, too.
        let refused = await status {
            _ = try await call(
                channel, .commit, CommitRequest(database: Self.database, writes: [.set("books/late")]), as: CommitMessage.self)
        }
        #expect(refused?.code == .unavailable && refused?.message.contains("hearth backup") == true, "\(String(describing: refused))")
        // A database that is not open is not made anew.
        let other = DatabaseID(projectID: "library", databaseID: "other")
        let unmade = await status {
            _ = try await call(channel, .commit, CommitRequest(database: other, writes: [.set("a/b")]), as: CommitMessage.self)
        }
        #expect(unmade?.code == .unavailable, "\(String(describing: unmade))")
        let question = GetDocumentRequest(database: Self.database, key: DocumentKey(trusted: "books/7"))
        let read = try await call(channel, .getDocument, question, as: DocumentResponse.self)
        #expect(read.document.fields == .of([("n", .integer(7))]))
        let backup = try await get("/hearth/v1/projects/library/databases/(default)/backup", at: address)
        #expect(backup.status == 200)
        let inspection = try DatabaseInspection.check(copy: try folder.write(backup.body, to: "rescued.sqlite"))
        #expect(inspection.report.isSound && inspection.report.documents == 30)
        #expect(!FileManager.default.fileExists(atPath: data))
        if isMoved {
            try FileManager.default.moveItem(atPath: folder.file("moved"), toPath: data)
            #expect(try await get("/readyz", at: address).status == 200)
            _ = try await call(
                channel, .commit, CommitRequest(database: Self.database, writes: [.set("books/again")]), as: CommitMessage.self)
        }
        await channel.shutdown()
        await server.stop()
    }

    @Test func `a server that has lost one file is not ready, either`() async throws {
        let server = server()
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        _ = try await call(channel, .commit, CommitRequest(database: Self.database, writes: [.set("books/a")]), as: CommitMessage.self)
        try FileManager.default.removeItem(atPath: data + "/" + DatabaseRules.relativePath(of: Self.database))
        #expect(try await get("/readyz", at: address).status == 503)
        await channel.shutdown()
        await server.stop()
    }

    @Test func `databases stay open while their directory is gone, however idle they are`() async throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        var opening = DatabaseOpening(storage: .directory(data), durability: .relaxed)
        let presence = DataPresence(directory: data, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        opening.presence = presence
        let server = ServerFixture(opening)
        try await server.commit(.set("books/a"))
        presence.start(files: { false })
        try FileManager.default.removeItem(atPath: data)
        for _ in 0..<20 { server.service.databases.passRound() }
        #expect(server.service.databases.openCount == 1)
        await #expect(throws: FirestoreError.self) { try await server.open(DatabaseID(projectID: "library", databaseID: "other")) }
        presence.stop()
        await server.service.databases.close()
    }

    @Test func `an administrator asks for the projects of the server`() async throws {
        let rows: [([String], [String])] = [([], ["library"]), (["shop"], ["shop"]), (["shop", "b", "shop"], ["shop", "b"])]
        for (projects, expected) in rows {
            let server = ServerFixture(DatabaseOpening(storage: .memory, projects: projects))
            try await server.commit(.set("books/a"))
            let answer = await server.http("GET", "/hearth/v1/projects", headers: Ruled.admin)
            let names = try JSON(answer.body).elements("projects")
            #expect(answer.status == 200)
            #expect(names.map { $0.text() } == expected.map { JSON.string($0).text() })
            #expect(await server.http("GET", "/hearth/v1/projects", headers: Ruled.nobody).status == 404)
            #expect(await server.http("POST", "/hearth/v1/projects", headers: Ruled.admin).status == 405)
            await server.service.databases.close()
        }
    }
}
