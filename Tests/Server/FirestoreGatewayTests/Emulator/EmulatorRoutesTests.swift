// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// The emulator's paths (SR-138, SR-139, SR-142).
struct EmulatorRoutesTests {
    private static let root = "/emulator/v1/projects/library"
    private static let document = "/v1/projects/library/databases/(default)/documents/books/a"

    private static func body(_ condition: String, more: String = "") -> String {
        let text = "rules_version = '2';\\nservice cloud.firestore { match /databases/{d}/documents {\\nmatch /books/{b} { allow read: if \(condition); }\\n}}"
        return #"{"rules":{"files":[{"name":"security.rules","content":"\#(text)"}]}\#(more)}"#
    }

    private func server(isDevelopment: Bool = true, authentication: any CallAuthentication = UnprovedAuthentication()) async throws -> ServerFixture {
        let server = ServerFixture(rules: RulesRegistry(countsCoverage: true), authentication: authentication, isDevelopment: isDevelopment)
        _ = try await server.open().commit([.set("books/a")], context: .embedded)
        return server
    }

    @Test(arguments: ["", "/databases/(default)", "/databases/%28default%29"])
    func `rules that are set apply immediately, and can be read back`(place: String) async throws {
        let server = try await server()
        let path = Self.root + place + ":securityRules"
        #expect(await server.http("GET", path).text.contains("OPEN_RULES"))
        for (condition, status) in [("false", 403), ("true", 200)] {
            let set = await server.http("PUT", path, body: Self.body(condition))
            #expect(set.status == 200 && set.text == "{}", "\(set.text)")
            #expect(await server.http("GET", Self.document).status == status)
        }
        let read = await server.http("GET", path)
        #expect(read.status == 200 && read.text.contains("security.rules") && read.text.contains("allow read: if true;"))
        // Other databases of the project only if it is the project's.
        let other = await server.http("GET", "/v1/projects/library/databases/other/documents/none/a")
        #expect(other.status == (place.isEmpty ? 403 : 404))
    }

    @Test func `a project's rules do not replace a database's own`() async throws {
        let server = try await server()
        #expect(await server.http("PUT", Self.root + "/databases/other:securityRules", body: Self.body("true")).status == 200)
        #expect(await server.http("PUT", Self.root + ":securityRules", body: Self.body("false")).status == 200)
        #expect(await server.http("GET", Self.document).status == 403)
        #expect(await server.http("GET", "/v1/projects/library/databases/other/documents/books/a").status == 404)
    }

    @Test func `rules with warnings are used, and those with errors only if that is wanted`() async throws {
        let server = try await server()
        let path = Self.root + ":securityRules"
        let warned = await server.http("PUT", path, body: Self.body("true || nothing"))
        #expect(warned.status == 200 && warned.text.contains("\"severity\":\"WARNING\"") && warned.text.contains("\"line\":3"), "\(warned.text)")
        let refused = await server.http("PUT", path, body: Self.body("broken ++"))
        #expect(refused.status == 400 && refused.text.contains("Error compiling rules:\\nL3:"), "\(refused.text)")
        #expect(await server.http("GET", Self.document).status == 200)
        let forced = await server.http("PUT", path, body: Self.body("broken ++", more: #","ignore_errors":true"#))
        #expect(forced.status == 200 && forced.text.contains("\"severity\":\"ERROR\""))
        // SR-136
        let answer = await server.http("GET", Self.document)
        #expect(answer.status == 400 && answer.text.contains("Error compiling rules:"))
        #expect(await server.http("GET", Self.document, headers: Ruled.admin).status == 200)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"rules":{}}"#, #"{"rules":{"files":[]}}"#, #"{"rules":{"files":[{"name":"a"}]}}"#, #"{"rules":{"files":[{"content":1}]}}"#,
        #"{"rules":{"files":[{"content":""},{"content":""}]}}"#, "large",
    ])
    func `text that is not a ruleset changes nothing`(body: String) async throws {
        let server = try await server()
        let text = body == "large" ? Self.body("true", more: #","x":""# + String(repeating: "x", count: 3 << 20) + "\"") : body
        let answer = await server.http("PUT", Self.root + ":securityRules", body: text)
        #expect(answer.status == 400 && answer.text.contains("INVALID_ARGUMENT"))
        #expect(await server.http("GET", Self.root + ":securityRules").text.contains("OPEN_RULES"))
    }

    @Test(arguments: ["", "/databases/(default)"])
    func `coverage includes the evaluations since the rules were set`(place: String) async throws {
        let server = try await server()
        #expect(await server.http("GET", Self.root + place + ":ruleCoverage").status == 400)
        _ = await server.http("PUT", Self.root + place + ":securityRules", body: Self.body("request.auth == null"))
        for _ in 1...3 { #expect(await server.http("GET", Self.document).status == 200) }
        let report = await server.http("GET", Self.root + place + ":ruleCoverage")
        let json = try JSON(report.body)
        guard report.status == 200, case .array(let nodes)? = json["report"], case .array(let values)? = nodes.first?["values"] else {
            Issue.record("\(report.text)")
            return
        }
        #expect(values.count == 1 && values[0].text() == #"{"value":{"boolValue":true},"count":3}"#)
        let page = await server.http("GET", Self.root + place + ":ruleCoverage.html")
        #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<tr class=\"run\"><td>3</td><td>3</td>"))
        _ = await server.http("PUT", Self.root + place + ":securityRules", body: Self.body("request.auth == null"))
        #expect(await !server.http("GET", Self.root + place + ":ruleCoverage").text.contains("\"count\""))
    }

    @Test func `a page of coverage shows names as text`() async throws {
        let server = try await server()
        let body = Self.body("true").replacing("security.rules", with: "<script>")
        _ = await server.http("PUT", Self.root + ":securityRules", body: body)
        let page = await server.http("GET", Self.root + ":ruleCoverage.html")
        #expect(page.status == 200 && !page.text.contains("<script>") && page.text.contains("&lt;script&gt;"))
    }

    private static let everything: [(method: String, path: String)] = [
        ("PUT", root + ":securityRules"), ("GET", root + ":securityRules"), ("PUT", root + "/databases/(default):securityRules"),
        ("GET", root + "/databases/(default):securityRules"), ("GET", root + ":ruleCoverage"), ("GET", root + ":ruleCoverage.html"),
        ("GET", root + "/databases/(default):ruleCoverage"), ("DELETE", root + "/databases/(default)/documents"),
    ]

    @Test(arguments: everything)
    func `in production they are an administrator's`(method: String, path: String) async throws {
        let authentication = FakeAuthentication()
        authentication.add("key", .administrator)
        authentication.add("ada", .user(id: "ada", claims: FieldMap()))
        let server = try await server(isDevelopment: false, authentication: authentication)
        let rules = Self.body("true")
        for (header, status) in [(nil, 404), ("Bearer ada", 404), ("Bearer none", 401)] {
            let answer = await server.http(method, path, headers: header.map { [("authorization", $0)] } ?? [], body: rules)
            #expect(answer.status == status, "\(method) \(path) \(header ?? "")")
            if status == 404 { #expect(answer.text.contains("there is nothing at")) }
        }
        #expect(await server.http("OPTIONS", path).status == 404)
        #expect(await server.http("POST", path).status == 404)
        #expect(await server.http("GET", Self.document).status == 200)
        _ = await server.http("PUT", Self.root + ":securityRules", headers: [("authorization", "Bearer key")], body: rules)
        #expect(await server.http(method, path, headers: [("authorization", "Bearer key")], body: rules).status == 200)
    }

    @Test(arguments: everything)
    func `a malformed token is rejected even in development`(method: String, path: String) async throws {
        let server = try await server()
        #expect(await server.http(method, path, headers: [("authorization", "Bearer x")], body: Self.body("false")).status == 401)
        #expect(await server.http("GET", Self.document).status == 200)
    }

    @Test(arguments: [
        ("POST", root + ":securityRules", 405), ("DELETE", root + ":securityRules", 405), ("PUT", root + ":ruleCoverage", 405),
        ("GET", root + "/databases/(default)/documents", 405), ("PUT", "/emulator/v1/projects/:securityRules", 400),
        ("PUT", "/emulator/v1/projects/p/databases/NO:securityRules", 400), ("PUT", "/emulator/v1/projects/p/other/x:securityRules", 404),
        ("PUT", "/emulator/v1/projects/p:other", 404), ("GET", "/emulator/v1/projects", 404),
    ])
    func `unknown paths and methods are errors in JSON`(method: String, path: String, status: Int) async throws {
        let answer = await (try server()).http(method, path, body: Self.body("true"))
        #expect(answer.status == status, "\(answer.text)")
    }
}
