// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation
import Testing

/// Rows as apps read them.
@Suite struct PipelineResultTests {
    private let project = "projects/scripted/databases/(default)/documents"

    private func results(_ rows: PipelineRow...) async throws -> [PipelineResult] {
        try await PipelineScript([rows]).firestore().pipeline().collection("c").execute().results
    }

    private func row(_ fields: [(String, Value)], name: String? = nil) -> PipelineRow {
        PipelineRow(name: name, fields: FieldBytes(FieldMap(fields)))
    }

    @Test func `a document has a reference and times`() async throws {
        var row = row([("n", .integer(1))], name: "\(project)/c/d1")
        row.createTime = DocumentVersion(microseconds: 1_000_000)
        row.updateTime = DocumentVersion(microseconds: 2_500_000)
        let result = try #require(try await results(row).first)
        #expect(result.ref?.path == "c/d1" && result.id == "d1")
        #expect(result.createTime == Timestamp(seconds: 1, nanoseconds: 0))
        #expect(result.updateTime == Timestamp(seconds: 2, nanoseconds: 500_000_000))
        #expect(result.get(FieldPath.documentID()) as? DocumentReference == result.ref)
        #expect("\(result)" == "<PipelineResult: c/d1>")
    }

    @Test func `a row that is no document of this database has neither`() async throws {
        let foreign = row([], name: "projects/other/databases/(default)/documents/c/d1")
        for result in try await results(row([("n", .integer(1))]), foreign) {
            #expect(result.ref == nil && result.id == nil && result.createTime == nil && result.updateTime == nil)
        }
    }

    @Test func `data has numbers that cast, nil for null, and NSNull deeper`() async throws {
        let result = try #require(
            try await results(
                row([
                    ("n", .integer(7)), ("d", .double(2.5)), ("s", .string("x")), ("t", .null), ("w", .boolean(true)),
                    ("l", .array([.integer(1), .null])), ("m", .map(FieldMap([("a", .null), ("b", .integer(2))]))), ("v", .vector([1, 2])),
                    ("at", .timestamp(TimestampValue(seconds: 3, nanoseconds: 0))), ("r", .reference("\(project)/c/d2")),
                    ("y", .bytes([1, 2])), ("g", .geoPoint(GeoPointValue(latitude: 1, longitude: 2))),
                ])
            ).first)
        let data: [String: (any Sendable)?] = result.data
        #expect(data.count == 12)
        #expect(data["n"] as? Int == 7 && data["d"] as? Double == 2.5 && data["s"] as? String == "x" && data["w"] as? Bool == true)
        #expect(data["n"] as? Double == 7)
        let null = try #require(data.index(forKey: "t"))
        #expect(data[null].value == nil)
        let list = try #require(data["l"] as? [Any])
        #expect(list.count == 2 && list[0] as? Int == 1 && list[1] is NSNull)
        let map = try #require(data["m"] as? [String: Any])
        #expect(map["a"] is NSNull && map["b"] as? Int == 2)
        #expect(data["v"] as? VectorValue == VectorValue([1, 2]) && data["at"] as? Timestamp == Timestamp(seconds: 3, nanoseconds: 0))
        #expect((data["r"] as? DocumentReference)?.path == "c/d2" && data["y"] as? Data == Data([1, 2]))
        #expect(data["g"] as? GeoPoint == GeoPoint(latitude: 1, longitude: 2))
    }

    @Test func `fields are read by names, paths and fields`() async throws {
        let inner = Value.map(FieldMap([("b", .integer(1)), ("c.d", .string("x"))]))
        let result = try #require(try await results(row([("a", inner), ("t", .null), ("e.f", .integer(2))])).first)
        #expect(result.get("a.b") as? Int == 1 && result.get(Field("a.b")) as? Int == 1)
        #expect(result.get(FieldPath(["a", "c.d"])) as? String == "x" && result.get(FieldPath(["e.f"])) as? Int == 2)
        #expect(result.get("t") == nil && result.get("missing") == nil && result.get("a..b") == nil && result.get("__name__") == nil)
    }

    // PL-217, PL-32
    @Test func `rows may hold arrays in arrays, empty keys and deep nesting`() async throws {
        var deep = Value.integer(1)
        for level in 0..<64 { deep = level % 2 == 0 ? .array([deep]) : .map(FieldMap([("", deep)])) }
        let nested = Value.array([.array([.integer(1), .array([])]), .null])
        let result = try #require(
            try await results(row([("deep", deep), ("nested", nested), ("", .integer(3)), ("__x__", .integer(4))])).first)
        let data = result.data
        #expect(data[""] as? Int == 3 && data["__x__"] as? Int == 4)
        #expect(((data["nested"] as? [Any])?.first as? [Any])?.first as? Int == 1)
        var value: Any? = data["deep"] ?? nil
        for level in (0..<64).reversed() { value = level % 2 == 0 ? (value as? [Any])?.first : (value as? [String: Any])?[""] }
        #expect(value as? Int == 1)
    }

    @Test func `a snapshot has the moment of the execution, and says whether a cache answered`() async throws {
        let script = PipelineScript([[row([])], [row([]), row([])]], at: 7_000_001, isFromCache: true)
        let snapshot = try await script.firestore().pipeline().collection("c").execute()
        #expect(snapshot.results.count == 3 && snapshot.isFromCache)
        #expect(snapshot.executionTime == Timestamp(seconds: 7, nanoseconds: 1000))
        let empty = try await PipelineScript([[]]).firestore().pipeline().collection("c").execute()
        #expect(empty.results.isEmpty && !empty.isFromCache)
    }
}
