// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Foundation
import ServerFixtures
import ServerTestSupport
import TestSupport
import Testing

@testable import FirestoreGateway

/// Backups over HTTP, for administrators only.
struct BackupRouteTests {
    private static let path = "/hearth/v1/projects/library/databases/(default)/backup"
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func server(inMemory: Bool = false, isDevelopment: Bool = true) async throws -> ServerFixture {
        let storage = inMemory ? DatabaseOpening.Storage.memory : .directory(folder.path)
        let server = ServerFixture(DatabaseOpening(storage: storage, durability: .relaxed), isDevelopment: isDevelopment)
        _ = try await server.open().commit((0..<50).map { .set("books/\($0)") }, context: .embedded)
        return server
    }

    @Test(arguments: [false, true])
    func `an administrator gets a sound copy, and nothing of it stays at the server`(inMemory: Bool) async throws {
        let server = try await server(inMemory: inMemory)
        let answer = await server.http("GET", Self.path, headers: Ruled.admin + [("accept-encoding", "gzip")])
        #expect(answer.status == 200 && answer.headers["content-length"] == "\(answer.body.count)", "\(answer.text.prefix(300))")
        #expect(answer.headers[DatabaseCopy.documentsHeader] == "50" && answer.headers["content-encoding"] == nil)
        let file = try folder.write(answer.body, to: "copy.sqlite")
        let inspection = try DatabaseInspection.check(copy: file)
        #expect(inspection.report.isSound && inspection.report.documents == 50)
        #expect(answer.headers[DatabaseCopy.timeHeader] == "\(inspection.time.microseconds)")
        let copies = folder.path + "/" + DatabaseRegistry.copiesFolder
        #expect((try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? [] == [])
        // It is no database of the server.
        #expect(server.service.databases.listing().count == 1)
        await server.service.databases.close()
    }

    @Test(arguments: [false, true])
    func `users and anonymous callers get 404, whether the database exists or not`(isDevelopment: Bool) async throws {
        let server = try await server(inMemory: true, isDevelopment: isDevelopment)
        for path in [Self.path, "/hearth/v1/projects/none/databases/(default)/backup"] {
            for caller in [Ruled.ada, Ruled.nobody] {
                let answer = await server.http("GET", path, headers: caller)
                #expect(answer.status == 404 && answer.text.contains("there is nothing at"), "\(answer.text)")
            }
        }
        await server.service.databases.close()
    }

    @Test func `copying a missing database is an error, and no database is created`() async throws {
        let server = try await server()
        let missing = await server.http("GET", "/hearth/v1/projects/none/databases/(default)/backup", headers: Ruled.admin)
        #expect(missing.status == 404 && missing.text.contains("the database (default) does not exist for project none"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        #expect(await server.http("PUT", Self.path, headers: Ruled.admin).status == 405)
        #expect(await server.http("GET", "/hearth/v1/projects/p/databases/A%2FB/backup", headers: Ruled.admin).status == 400)
        #expect(await server.http("GET", "/hearth/v1/projects/p/backup", headers: Ruled.admin).status == 404)
        await server.service.databases.close()
    }

    @Test func `a long log is named once a round, louder when it is huge, and its size is a metric`() async throws {
        let log = RecordedLog()
        var opening = DatabaseOpening(storage: .directory(folder.path), durability: .relaxed)
        opening.logBounds.long = 1
        let database = DatabaseID(projectID: "library")
        for (huge, level) in [(Int64.max, "warning"), (1, "error")] {
            opening.logBounds.huge = huge
            let registry = DatabaseRegistry(opening, log: log.logger)
            _ = try await registry.open(database).commit([.set("books/a")], context: .embedded)
            registry.passRound()
            registry.passRound()
            #expect(log.lines.filter { $0.hasPrefix("\(level) write-ahead log is long") }.count == 2, "\(log.lines)")
            await registry.close()
        }
        #expect(log.entries.contains { $0.message.contains("and the disk fills") && $0.metadata["project"] == "library" && $0.metadata["bytes"] != nil })
        let server = try await server()
        let metrics = await server.http("GET", "/metrics").text
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("hearth_wal_bytes ") }
        #expect(line.flatMap { Double($0.dropFirst("hearth_wal_bytes ".count)) } ?? 0 > 0, "\(metrics)")
        await server.service.databases.close()
    }
}
