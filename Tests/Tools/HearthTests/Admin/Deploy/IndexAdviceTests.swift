// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@testable import hearth

/// What a refused query advises can be deployed, and then the query is answered.
struct IndexAdviceTests {
    private static let fields = [
        FieldPathSegments("a"), FieldPathSegments("tags"), FieldPathSegments(["m", "x"]), FieldPathSegments("x y"), FieldPathSegments("a/b"),
    ]

    private struct RandomQueries {
        var random: SeededGenerator

        mutating func field() -> FieldPathSegments { IndexAdviceTests.fields.randomElement(using: &random) ?? .documentID }

        mutating func filter() -> QueryFilter {
            let operators: [QueryFilter.FieldOperator] = [.equal, .lessThan, .greaterThan, .notEqual, .arrayContains, .arrayContainsAny, .in]
            let chosen = operators.randomElement(using: &random) ?? .equal
            let isList = chosen == .in || chosen == .arrayContainsAny
            return .field(field(), chosen, ValueBytes(isList ? .array([.integer(1), .integer(2)]) : .integer(1)))
        }

        mutating func query() -> StructuredQuery {
            var query: StructuredQuery = Bool.random(using: &random) ? .collection("c") : .group("c")
            let filters = (0..<Int.random(in: 0...3, using: &random)).map { _ in filter() }
            if !filters.isEmpty { query.filter = Int.random(in: 0..<4, using: &random) == 0 ? .or(filters) : .and(filters) }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                query.orders.append(SortOrder(path: field(), direction: Bool.random(using: &random) ? .ascending : .descending))
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                query.orders.append(SortOrder(path: .documentID, direction: Bool.random(using: &random) ? .ascending : .descending))
            }
            return query
        }
    }

    /// The file that an error asks for: `… to "indexes": {…}; to "fieldOverrides": {…}`.
    private func file(_ advice: String) throws -> String {
        var sections: [String: [String]] = ["indexes": [], "fieldOverrides": []]
        for part in advice.split(separator: "to \"").dropFirst() {
            let name = String(part.prefix { $0 != "\"" })
            let start = try #require(part.firstIndex(of: "{")), end = try #require(part.lastIndex(of: "}"))
            sections[name]?.append(String(part[start...end]))
        }
        return "{" + sections.map { "\"\($0.key)\": [\($0.value.joined(separator: ","))]" }.joined(separator: ", ") + "}"
    }

    @Test(arguments: 0..<4)
    func `what a random query is advised to add is read by the deployment, and serves the query`(seed: Int) async throws {
        let engine = try Engine.open(
            EngineConfiguration(location: .memory, databaseID: DatabaseID(projectID: "p"), indexPolicy: .required))
        var queries = RandomQueries(random: SeededGenerator(seed: UInt64(seed)))
        var advised = 0
        for _ in 0..<TestScale.pick(quick: 40, full: 400) {
            let query = queries.query()
            do throws(FirestoreError) {
                _ = try await engine.paths(query)
            } catch where error.code == .failedPrecondition {
                advised += 1
                let text = try file(error.message)
                let read = try IndexFile(FirebaseJSON(text.utf8, path: "i.json"))
                #expect(read.notes.isEmpty, "\(text)")
                let deployed = JSON.object([("indexes", .array(read.indexes)), ("fieldOverrides", .array(read.overrides))])
                try await engine.configureIndexes(try IndexConfiguration(json: deployed.bytes()).definitions)
                _ = try await engine.paths(query)
                try await engine.configureIndexes([])
            } catch {
                #expect(error.code == .invalidArgument, "\(error)")
            }
        }
        #expect(advised > 5)
        await engine.shutdown()
    }
}
