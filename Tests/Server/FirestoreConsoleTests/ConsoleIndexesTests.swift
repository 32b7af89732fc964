// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// The indexes page's requests.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleIndexesTests {
    private static let name = "projects/library/databases/(default)"

    private struct Bench {
        let server: ServerFixture
        let indexes: ConsoleIndexes

        init(_ policy: IndexPolicy = .manual) async throws {
            server = ServerFixture(DatabaseOpening(storage: .memory, indexPolicy: policy))
            indexes = ConsoleIndexes(databases: server.service.databases)
            let writes: [Write] = (0..<20).map { .set("books/\($0)", [("n", .integer(Int64($0))), ("grp", .string("g"))]) }
            _ = try await server.open().commit(writes, context: .embedded)
        }

        func ask(_ verb: String, _ index: String? = nil, database: String = ConsoleIndexesTests.name) async -> (status: Int, json: JSON) {
            let body = index.map { Array(#"{"index":\#($0)}"#.utf8) } ?? []
            let exchange = FakeExchange(
                HTTPRequest(method: verb, path: "/console/api/indexes", query: [("database", database)], body: ByteSlice(body)))
            do throws(HTTPRefusal) {
                try await indexes.answer(exchange)
            } catch {
                exchange.respond(error)
            }
            let response = await exchange.response()
            return (response.status, (try? JSON(response.body)) ?? .null)
        }

        func settled() async throws { try await server.open().indexAdministration?.indexesSettled() }

        /// The indexes, as their JSON without the time of their last use.
        func list() async throws -> [String] {
            try await JSONNode(ask("GET").json).elements("indexes").map { node in
                try ["index", "state", "progress", "configured", "entries"].map { try node.required($0).json.text() }.joined(separator: " ")
            }
        }
    }

    private static let composite =
        #"{"collectionGroup":"books","queryScope":"COLLECTION","fields":[{"fieldPath":"grp","order":"ASCENDING"},{"fieldPath":"n","order":"DESCENDING"}]}"#
    private static let single = #"{"collectionGroup":"books","queryScope":"COLLECTION","fields":[{"fieldPath":"n","order":"ASCENDING"}]}"#

    @Test func `an index is configured, built, listed and removed, and the others stay`() async throws {
        let bench = try await Bench()
        #expect(await bench.ask("GET").json.text() == #"{"policy":"manual","indexes":[],"needed":[]}"#)
        for index in [Self.composite, Self.single, Self.single] {
            let (status, json) = await bench.ask("POST", index)
            #expect(status == 200 && json.text() == "{}")
        }
        try await bench.settled()
        #expect(try await bench.list() == ["\(Self.composite) \"READY\" 1 true 20", "\(Self.single) \"READY\" 1 true 20"])
        let bytes = try await JSONNode(bench.ask("GET").json).elements("indexes").map { try $0.required("bytes").integer() }
        #expect(bytes[0] > bytes[1] && bytes[1] > 20 * 9)
        #expect(await bench.ask("DELETE", Self.composite).status == 200)
        #expect(try await bench.list() == ["\(Self.single) \"READY\" 1 true 20"])
        #expect(await bench.ask("DELETE", Self.composite).status == 404)
    }

    @Test func `changes that come at the same time are all made`() async throws {
        let bench = try await Bench()
        let fields = ["a", "b", "c", "d", "e", "f"]
        await withTaskGroup { group in
            for field in fields { group.addTask { _ = await bench.ask("POST", Self.single.replacing("\"n\"", with: "\"\(field)\"")) } }
        }
        try await bench.settled()
        #expect(try await bench.list().count == fields.count)
    }

    @Test func `changes of the console and of the admin API that come at the same time are all made`() async throws {
        let bench = try await Bench()
        let admin = bench.server.admin
        let groups = "\(Self.name)/collectionGroups"
        func composite(_ number: Int, _ other: String) -> String {
            Self.composite.replacing("\"grp\"", with: "\"f\(number)\"").replacing("\"n\"", with: "\"\(other)\"")
        }
        // Half of them exist before, and go.
        let rounds = 0..<24
        for number in rounds { #expect(await bench.ask("POST", composite(number, "old")).status == 200) }
        try await withThrowingTaskGroup { group in
            for number in rounds {
                group.addTask {
                    #expect(await bench.ask("POST", composite(number, "console")).status == 200)
                    #expect(await bench.ask("DELETE", composite(number, "old")).status == 200)
                }
                group.addTask {
                    var index = try JSON(composite(number, "admin").utf8)
                    index.setMember("collectionGroup", nil)
                    let request = JSON.object([("parent", .string("\(groups)/books")), ("index", index)])
                    _ = try await admin.answer(.createIndex, request, .embedded)
                }
            }
            try await group.waitForAll()
        }
        try await bench.settled()
        let listed = try await bench.list()
        #expect(listed.count == 2 * rounds.count)
        for number in rounds {
            for other in ["console", "admin"] { #expect(listed.contains { $0.hasPrefix(composite(number, other)) }) }
        }
        let answer = try await admin.answer(.listIndexes, .object([("parent", .string("\(groups)/-"))]), .embedded)
        #expect(answer.elements("indexes").count == 2 * rounds.count)
    }

    @Test func `a missing index is suggested until it exists`() async throws {
        let bench = try await Bench()
        var query = StructuredQuery.all("books")
        query.filter = .field(FieldPathSegments("grp"), .equal, ValueBytes(.string("g")))
        query.orders = [SortOrder(path: FieldPathSegments("n"), direction: .descending)]
        _ = try await bench.server.open().run(query, options: .acknowledged(), context: .embedded)
        #expect(try await JSONNode(bench.ask("GET").json).elements("needed").map { $0.json.text() } == [Self.composite])
        _ = await bench.ask("POST", Self.composite)
        try await bench.settled()
        #expect(try await JSONNode(bench.ask("GET").json).elements("needed").isEmpty)
        _ = try await bench.server.open().run(query, options: .acknowledged(), context: .embedded)
        #expect(try await JSONNode(bench.ask("GET").json).elements("indexes")[0].required("lastUsed").string().hasSuffix("Z"))
    }

    @Test func `an automatic index is not removed`() async throws {
        let bench = try await Bench(.automatic)
        let writes: [Write] = (20..<520).map { .set("books/\($0)", [("n", .integer(Int64($0)))]) }
        _ = try await bench.server.open().commit(writes, context: .embedded)
        var query = StructuredQuery.all("books")
        query.filter = .field(FieldPathSegments("n"), .equal, ValueBytes(.integer(3)))
        for _ in 0..<20 { _ = try await bench.server.open().run(query, options: .acknowledged(), context: .embedded) }
        try await bench.settled()
        let index = try #require(try await JSONNode(bench.ask("GET").json).elements("indexes").first)
        #expect(try !index.required("configured").boolean())
        let (status, json) = await bench.ask("DELETE", try index.required("index").json.text())
        #expect(status == 400 && json.text().contains("FAILED_PRECONDITION"))
    }

    @Test(arguments: [
        ("POST", "{}", 400), ("POST", nil, 400), ("PUT", "{}", 405), ("DELETE", ConsoleIndexesTests.single, 404),
        ("POST", #"{"collectionGroup":"b","fields":[{"fieldPath":"v","vectorConfig":{"dimension":3}}]}"#, 400),
        ("POST", #"{"collectionGroup":"b","fields":[{"fieldPath":"a"}]}"#, 400), ("POST", #"{"collectionGroup":"b","fields":[]}"#, 400),
    ] as [(String, String?, Int)])
    func `requests that are wrong`(verb: String, index: String?, status: Int) async throws {
        let bench = try await Bench()
        #expect(await bench.ask(verb, index).status == status)
    }

    @Test func `a database that does not exist is not created by looking`() async throws {
        let bench = try await Bench()
        #expect(await bench.ask("GET", database: "projects/library/databases/none").status == 404)
        #expect(bench.server.service.databases.current(DatabaseID(projectID: "library", databaseID: "none")) == nil)
    }
}
