// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreEvents
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// `/console/api/events`.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleEventsTests {
    private static let path = "/console/api/events?database=projects/library/databases/(default)"

    private struct Triggers: ConsoleTriggers {
        func triggers(of database: DatabaseID) async -> [JSON] { [.object([("name", .string("mail of \(database.projectID)"))])] }
    }

    /// A database with events that were given up, `e0`, `e1` and so on, and what answers about them.
    private struct Bench {
        let server = ServerFixture(DatabaseOpening(storage: .memory))
        let events: ConsoleEvents
        /// Keeps the database open.
        let database: RuledService
        let shelf: DeadLetterStore

        init(_ count: Int) async throws {
            let service = try await server.service.databases.open(ServerFixture.database)
            database = service
            let engine = try #require(service.followed as? Engine)
            shelf = DeadLetterStore(engine, of: ServerFixture.database)
            for number in 0..<count { _ = try await shelf.bury(Self.letter(number)) }
            events = ConsoleEvents(DeadLetterAdministration(server.service.databases), triggers: Triggers())
        }

        static func letter(_ number: Int) -> DeadLetter {
            let time = DocumentVersion(microseconds: 1_000_000)
            let after = Document(
                key: DocumentKey(trusted: "c/\(number)"), createTime: time, updateTime: time,
                fields: FieldBytes(FieldMap([("n", .integer(Int64(number)))])))
            let event = ChangeEvent(id: "e\(number)", kind: .created, time: time, key: after.key, before: nil, after: after, params: [:])
            return DeadLetter(
                event: event, trigger: "webhook/mail", attempts: 3, failure: DeliveryFailure(status: 503, answer: "busy"),
                died: SystemClock().now() + Int64(number))
        }

        func ask(_ verb: String, id: String? = nil) async -> (status: Int, json: JSON) {
            let query = [("database", "projects/library/databases/(default)")] + (id.map { [("id", $0)] } ?? [])
            let exchange = FakeExchange(HTTPRequest(method: verb, path: "/console/api/events", query: query, body: .empty))
            do throws(HTTPRefusal) {
                try await events.answer(exchange)
            } catch {
                exchange.respond(error)
            }
            let response = await exchange.response()
            return (response.status, (try? JSON(response.body)) ?? .null)
        }
    }

    // OP-86
    @Test func `events that were given up are listed, read, retried and dropped`() async throws {
        let bench = try await Bench(3)
        let list = await bench.ask("GET").json
        #expect(list.elements("triggers").map { $0.text("name") } == ["mail of library"])
        #expect(list.integer("count") == 3 && list.elements("events").map { $0.text("id") } == ["e2", "e1", "e0"])
        let first = list.elements("events")[0]
        #expect(first.integer("status") == 503 && first.text("answer") == "busy" && first["after"] == nil)
        #expect(await bench.ask("GET", id: "e1").json["after"] != nil)
        #expect(await bench.ask("POST", id: "e1").json.text() == #"{"count":1}"#)
        #expect(await bench.ask("GET", id: "e1").json.flag("retryRequested"))
        #expect(await bench.ask("DELETE", id: "e1").json.text() == #"{"count":1}"#)
        for verb in ["GET", "POST", "DELETE"] { #expect(await bench.ask(verb, id: "e1").status == 404) }
        #expect(await bench.ask("POST").json.text() == #"{"count":2}"#)
        #expect(await bench.ask("DELETE").json.text() == #"{"count":2}"#)
        #expect(await bench.ask("GET").json.elements("events").isEmpty)
    }

    @Test func `of many events the newest are listed, with the number of all`() async throws {
        let bench = try await Bench(205)
        let list = await bench.ask("GET").json
        #expect(list.integer("count") == 205 && list.elements("events").count == 200)
        #expect(list.elements("events").first?.text("id") == "e204")
        _ = try await bench.shelf.bury(Bench.letter(205))
        let later = await bench.ask("GET").json
        #expect(later.integer("count") == 206 && later.elements("events").first?.text("id") == "e205")
    }

    // OT-28
    @Test func `the console's token is needed, and a read-only console changes nothing`() async throws {
        try await ConsoleFixture.run { console in
            #expect(await console.ask("GET", Self.path).body == #"{"triggers":[],"count":0,"events":[]}"#)
            for verb in ["GET", "POST", "DELETE"] {
                for token in [nil, "owner"] { #expect(await console.ask(verb, Self.path, token: token).status == "401") }
            }
        }
        try await ConsoleFixture.run(change: { $0.isReadOnly = true }) { console in
            #expect(await console.ask("GET", Self.path).status == "200")
            for verb in ["POST", "DELETE"] { #expect(await console.ask(verb, Self.path).status == "403") }
        }
    }

    @Test func `a database that does not exist is not created by looking`() async throws {
        try await ConsoleFixture.run { console in
            #expect(await console.ask("GET", "/console/api/events?database=projects/library/databases/none").status == "404")
            #expect(await !console.ask("GET", "/console/api/databases").body.contains("/none"))
        }
    }
}
