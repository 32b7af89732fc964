// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Testing

/// Rows as values.
@Suite struct DecodedResultsTests {
    private let project = "projects/scripted/databases/(default)/documents"

    private struct Trail: Codable {
        @DocumentID var id: String?
        var name: String
    }

    private struct Hidden: Codable {
        @DocumentID var id: String?
        var name: String
        enum CodingKeys: String, CodingKey { case name }
    }

    private func snapshot(_ rows: PipelineRow...) async throws -> Pipeline.Snapshot {
        try await PipelineScript([rows]).firestore().pipeline().collection("c").execute()
    }

    private func row(_ fields: [(String, Value)], name: String? = nil) -> PipelineRow {
        PipelineRow(name: name, fields: FieldBytes(FieldMap(fields)))
    }

    @Test func `a document fills its id, and a row without one leaves it nil`() async throws {
        let name: [(String, Value)] = [("name", .string("Ridge"))]
        let snapshot = try await snapshot(row(name, name: "\(project)/c/ridge"), row(name))
        let trails = try snapshot.results.map { try $0.data(as: Trail.self) }
        #expect(trails.map(\.id) == ["ridge", nil] && trails.map(\.name) == ["Ridge", "Ridge"])
        let hidden = try snapshot.results.map { try $0.data(as: Hidden.self) }
        #expect(hidden.map(\.id) == ["ridge", nil])
    }

    @Test func `references need no document beside them`() async throws {
        struct Visit: Codable { var trail: DocumentReference; var others: [DocumentReference] }
        let reference = Value.reference("\(project)/c/ridge")
        let visit = try await snapshot(row([("trail", reference), ("others", .array([reference]))])).results[0].data(as: Visit.self)
        #expect(visit.trail.path == "c/ridge" && visit.others == [visit.trail])
    }

    @Test func `rows that do not fit are beside the others`() async throws {
        let snapshot = try await snapshot(row([("name", .string("Ridge"))]), row([("name", .integer(3))]), row([("name", .string("Lake"))]))
        let decoded = snapshot.results(as: Trail.self)
        #expect(decoded.map(\.name) == ["Ridge", "Lake"] && decoded.count == 2 && decoded.snapshot.results.count == 3)
        #expect(decoded.failures.count == 1 && decoded.failures[0].result.get("name") as? Int == 3)
        #expect(decoded.failures[0].error is DecodingError)
    }

    @Test func `a decoder's strategies apply`() async throws {
        struct Count: Codable { var trailCount: Int }
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let decoded = try await snapshot(row([("trail_count", .integer(3))])).results(as: Count.self, decoder: decoder)
        #expect(decoded.first?.trailCount == 3)
    }

    // PL-217
    @Test func `arrays in arrays, empty keys and deep nesting decode`() async throws {
        indirect enum Nested: Codable, Equatable {
            case number(Int)
            case list([Nested])
            case map([String: Nested])
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else if let list = try? container.decode([Nested].self) {
                    self = .list(list)
                } else {
                    self = .map(try container.decode([String: Nested].self))
                }
            }
            func encode(to encoder: any Encoder) throws {}
        }
        struct Matrix: Codable { var rows: [[Int]]; var empty: [String: Int]; var any: FirestoreValue }
        let rows = Value.array([.array([.integer(1), .integer(2)]), .array([])])
        let matrix = try await snapshot(
            row([("rows", rows), ("empty", .map(FieldMap([("", .integer(1))]))), ("any", .array([rows]))])
        ).results[0].data(as: Matrix.self)
        #expect(matrix.rows == [[1, 2], []] && matrix.empty == ["": 1])
        #expect(matrix.any == .array([.array([.array([.integer(1), .integer(2)]), .array([])])]))

        var deep = Value.integer(1)
        for level in 0..<64 { deep = level % 2 == 0 ? .array([deep]) : .map(FieldMap([("k", deep)])) }
        struct Deep: Codable { var deep: FirestoreValue }
        let value = try await snapshot(row([("deep", deep)])).results[0].data(as: Deep.self)
        #expect("\(value.deep)".isEmpty == false)
        struct Tree: Codable { var deep: Nested }
        var shallow = Value.integer(1)
        for level in 0..<10 { shallow = level % 2 == 0 ? .array([shallow]) : .map(FieldMap([("k", shallow)])) }
        var expected = Nested.number(1)
        for level in 0..<10 { expected = level % 2 == 0 ? .list([expected]) : .map(["k": expected]) }
        #expect(try await snapshot(row([("deep", shallow)])).results[0].data(as: Tree.self).deep == expected)
    }
}
