// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// Why rules grant or deny, for the console.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleDecisionsTests {
    private static let name = "projects/library/databases/(default)"
    private static let root = "/v1/\(name)/documents"

    private struct Bench {
        let requests: ConsoleRequests
        let server: ServerFixture
        let decisions: ConsoleDecisions

        init(_ matches: String = Ruled.standard, explainsValues: Bool = true) async throws {
            var settings = ConsoleRequests.Settings()
            settings.setsTimer = false
            settings.explainsValues = explainsValues
            let rules = RulesRegistry(try Ruled.rules(matches))
            requests = ConsoleRequests(settings, authentication: UnprovedAuthentication())
            server = ServerFixture(rules: rules, recorder: requests)
            decisions = ConsoleDecisions(databases: server.service.databases, rules: rules, requests: requests)
            let writes: [Write] = [
                .set("own/ada", [("owner", .string("ada"))]), .set("own/bob", [("owner", .string("bob"))]),
                .set("roles/ada", [("reads", .boolean(true))]), .set("role/a"),
            ]
            _ = try await server.open().commit(writes, context: .embedded)
        }

        func ask(_ body: String) async -> (status: Int, json: JSON) {
            let exchange = FakeExchange(HTTPRequest(method: "POST", path: "/console/api/decisions", body: ByteSlice(Array(body.utf8))))
            do throws(HTTPRefusal) {
                try await decisions.answer(exchange)
            } catch {
                exchange.respond(error)
            }
            let response = await exchange.response()
            return (response.status, (try? JSON(response.body)) ?? .null)
        }

        /// Waits for the decision of a record, which is explained beside the call.
        func decision(_ record: ConsoleRequestRecord) async throws -> JSON {
            while true {
                if let decision = record.decision { return decision }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    private func described(_ rest: String) -> String { #"{"database":"\#(Self.name)",\#(rest)}"# }

    private func isGranted(_ json: JSON) -> Bool? {
        if case .boolean(let flag)? = json["decision"]?["granted"] { flag } else { nil }
    }

    @Test(arguments: [
        (#""as":{"sub":"ada"},"method":"get","path":"own/ada""#, true), (#""as":{"sub":"ada"},"method":"get","path":"own/bob""#, false),
        (#""as":"anonymous","method":"get","path":"own/ada""#, false), (#""method":"get","path":"own/ada""#, true),
        (#""as":{"sub":"ada"},"method":"create","path":"own/new","fields":{"owner":{"stringValue":"ada"}}"#, true),
        (#""as":{"sub":"ada"},"method":"create","path":"own/new","fields":{"owner":{"stringValue":"bob"}}"#, false),
        (#""as":{"sub":"ada"},"method":"update","path":"own/ada","fields":{}"#, true),
        (#""as":{"sub":"ada"},"method":"update","path":"own/bob","fields":{}"#, false),
        (#""as":{"sub":"bob"},"method":"delete","path":"own/bob""#, true), (#""as":{"sub":"bob"},"method":"delete","path":"nothing/bob""#, false),
        (#""as":{"sub":"ada"},"method":"list","path":"own""#, false),
        // A condition that reads another document.
        (#""as":{"sub":"ada"},"method":"list","path":"role""#, true), (#""as":{"sub":"bob"},"method":"list","path":"role""#, false),
        (#""as":{"sub":"ada"},"method":"get","path":"role/a""#, true), (#""as":{"sub":"bob"},"method":"get","path":"role/a""#, false),
    ])
    func `a request that a page describes`(request: String, granted: Bool) async throws {
        let bench = try await Bench()
        let (status, json) = await bench.ask(described(request))
        #expect(status == 200 && isGranted(json) == granted, "\(json.text())")
        // Nothing is carried out, and nothing is shown as a call.
        #expect(bench.requests.records.isEmpty)
        let found = try await bench.server.open().documents(
            [DocumentKey(trusted: "own/new"), DocumentKey(trusted: "own/bob")], options: .acknowledged(), context: .embedded)
        #expect(found.documents.map { $0 != nil } == [false, true])
    }

    @Test func `a decision has statements with their lines and values, the request and the document`() async throws {
        let bench = try await Bench()
        let (_, json) = await bench.ask(described(#""as":{"sub":"ada"},"method":"get","path":"own/bob""#))
        let decision = try JSONNode(json).required("decision")
        #expect(try decision.required("operation").string() == "get own/bob")
        let statement = try #require(try decision.elements("statements").first)
        #expect(try statement.required("match").string() == "/databases/{db}/documents/own/{id}")
        #expect(try statement.required("line").integer() == 5 && !statement.required("granted").boolean())
        let values = try statement.elements("values").map { try $0.required("expression").string() + " " + $0.required("result").string() }
        #expect(values.contains(#"resource.data.owner "bob""#) && values.contains(#"request.auth.uid "ada""#), "\(values)")
        #expect(decision.json["request"]?["auth"]?.text().contains("ada") == true)
        #expect(decision.json["resource"]?["data"]?.text() == #"{"owner":"bob"}"#)
    }

    @Test func `an earlier request, by the rules in effect and by others`() async throws {
        let bench = try await Bench()
        #expect(await bench.server.http("GET", Self.root + "/own/bob", headers: Ruled.ada).status == 403)
        let id = try #require(bench.requests.records.last?.id)
        let (_, present) = await bench.ask(#"{"database":"\#(Self.name)","request":\#(id)}"#)
        #expect(isGranted(present) == false)
        let rules = "service cloud.firestore { match /databases/{d}/documents { match /own/{x} { allow read: if request.auth.uid == 'ada'; } } }"
        let (_, other) = await bench.ask(#"{"database":"\#(Self.name)","request":\#(id),"rules":"\#(rules)"}"#)
        #expect(isGranted(other) == true)
        let (status, broken) = await bench.ask(#"{"database":"\#(Self.name)","request":\#(id),"rules":"nonsense"}"#)
        #expect(status == 400 && broken.text().contains("Error compiling rules"))
        #expect(await bench.ask(#"{"database":"\#(Self.name)","request":77}"#).status == 404)
    }

    @Test func `a denied call has its decision, with values only where they are shown`() async throws {
        for shows in [true, false] {
            let bench = try await Bench(explainsValues: shows)
            #expect(await bench.server.http("GET", Self.root + "/own/bob", headers: Ruled.ada).status == 403)
            #expect(await bench.server.http("GET", Self.root + "/own/ada", headers: Ruled.ada).status == 200)
            let records = bench.requests.records
            let text = try await bench.decision(records[0]).text()
            #expect(text.contains("\"outcome\":\"false\"") && text.contains("bob\\\"") == shows && text.contains("resource") == shows, "\(text)")
            #expect(records[1].decision == nil)
        }
    }

    @Test func `a target that is denied has its decision`() async throws {
        let bench = try await Bench()
        let listener = try bench.server.listen(.documents([DocumentKey(trusted: "own/ada")]), as: Ruled.ada)
        listener.add(.documents([DocumentKey(trusted: "own/bob")]), 2)
        #expect(try await listener.isRemoved(2) == .permissionDenied)
        let record = try #require(bench.requests.records.last)
        #expect(try await bench.decision(record).text().contains("get own/bob"))
        #expect(bench.requests.records.map { $0.outline(showsValues: false).path } == ["own/ada", "own/bob"])
        listener.handler.ended(nil)
        #expect(bench.requests.records.first?.decision == nil)
    }

    @Test func `a write that is denied after a granted one has the decision of its own document`() async throws {
        let bench = try await Bench()
        let writer = try await WriteRows(bench.server, as: Ruled.ada)
        writer.write(.set("own/ada", [("owner", .string("ada"))]))
        await writer.call.until(messages: 2)
        writer.write(.set("own/bob", [("owner", .string("ada"))]))
        await #expect(throws: RPCStatus.self) { _ = try await writer.call.outcome() }
        let records = bench.requests.records
        #expect(records.map(\.figures.code) == [.ok, .permissionDenied] && records[0].decision == nil)
        let text = try await bench.decision(records[1]).text()
        #expect(text.contains("update own/bob") && text.contains(#""granted":false"#), "\(text)")
        // It can be tried again.
        let (_, again) = await bench.ask(#"{"database":"\#(Self.name)","request":\#(records[1].id)}"#)
        #expect(isGranted(again) == false)
    }

    @Test func `a decision takes at most 16 KiB`() async throws {
        let conditions = (0..<60).map { "allow get: if resource.data.text.size() > 0 && request.auth.uid == 'user-\($0)';" }
        let bench = try await Bench("match /own/{id} { \(conditions.joined(separator: "\n")) }")
        _ = try await bench.server.open().commit(
            [.set("own/large", [("text", .string(String(repeating: "x", count: 5_000)))])], context: .embedded)
        let (_, json) = await bench.ask(described(#""as":{"sub":"ada"},"method":"get","path":"own/large""#))
        #expect(isGranted(json) == false && json.bytes().count < (16 << 10) + 100)
    }

    @Test(arguments: [
        ("{}", 400), ("", 400), (#"{"database":"nothing","method":"get","path":"a/b"}"#, 400), (#"{"database":"NAME","method":"read","path":"a/b"}"#, 400),
        (#"{"database":"NAME","method":"get","path":"a"}"#, 400), (#"{"database":"NAME","method":"list","path":"a/b"}"#, 400),
        (#"{"database":"NAME","method":"get","path":"a/b","as":"me"}"#, 400), (#"{"database":"NAME","method":"get","path":"a/b","as":{}}"#, 400),
        (#"{"database":"NAME","method":"create","path":"a/b","fields":{"x":1}}"#, 400), (#"{"database":"projects/x/databases/none","method":"get","path":"a/b"}"#, 404),
        (#"{"database":"NAME","request":0}"#, 404), (#"{"database":"NAME","request":-5}"#, 404),
    ])
    func `questions that are wrong`(body: String, expected: Int) async throws {
        let bench = try await Bench()
        #expect(await bench.ask(body.replacing("NAME", with: Self.name)).status == expected)
    }
}
