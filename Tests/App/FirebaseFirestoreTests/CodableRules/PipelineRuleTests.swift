// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// The encoder and the decoder (R1 … R5) and the top level (R6 … R10).
@Suite struct PipelineRuleTests {
    let db = Scratch.firestore()

    // MARK: Pipeline

    @Test func `values that cannot be stored are thrown by the encoder`() throws {
        // R1, R13: the original lets the oversized number through and ends the process at the write.
        #expect(failureSummary { try encoded(["x": Double.nan]) } == "invalidValue at x")
        #expect(failureSummary { try encoded(["x": UInt64.max]) } == "invalidValue at x")
        let document = db.document("pipeline/refused")
        #expect(codingFailure { try document.setData(from: ["x": UInt64.max]) }?.summary == "invalidValue at x")
    }

    @Test func `an encoded value and the same data written by hand are one document`() async throws {
        struct Model: Codable {
            var text = "x"
            var number = 3
            var nested = ["a": [1.5, 2]]
            var time = Timestamp(seconds: 9, nanoseconds: 8_000)
        }
        let (byHand, byCoder, byEncoder) = (db.document("p/a"), db.document("p/b"), db.document("p/c"))
        try await byHand.setData([
            "text": "x", "number": 3, "nested": ["a": [1.5, 2.0]], "time": Timestamp(seconds: 9, nanoseconds: 8_000),
        ])
        try byCoder.setData(from: Model())
        try await byEncoder.setData(try encoded(Model()))
        let expected = fieldText(try await byHand.getDocument().data())
        #expect(fieldText(try await byCoder.getDocument().data()) == expected)  // R1
        #expect(fieldText(try await byEncoder.getDocument().data()) == expected)
        let read = try await byHand.getDocument(as: Model.self)  // R2
        #expect(read.text == "x" && read.number == 3 && read.nested == ["a": [1.5, 2]] && read.time == Model().time)
    }

    @Test func `reading matches what is in the document, not a declared wire type`() throws {
        // R2
        #expect(try decoded(property: Int.self, from: 3) == 3)
        #expect(try decoded(property: Double.self, from: 3) == 3)
        #expect(try decoded(property: UInt8.self, from: 3) == 3)
        #expect(failure(property: Bool.self, from: 3) == "typeMismatch at v")
        #expect(failure(property: String.self, from: 3) == "typeMismatch at v")
    }

    @Test func `the strategies of a new coder equal those of the original`() throws {
        // R3
        let (encoder, decoder) = (Firestore.Encoder(), Firestore.Decoder())
        guard case .timestamp = encoder.dateEncodingStrategy, case .timestamp = decoder.dateDecodingStrategy,
            case .blob = encoder.dataEncodingStrategy, case .blob = decoder.dataDecodingStrategy,
            case .throw = encoder.nonConformingFloatEncodingStrategy, case .throw = decoder.nonConformingFloatDecodingStrategy,
            case .useDefaultKeys = encoder.keyEncodingStrategy, case .useDefaultKeys = decoder.keyDecodingStrategy
        else {
            Issue.record("a default differs")
            return
        }
        #expect(encoder.userInfo.isEmpty && decoder.userInfo.isEmpty)
    }

    @Test func `types with a native form have it also as generic parameters`() throws {
        // R4
        #expect(try fieldText(encoding: Date(timeIntervalSince1970: 1)) == "TS(1, 0)")
        #expect(try fieldText(encoding: Data([1])) == "bytes(1)")
        #expect(try fieldText(encoding: try #require(URL(string: "https://x.y"))) == "\"https://x.y\"")
        #expect(try fieldText(encoding: Decimal(2)) == "2.0")
        #expect(try fieldText(encoding: ["fooBar": 1]) { $0.keyEncodingStrategy = .convertToSnakeCase } == "{fooBar: 1}")
        #expect(try fieldText(encoding: GeoPoint(latitude: 1, longitude: 2)) == "GeoPoint(1.0, 2.0)")
        #expect(try decoded(property: Date.self, from: Timestamp(seconds: 1, nanoseconds: 0)) == Date(timeIntervalSince1970: 1))
        #expect(try decoded(property: Data.self, from: Data([1])) == Data([1]))
    }

    @Test func `an encoder can be used again, and each call sees the strategies of its time`() throws {
        // R5
        let encoder = Firestore.Encoder()
        let date = Date(timeIntervalSince1970: 1)
        #expect(fieldText(try encoder.encode(["d": date])) == "{d: TS(1, 0)}")
        encoder.dateEncodingStrategy = .secondsSince1970
        #expect(fieldText(try encoder.encode(["d": date])) == "{d: 1.0}")
        encoder.dateEncodingStrategy = .custom { _, inner in
            encoder.dateEncodingStrategy = .iso8601  // Too late for this call.
            var container = inner.singleValueContainer()
            try container.encode("custom")
        }
        #expect(fieldText(try encoder.encode(["a": date, "b": date])) == "{a: \"custom\", b: \"custom\"}")
        #expect(fieldText(try encoder.encode(["d": date])) == "{d: \"1970-01-01T00:00:01Z\"}")
    }

    @Test func `a decoder retains no reference between calls`() throws {
        // R5: the original leaves the reference in userInfo, where the next call finds it.
        struct Model: Codable { @DocumentID var id: String? }
        let decoder = Firestore.Decoder()
        #expect(try decoder.decode(Model.self, from: [:] as [String: Any], in: db.document("a/one")).id == "one")
        #expect(decoder.userInfo.isEmpty)
        #expect(failureSummary { try decoder.decode(Model.self, from: [:] as [String: Any]) } == "decodingIsNotSupported")
        #expect(failureSummary { try decoder.decode(Model.self, from: [:] as [String: Any], in: nil) } == "decodingIsNotSupported")
        #expect(try decoder.decode(Model.self, from: [:] as [String: Any], in: db.document("a/two")).id == "two")
    }

    // MARK: Top level

    @Test func `structs, classes, enums with keys and string or integer keyed dictionaries are documents`() throws {
        // R6
        final class Point: Codable { var x = 1 }
        enum Message: Codable { case text(String) }
        #expect(try encodedText(["a": 1]) == "{a: 1}")
        #expect(try encodedText([7: "x"]) == "{7: \"x\"}")
        #expect(try encodedText(Box(v: true)) == "{v: true}")
        #expect(try encodedText(Point()) == "{x: 1}")
        #expect(try encodedText(Message.text("hi")) == "{text: {_0: \"hi\"}}")
    }

    enum Raw: String, Codable { case one }

    static let noDocuments: [Attempt] = [
        Attempt("array") { try encoded([1, 2]) }, Attempt("set") { try encoded(Set([1])) },
        Attempt("string") { try encoded("x") }, Attempt("integer") { try encoded(1) },
        Attempt("double") { try encoded(1.5) }, Attempt("bool") { try encoded(true) },
        Attempt("date") { try encoded(Date()) }, Attempt("data") { try encoded(Data([1])) },
        Attempt("url") { try encoded(try #require(URL(string: "https://x.y"))) }, Attempt("decimal") { try encoded(Decimal(1)) },
        Attempt("uuid") { try encoded(UUID()) }, Attempt("raw enum") { try encoded(Raw.one) },
        Attempt("geopoint") { try encoded(GeoPoint(latitude: 0, longitude: 0)) },
        Attempt("timestamp") { try encoded(Timestamp(seconds: 1, nanoseconds: 0)) },
        Attempt("field value") { try encoded(FieldValue.delete()) },
        Attempt("vector") { try encoded(VectorValue([1])) },
        Attempt("reference") { try encoded(Scratch.firestore().document("a/b")) },
        Attempt("nil") { try encoded(Box<Int>?.none) },  // R8
        Attempt("touches no container") { try encoded(Writing { _ in }) },  // R9
    ]

    @Test(arguments: noDocuments)
    func `anything else is rejected with an empty path`(attempt: Attempt) throws {
        // R7
        #expect(attempt.summary == "invalidValue at root")
        #expect(codingFailure(attempt.run)?.names("JSON") == false)
    }

    @Test func `an optional at the top is its content`() throws {
        #expect(try encodedText(Optional(Box(v: 1))) == "{v: 1}")  // R8
    }

    @Test func `a nested value that writes nothing is an empty map, an empty struct an empty document`() throws {
        struct Empty: Codable {}
        #expect(try fieldText(encoding: Writing { _ in }) == "{}")  // R9
        #expect(try encodedText(Empty()) == "{}")
        #expect(try encodedText(["e": Empty()]) == "{e: {}}")
    }

    @Test func `a model of nothing but its id is an empty document`() throws {
        struct Marker: Codable { @DocumentID var id: String? }
        #expect(try encodedText(Marker(id: "x")) == "{}")  // R10
    }
}
