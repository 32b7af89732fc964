// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// Rows of pipelines as JSON.
struct PipelineRowTests {
    private static let path = "/v1/projects/library/databases/(default)/documents:executePipeline"

    // PL-32, PL-217
    @Test func `rows are sent that no document could be`() async throws {
        let server = ServerFixture()
        try await server.commit(.set("books/a"))
        // The row is a map, so 63 levels are left for its values.
        let deep = (0..<62).reduce(Value.integer(1)) { value, _ in .map(FieldMap([("m", value)])) }
        let odd = Value.map(
            FieldMap([
                ("", .string("unnamed")), ("__x__", .double(.nan)), ("deep", deep), ("empty", .map(FieldMap([("", .null)]))),
                ("nested", .array([.array([.integer(1), .array([])]), .array([])])),
            ]))
        let request = ExecutePipelineRequest(
            database: ServerFixture.database, pipeline: PipelineRequest([PipelineStage(.literals, [.value(odd)])]))
        let answer = await server.http("POST", Self.path, body: try request.body.text())
        #expect(answer.status == 200, "\(answer.text)")
        guard case .array(let messages) = try JSON(answer.body), case .array(let rows)? = messages.first?["results"] else {
            Issue.record("no rows in \(answer.text)")
            return
        }
        #expect(rows.count == 1 && rows[0]["name"] == nil)
        #expect(rows[0]["fields"]?.text() == odd.json["mapValue"]?["fields"]?.text())
    }
}
