// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// The admin API over REST.
struct AdminRoutesTests {
    private let server = ServerFixture()
    private static let database = "/v1/projects/library/databases/(default)"
    private static let owner = [(name: "authorization", value: "Bearer owner")]

    @Test func `an answer is JSON in the layout that was asked for`() async throws {
        _ = try await server.open()
        let indented = await server.http("GET", Self.database, headers: Self.owner)
        #expect(indented.status == 200 && indented.text.hasPrefix("{\n  \"name\": \"projects/library/databases/(default)\""))
        let compact = await server.http("GET", Self.database, query: [("$prettyPrint", "false"), ("fields", "name,etag")], headers: Self.owner)
        #expect(compact.text.hasPrefix(#"{"name":"projects/library/databases/(default)","etag":""#))
    }

    @Test func `others are refused before the request is looked at`() async throws {
        for (verb, path, body) in [("GET", Self.database, ""), ("POST", "/v1/projects/p/databases", "{nonsense"), ("DELETE", Self.database, "")] {
            #expect(await server.http(verb, path, body: body).status == 403, "\(verb) \(path)")
            #expect(await server.http(verb, path, headers: [("authorization", "Bearer x")], body: body).status == 401, "\(verb) \(path)")
        }
    }

    @Test func `paths say what they offer`() async throws {
        for (path, allow) in [
            (Self.database, "GET, HEAD, PATCH, DELETE, OPTIONS"), ("/v1/projects/p/databases", "GET, HEAD, POST, OPTIONS"),
            (Self.database + ":exportDocuments", "POST, OPTIONS"), (Self.database + "/operations/o", "GET, HEAD, DELETE, OPTIONS"),
        ] {
            let refused = await server.http("PUT", path, headers: Self.owner)
            #expect(refused.status == 405 && refused.headers["allow"] == allow, "\(path): \(refused.headers["allow"] ?? "-")")
        }
        #expect(await server.http("GET", "/v1/projects/p/nothing", headers: Self.owner).status == 404)
        #expect(await server.http("POST", Self.database + ":nothing", headers: Self.owner, body: "{}").status == 404)
    }

    @Test func `indexes are a use of a database, looking at it is none`() async throws {
        let database = "/v1/projects/other/databases/(default)"
        #expect(await server.http("GET", database, headers: Self.owner).status == 404)
        #expect(await server.http("GET", database + "/collectionGroups/-/indexes", headers: Self.owner).status == 200)
        #expect(await server.http("GET", database, headers: Self.owner).status == 200)
    }

    @Test func `documents keep their paths`() async throws {
        try await server.commit(.set("collectionGroups/a"), .set("operations/a"))
        let path = Self.database + "/documents/collectionGroups/a"
        #expect(await server.http("GET", path).status == 200)
        #expect(await server.http("GET", Self.database + "/documents/operations/a").status == 200)
    }

    @Test func `a process without export folders says so`() async throws {
        _ = try await server.open()
        let answer = await server.http("POST", Self.database + ":exportDocuments", headers: Self.owner, body: #"{"outputUriPrefix":"gs://a/b"}"#)
        #expect(answer.status == 501)
        let production = ServerFixture(isDevelopment: false)
        let body = #"{"export_directory":"/tmp","export_name":"a"}"#
        let refused = await production.http("POST", "/emulator/v1/projects/library:export", headers: Self.owner, body: body)
        #expect(refused.status == 501)
        #expect(await production.http("POST", "/emulator/v1/projects/library:export", body: body).status == 404)
    }
}
