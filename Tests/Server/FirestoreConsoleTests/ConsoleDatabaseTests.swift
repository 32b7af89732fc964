// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import TestSupport
import Testing

@testable import FirestoreConsole

/// What the page of databases asks: `/console/api/database`, `/console/api/archive`, and methods of the admin API.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleDatabaseTests {
    private static let path = "/console/api/database?database=projects/library/databases/(default)"
    private static let admin = "/v1/projects/library/databases"

    private struct Archive: ConsoleArchive {
        var summary: JSON { .object([("place", .string("/backup"))]) }

        func report(on database: DatabaseID) async throws(FirestoreError) -> JSON { .object([("of", .string(database.databaseID))]) }
    }

    @Test func `the page sees what the admin API has set`() async throws {
        try await ConsoleFixture.run { console in
            let expiring = "\(Self.admin)/(default)/collectionGroups/sessions/fields/until?updateMask=ttlConfig"
            #expect(await console.ask("PATCH", expiring, body: #"{"ttlConfig":{}}"#).status == "200")
            let protected = "\(Self.admin)/(default)?updateMask=deleteProtectionState"
            #expect(await console.ask("PATCH", protected, body: #"{"deleteProtectionState":"DELETE_PROTECTION_ENABLED"}"#).status == "200")
            let answer = try #require(await console.ask("GET", Self.path).json)
            #expect(answer["database"]?.text("deleteProtectionState") == "DELETE_PROTECTION_ENABLED")
            let field = try #require(answer.elements("expiring").first)
            #expect(field.text("name").hasSuffix("/sessions/fields/until") && field["ttlConfig"] != nil)
            let operations = answer.elements("operations")
            #expect(operations.count == 2 && operations.allSatisfy { $0.text("name").contains("/operations/") })
        }
    }

    // OT-28
    @Test func `the console's token is needed, and other callers learn nothing`() async throws {
        try await ConsoleFixture.run(change: { $0.archive = Archive() }) { console in
            let archive = "/console/api/archive?database=projects/library/databases/(default)"
            for path in [Self.path, archive, "/console/api/backups?database=projects/library/databases/(default)"] {
                #expect(await console.ask("GET", path).status == "200")
                for token in [nil, "owner", "e30.e30."] {
                    let answer = await console.ask("GET", path, token: token)
                    #expect(answer.status == "401" && !answer.body.contains("library"), "\(path): \(answer.body)")
                }
                for verb in ["POST", "PUT", "DELETE"] { #expect(await console.ask(verb, path, body: "{}").status == "405") }
                #expect(await console.ask("GET", path, headers: ["origin: https://evil.example"]).status == "403")
            }
        }
    }

    // OT-28
    @Test func `a read-only console reads, and manages nothing`() async throws {
        try await ConsoleFixture.run(change: { $0.isReadOnly = true }) { console in
            #expect(await console.ask("GET", Self.path).status == "200")
            for (verb, path) in [
                ("POST", "?databaseId=another"), ("DELETE", "/(default)"), ("PATCH", "/(default)"), ("POST", "/(default)/operations/x:cancel"),
                ("PATCH", "/(default)/collectionGroups/c/fields/f"),
            ] {
                let answer = await console.ask(verb, Self.admin + path, body: verb == "DELETE" ? "" : "{}")
                #expect(answer.status == "403" && answer.body.contains("the console is read-only here"), "\(verb) \(path): \(answer.body)")
            }
        }
    }

    @Test func `a database that does not exist is not created by looking`() async throws {
        try await ConsoleFixture.run { console in
            for route in ["database", "backups", "database"] {
                #expect(await console.ask("GET", "/console/api/\(route)?database=projects/library/databases/none").status == "404")
            }
            #expect(await console.ask("GET", "/console/api/database").status == "400")
            #expect(await !console.ask("GET", "/console/api/databases").body.contains("/none"))
        }
    }

    @Test func `a deleted database is listed with its name, until it is brought back`() async throws {
        let folder = try ScratchFolder()
        try await ConsoleFixture.run(storage: .directory(folder.path)) { console in
            #expect(await console.ask("POST", "\(Self.admin)?databaseId=stock", body: "{}").status == "200")
            let before = await console.ask("GET", "/console/api/databases").body
            #expect(before.contains("databases/stock") && !before.contains("deleted"))
            #expect(await console.ask("DELETE", "\(Self.admin)/stock").status == "200")
            let answer = try #require(await console.ask("GET", "/console/api/databases").json)
            #expect(!answer.elements("databases").contains { $0.text("name").hasSuffix("/stock") })
            let deleted = try #require(answer.elements("deleted").first)
            #expect(deleted.text("name") == "projects/library/databases/stock" && deleted.text("deleteTime").hasSuffix("Z"))
            #expect(await console.ask("POST", "\(Self.admin)/\(deleted.text("uid")):undelete", body: "{}").status == "200")
            let after = await console.ask("GET", "/console/api/databases").body
            #expect(after.contains("databases/stock") && !after.contains("deleted"))
        }
    }

    @Test func `without backups the page learns why`() async throws {
        try await ConsoleFixture.run { console in
            let answer = try #require(await console.ask("GET", "/console/api/backups?database=projects/library/databases/(default)").json)
            #expect(answer.elements("schedules").isEmpty && answer.elements("backups").isEmpty && !answer.text("problem").isEmpty)
        }
    }

    @Test func `an archive is described, and a server without one says so with the advice of its program`() async throws {
        try await ConsoleFixture.run(change: { $0.archive = Archive() }) { console in
            #expect(await console.ask("GET", "/console/api/server").body.contains(#""archive":{"place":"/backup"}"#))
            let answer = await console.ask("GET", "/console/api/archive?database=projects/library/databases/stock")
            #expect(answer.status == "200" && answer.body == #"{"of":"stock"}"#)
            #expect(await console.ask("GET", "/console/api/archive").status == "400")
        }
        try await ConsoleFixture.run(change: { $0.advice = OperatorAdvice { $0 == .archive ? "; make one" : "" } }) { console in
            #expect(await !console.ask("GET", "/console/api/server").body.contains("archive"))
            let answer = await console.ask("GET", "/console/api/archive?database=projects/library/databases/stock")
            #expect(answer.status == "404" && answer.body.contains("this server has no archive; make one"))
        }
    }
}
