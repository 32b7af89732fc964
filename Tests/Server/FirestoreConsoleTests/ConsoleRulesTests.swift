// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreGateway
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// The rules page's requests.
struct ConsoleRulesTests {
    private static let name = "projects/library/databases/(default)"
    private static let document = "/v1/\(name)/documents/books/a"

    private static func text(_ condition: String) -> String {
        "rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents {\nmatch /books/{b} { allow read: if \(condition); }\n}}"
    }

    private struct Bench {
        let server: ServerFixture
        let rules: ConsoleRules

        init(_ served: RulesRegistry = RulesRegistry(), isDevelopment: Bool = true, createsDatabases: Bool = true) async throws {
            server = ServerFixture(
                DatabaseOpening(storage: .forTests, createsDatabases: createsDatabases, projects: ["library"]), rules: served)
            rules = ConsoleRules(databases: server.service.databases, rules: served, isDevelopment: isDevelopment)
            _ = try await server.open().commit([.set("books/a")], context: .embedded)
        }

        func ask(
            _ verb: String, _ body: JSON = .null, isReadOnly: Bool = false, database: String? = ConsoleRulesTests.name
        ) async -> (status: Int, json: JSON) {
            let exchange = FakeExchange(
                HTTPRequest(
                    method: verb, path: "/console/api/rules", query: database.map { [("database", $0)] } ?? [], body: ByteSlice(body.bytes())))
            do throws(HTTPRefusal) {
                try await rules.answer(exchange, isReadOnly: isReadOnly)
            } catch {
                exchange.respond(error)
            }
            let response = await exchange.response()
            return (response.status, (try? JSON(response.body)) ?? .null)
        }

        func put(_ text: String, checkOnly: Bool = false, isReadOnly: Bool = false) async -> (status: Int, json: JSON) {
            await ask("PUT", .object([("content", .string(text)), ("checkOnly", .boolean(checkOnly))]), isReadOnly: isReadOnly)
        }
    }

    private func member(_ json: JSON, _ name: String) -> String { json[name]?.text() ?? "-" }

    @Test func `the rules are shown with their source`() async throws {
        let open = try await Bench()
        let (status, none) = await open.ask("GET")
        #expect(status == 200 && member(none, "origin") == "\"none\"" && member(none, "enforced") == "false" && member(none, "canSet") == "true")
        let file = try await Bench(RulesRegistry(.ruleSet(try RuleSet(RulesSource(Self.text("true || nothing"), name: "my.rules")))), isDevelopment: false)
        let (_, json) = await file.ask("GET")
        #expect(member(json, "origin") == "\"file\"" && member(json, "name") == "\"my.rules\"" && member(json, "canSet") == "false")
        #expect(member(json, "enforced") == "true" && member(json, "broken") == "false" && member(json, "hash").utf8.count == 14)
        let issue = try JSONNode(json).elements("issues")[0]
        #expect(try issue.required("severity").string() == "WARNING" && issue.required("line").integer() == 3 && issue.required("column").integer() > 1)
        guard case .failure(let error) = Result(catching: { () throws(RulesError) in try RuleSet("nonsense") }) else { return }
        let bench = try await Bench(RulesRegistry(.broken(error)))
        let (_, broken) = await bench.ask("GET")
        #expect(member(broken, "broken") == "true" && member(broken, "issues").contains("ERROR"))
    }

    @Test func `rules are checked, and put in effect immediately`() async throws {
        let bench = try await Bench()
        let (_, checked) = await bench.put(Self.text("false"), checkOnly: true)
        #expect(member(checked, "applied") == "false" && member(checked, "issues") == "[]")
        #expect(await bench.server.http("GET", Self.document).status == 200)
        let (_, applied) = await bench.put(Self.text("false"))
        #expect(member(applied, "applied") == "true" && member(applied, "hash") == member(checked, "hash"))
        #expect(await bench.server.http("GET", Self.document).status == 403)
        let (_, present) = await bench.ask("GET")
        #expect(member(present, "origin") == "\"http\"" && member(present, "hash") == member(checked, "hash"))
        // Only for this database.
        #expect(await bench.server.http("GET", "/v1/projects/library/databases/other/documents/a/b").status == 404)
        let (status, broken) = await bench.put("nonsense")
        #expect(status == 200 && member(broken, "applied") == "false" && member(broken, "issues").contains("ERROR"))
        #expect(await bench.server.http("GET", Self.document).status == 403)
    }

    @Test func `outside of development, and by a read-only console, rules are only checked`() async throws {
        for (isDevelopment, isReadOnly) in [(false, false), (true, true)] {
            let bench = try await Bench(isDevelopment: isDevelopment)
            let (status, json) = await bench.put(Self.text("false"), isReadOnly: isReadOnly)
            #expect(status == 403 && json.text().contains("PERMISSION_DENIED"))
            let (checked, _) = await bench.put(Self.text("false"), checkOnly: true, isReadOnly: isReadOnly)
            #expect(checked == 200)
            let (_, report) = await bench.ask("GET", isReadOnly: isReadOnly)
            #expect(member(report, "canSet") == "false")
            #expect(await bench.server.http("GET", Self.document).status == 200)
        }
    }

    @Test func `rules are those of a name, before its database is created, unless its first use is refused`() async throws {
        let other = "projects/library/databases/other"
        let bench = try await Bench()
        #expect(await bench.ask("GET", database: other).status == 200)
        let body = JSON.object([("content", .string(Self.text("false")))])
        #expect(await bench.ask("PUT", body, database: other).status == 200)
        #expect(await bench.server.http("GET", "/v1/\(other)/documents/books/a").status == 403)
        #expect(try await Bench(createsDatabases: false).ask("GET", database: other).status == 404)
    }

    @Test(arguments: [
        ("GET", nil, 400), ("GET", "nothing", 400), ("POST", ConsoleRulesTests.name, 405),
        ("PUT", ConsoleRulesTests.name, 400),
    ] as [(String, String?, Int)])
    func `requests that are wrong`(verb: String, database: String?, status: Int) async throws {
        let bench = try await Bench()
        #expect(await bench.ask(verb, database: database).status == status)
    }
}
