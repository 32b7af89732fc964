// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// What the query page asks about a pipeline (PL-238).
struct ConsolePipelinesTests {
    private struct Bench {
        let server = ServerFixture()

        init() async throws { _ = try await server.open().commit([.set("books/a", [("n", .integer(1))])], context: .embedded) }

        func ask(
            _ text: String, _ more: [(name: String, value: JSON)] = [], database: String = "projects/library/databases/(default)"
        ) async throws -> (status: Int, answer: JSONNode) {
            let body = JSON.object([("text", .string(text))] + more)
            let exchange = FakeExchange(
                HTTPRequest(
                    method: "POST", path: "/console/api/pipeline", query: [("database", database)], body: ByteSlice(body.bytes())))
            do throws(HTTPRefusal) {
                try await ConsolePipelines(databases: server.service.databases).answer(exchange, .embedded)
            } catch {
                exchange.respond(error)
            }
            let response = await exchange.response()
            return (response.status, JSONNode(try JSON(response.body)))
        }

        /// The text form of a request in an answer.
        func pipeline(_ answer: JSONNode, _ member: String = "request") throws -> String {
            let request = try ExecutePipelineRequest(body: try answer.required(member).json, of: ServerFixture.database)
            return PipelineText.print(request.pipeline.stages)
        }
    }

    @Test func `a text becomes the request to send, with no more rows than the page shows`() async throws {
        let bench = try await Bench()
        let text = "collection(/books)  # all of them\nwhere(equal(n, 1))"
        let (status, plain) = try await bench.ask(text)
        #expect(status == 200)
        #expect(try plain.required("text").string() == text)
        #expect(try bench.pipeline(plain) == "collection(/books)\nwhere(equal(n, 1))")
        #expect(try plain.optional("writes") == nil && plain.optional("count") == nil)
        let (_, bounded) = try await bench.ask(text, [("limit", .number(1001)), ("explain", .boolean(true))])
        #expect(try bench.pipeline(bounded) == "collection(/books)\nwhere(equal(n, 1))\nlimit(1001)")
        let request = try ExecutePipelineRequest(body: try bounded.required("request").json, of: ServerFixture.database)
        #expect(request.explain == .analyze)
        let (_, short) = try await bench.ask("collection(/books) limit(10)", [("limit", .number(10))])
        #expect(try bench.pipeline(short) == "collection(/books)\nlimit(10)")
    }

    @Test func `a pipeline that writes comes with one that counts, and without a limit`() async throws {
        let bench = try await Bench()
        let (_, answer) = try await bench.ask("collection(/books) where(equal(n, 1)) delete()", [("limit", .number(10))])
        #expect(try answer.required("writes").string() == "delete")
        #expect(try bench.pipeline(answer) == "collection(/books)\nwhere(equal(n, 1))\ndelete()")
        #expect(try bench.pipeline(answer, "count") == "collection(/books)\nwhere(equal(n, 1))\naggregate(count() as n)")
        #expect(try await bench.server.open().execute(try PipelineText.parse("collection(/books)"), context: .embedded).rows.count == 1)
    }

    @Test(arguments: [
        ("collection(/books)\n  filter(true)", 2, 2, 3, "there is no stage “filter”"), ("", 1, 1, 1, "no stages"),
        ("collection(/books)\nwhere(nothing(n))", 2, 2, 1, "there is no function “nothing”"),
        ("collection(/books) where(true) limit(a)", 3, 1, 32, "limit"), ("collection(/books) select(\"😀\" as e, 1)", 2, 1, 38, "alias"),
        ("{\"stages\":", 1, 1, 1, "malformed"), ("{\"stages\":[{\"nam\":\"x\"}]}", 1, 1, 1, "nam"),
        ("{\"stages\":[{\"name\":\"database\"},{\"name\":\"where\"}]}", 2, 2, 1, "where"),
    ] as [(String, Int64, Int64, Int64, String)])
    func `a mistake has a stage, a place and a reason`(text: String, stage: Int64, line: Int64, column: Int64, part: String) async throws {
        let (status, answer) = try await Bench().ask(text)
        #expect(status == 200)
        let mistake = try answer.required("mistake")
        let place = [try mistake.required("stage").integer(), try mistake.required("line").integer(), try mistake.required("column").integer()]
        #expect(place == [stage, line, column], "\(text)")
        #expect(try mistake.required("reason").string().contains(part), "\(mistake.json.text())")
        #expect(try answer.optional("request") == nil)
    }

    @Test func `the body of a request becomes a text`() async throws {
        let bench = try await Bench()
        let sent = ExecutePipelineRequest(
            database: ServerFixture.database, pipeline: try PipelineText.parse("collection(/books) sort(n desc)"),
            consistency: .newTransaction(.readOnly(at: nil)), explain: .plan)
        let (_, answer) = try await bench.ask(try sent.body.text())
        #expect(try answer.required("text").string() == "collection(/books)\nsort(n descending)")
        let request = try ExecutePipelineRequest(body: try answer.required("request").json, of: ServerFixture.database)
        #expect(request.pipeline == sent.pipeline && request.explain == nil)
        #expect(request.consistency == .latest)
    }

    @Test func `a database that does not exist is not found, and a body without a text is rejected`() async throws {
        let bench = try await Bench()
        #expect(try await bench.ask("collection(/a)", database: "projects/none/databases/(default)").status == 404)
        #expect(try await bench.ask("collection(/a)", [("text", .number(1))]).status == 400)
    }
}
