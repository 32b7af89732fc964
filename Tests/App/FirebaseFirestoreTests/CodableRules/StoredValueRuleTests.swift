// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// From the encoder to the document (R108 … R111).
@Suite struct StoredValueRuleTests {
    let db = Scratch.firestore()

    @Test func `the smallest integers are integers`() async throws {
        // R108: booleans in the original.
        struct Model: Codable, Equatable {
            var one = Int8(1)
            var zero = Int8(0)
            var byte = UInt8(1)
            var yes = true
        }
        let document = db.document("stored/small")
        try document.setData(from: Model())
        let snapshot = try await document.getDocument()
        #expect(fieldText(snapshot.data()) == "{byte: 1, one: 1, yes: true, zero: 0}")
        #expect(try snapshot.data(as: Model.self) == Model())
    }

    static let refused: [(String, Attempt)] = [
        ("__x__", Attempt("reserved name") { try encoded(["__x__": 1]) }),
        ("__y__", Attempt("reserved name further down") { try encoded(["a": ["__y__": 1]]) }),
        ("", Attempt("empty name") { try encoded(["": 1]) }),
        ("a", Attempt("nested arrays") { try encoded(["a": [[1]]]) }),
        ("a.b", Attempt("too large") { try encoded(["a": ["b": UInt64.max]]) }),
        ("a[0].v", Attempt("sentinel in an array") { try encoded(["a": [FirestoreTypeRuleTests.SentinelBox(v: .serverTimestamp())]]) }),
        ("t", Attempt("timestamp out of range") { try encoded(["t": Timestamp(seconds: .max, nanoseconds: 0)]) }),
        ("p", Attempt("point out of range") { try encoded(["p": GeoPoint(latitude: 91, longitude: 0)]) }),
    ]

    @Test(arguments: refused)
    func `values that cannot be stored are encoding errors that name the field`(name: String, attempt: Attempt) throws {
        // R109: exceptions in the original.
        let failure = try #require(codingFailure(attempt.run))
        #expect(failure.kind == "invalidValue")
        #expect(name.isEmpty || failure.names(name), "\"\(failure.text)\"")
    }

    @Test func `a value with too many levels is rejected`() async throws {
        // R109
        indirect enum Deep: Encodable {
            case end
            case level(Deep)
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                if case .level(let inner) = self { try container.encode(inner, forKey: "x") } else { try container.encode(1, forKey: "x") }
            }
        }
        func deep(_ levels: Int) -> Deep { (0..<levels).reduce(.end) { inner, _ in .level(inner) } }
        let document = db.document("stored/deep")
        try await document.setData(from: deep(19)).acknowledged
        let error = await failure { try await document.setData(from: deep(40)).acknowledged }
        #expect(error is EncodingError || isFailure(error, .invalidArgument))
    }

    @Test func `references belong to the database they are written to`() async throws {
        // R109
        struct Link: Codable { var to: DocumentReference }
        let foreign = Scratch.firestore().document("a/b")
        let document = db.document("stored/link")
        #expect(codingFailure { try document.setData(from: Link(to: foreign)) }?.summary == "invalidValue at to")
        #expect(codingFailure { try db.batch().setData(from: ["a": Link(to: foreign)], forDocument: document) }?.summary == "invalidValue at a.to")
        // Without a document there is no database to compare with.
        #expect(try encodedText(Link(to: foreign)) == "{to: reference(a/b)}")
        #expect(isFailure(await failure { try await document.setData(try encoded(Link(to: foreign))) }, .invalidArgument, naming: "to"))
        try await document.setData(from: Link(to: db.document("a/b"))).acknowledged
        #expect(try await document.getDocument(as: Link.self).to == db.document("a/b"))
    }

    @Test func `timestamps are cut to microseconds`() async throws {
        // R110
        struct Model: Codable { var at: Date }
        #expect(try encodedText(Model(at: Date(timeIntervalSince1970: 1.1))) == "{at: TS(1, 100000023)}")
        let document = db.document("stored/time")
        try document.setData(from: Model(at: Date(timeIntervalSince1970: 1.1)))
        #expect(fieldText(try await document.getDocument().data()) == "{at: TS(1, 100000000)}")
        try document.setData(from: ["at": Timestamp(seconds: 1, nanoseconds: 999_999_999)])
        #expect(fieldText(try await document.getDocument().data()) == "{at: TS(1, 999999000)}")
    }

    @Test func `integers and doubles have their own kinds and read as either`() async throws {
        // R111
        struct Model: Codable, Equatable {
            var whole = 3
            var real: Double = 3
        }
        struct Swapped: Codable, Equatable {
            var whole: Double
            var real: Int
        }
        let document = db.document("stored/kinds")
        try document.setData(from: Model())
        let snapshot = try await document.getDocument()
        #expect(fieldText(snapshot.data()) == "{real: 3.0, whole: 3}")
        #expect(try snapshot.data(as: Model.self) == Model())
        #expect(try snapshot.data(as: Swapped.self) == Swapped(whole: 3, real: 3))
    }
}
