// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// What is said about values that cannot be stored: where they stand, and what to store instead.
@Suite struct UnstorableValueTests {
    enum Status: String { case active }
    enum Plain { case one }
    enum Encoded: Codable { case one }
    struct Options: OptionSet { let rawValue: Int }
    struct Address: Codable { var city: String }
    final class Opaque {}

    let db = Scratch.firestore()

    static let cases: [(value: @Sendable () -> Any, remedy: String)] = [
        ({ Status.active }, "rawValue"), ({ Plain.one }, "enum E: String"), ({ Encoded.one }, "Firestore.Encoder().encode"),
        ({ Options(rawValue: 1) }, "rawValue"), ({ URL(fileURLWithPath: "/") }, "absoluteString"), ({ UUID() }, "uuidString"),
        ({ Set(["a"]) }, "Array(set)"), ({ Address(city: "Rome") }, "Firestore.Encoder().encode"), ({ Character("a") }, "String"),
        ({ [1: "a"] as [Int: String] }, "keys"), ({ (1, 2) }, "array"), ({ Opaque() }, "strings, numbers"),
    ]

    @Test(arguments: cases.indices) func `the error says what to store, and where the value stands`(index: Int) async throws {
        let (value, remedy) = Self.cases[index]
        let document = db.document("c/d")
        let attempts: [(field: String, data: [String: Any])] = [
            ("a.b", ["a": ["b": value()]]), ("list", ["list": [value()]]), ("tags", ["tags": FieldValue.arrayUnion([value()])]),
            ("tags.inner.deep", ["tags": FieldValue.arrayUnion([["inner": ["deep": value()]]])]),
        ]
        for (field, data) in attempts {
            let error = await failure { try await document.setData(data) }
            #expect(isFailure(error, .invalidArgument))
            let text = (error as NSError?)?.localizedDescription ?? ""
            #expect(text.contains(remedy) && text.contains("field \(field):"), "\"\(text)\"")
        }
        let filtered = await failure { _ = try await db.collection("c").whereField("f", isEqualTo: value()).getDocuments() }
        #expect((filtered as NSError?)?.localizedDescription.contains(remedy) == true)
    }

    @Test func `an expression of a pipeline is not named by a type of this package`() async {
        let error = await failure { try await db.document("c/d").setData(["a": Field("b").equal(1)]) }
        #expect((error as NSError?)?.localizedDescription.contains("an expression of a pipeline cannot be stored") == true)
    }

    @Test func `an encoder names the path inside an element`() {
        struct Tags: Encodable {
            var tags = FieldValue.arrayUnion([["inner": UUID()]])
        }
        let error = #expect(throws: EncodingError.self) { try Firestore.Encoder().encode(Tags()) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.debugDescription.contains("inner of an element") && context.debugDescription.contains("uuidString"))
        #expect(context.codingPath.map(\.stringValue) == ["tags"])
    }

    @Test func `a map that is read as a dictionary with an enum for keys names CodingKeyRepresentable`() async throws {
        enum Level: String, Codable { case low }
        struct Scores: Codable { var scores: [Level: Int] }
        let document = db.document("c/scores")
        try await document.setData(["scores": ["low": 1]])
        let snapshot = try await document.getDocument()
        let error = #expect(throws: DecodingError.self) { try snapshot.data(as: Scores.self) }
        guard case .typeMismatch(_, let context)? = error else { return }
        #expect(context.debugDescription.contains("CodingKeyRepresentable") && context.codingPath.map(\.stringValue) == ["scores"])
    }
}
