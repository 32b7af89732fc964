// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// R93, the table of errors: a row here for each row there.
@Suite struct ErrorTableTests {
    struct Author: Codable { var name: String }
    struct Book: Codable {
        var title = "x"
        var pages: Int?
        var price: Double?
        var author: Author?
        var tags: [String]?
        var dates: [Date]?
        var notes: [String: Author]?
        var cover: URL?
        var id: UUID?
        var printed: Date?
        var state: EnumRuleTests.State?
        var small: UInt8?
        var isOpen: Bool?
        var home: DocumentReference?
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let summary: String
        let words: [String]
        let read: @Sendable (DocumentReference) throws -> Any

        /// Reading a book with one field that does not fit, or anything else.
        init(_ name: String, _ summary: String, _ words: [String], _ read: @escaping @Sendable (DocumentReference) throws -> Any) {
            (testDescription, self.summary, self.words, self.read) = (name, summary, words, read)
        }
        init(_ name: String, _ summary: String, _ words: [String], book fields: @escaping @Sendable () -> [String: Any]) {
            self.init(name, summary, words) { reference in
                try decoded(Book.self, from: ["title": "s3cret"].merging(fields()) { $1 }, in: reference)
            }
        }
    }

    /// What must not come up in any message: values, and the words of the machine.
    static let secrets = ["s3cret", "98765", "JSON", "Dictionary<", "Array<"]

    static let missing: [Row] = [
        Row("missing key", "keyNotFound(title) at root", ["title"]) { try decoded(Book.self, from: ["pages": 98765], in: $0) },
        Row("missing key further down", "keyNotFound(name) at author", ["author", "name"]) { ["author": ["title": "s3cret"]] },
        Row("missing key in an entry", "keyNotFound(name) at notes.n", ["notes", "name"]) { ["notes": ["n": [String: Any]()]] },
        Row("missing key for a nil test", "keyNotFound(gone) at root", ["gone"]) { _ in
            try reading(["a": "s3cret"]) { _ = try $0.container(keyedBy: AnyKey.self).decodeNil(forKey: "gone") }
        },
        Row("missing keyed container", "keyNotFound(gone) at root", ["gone"]) { _ in
            try reading(["a": "s3cret"]) { _ = try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: "gone") }
        },
        Row("missing unkeyed container", "keyNotFound(gone) at root", ["gone"]) { _ in
            try reading(["a": "s3cret"]) { _ = try $0.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "gone") }
        },
    ]

    static let null: [Row] = [
        Row("null for a string", "valueNotFound at title", ["title", "null", "String"]) { ["title": NSNull()] },
        Row("null for a string further down", "valueNotFound at author.name", ["author.name", "null", "String"]) { ["author": ["name": NSNull()]] },
        Row("null for a keyed value", "valueNotFound at notes.n", ["notes.n", "null"]) { ["notes": ["n": NSNull()]] },
        Row("null element", "valueNotFound at tags.Index 1", ["tags[1]", "null", "String"]) { ["tags": ["s3cret", NSNull()] as [Any]] },
        Row("null element of a fixed type", "valueNotFound at dates.Index 0", ["dates[0]", "null", "Date"]) { ["dates": [NSNull()]] },
        Row("null document for a dictionary", "valueNotFound at root", ["null"]) { try decoded([String: Int].self, from: NSNull(), in: $0) },
        Row("null document for a fixed type", "valueNotFound at root", ["null", "Date"]) { try decoded(Date.self, from: NSNull(), in: $0) },
        Row("null document for a keyed type", "valueNotFound at root", []) { try decoded(Book.self, from: NSNull(), in: $0) },
        Row("past the end", "valueNotFound at list.Index 1", ["list[1]"]) { _ in
            try reading(["list": ["s3cret"]]) { decoder in
                var list = try decoder.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "list")
                _ = try list.decode(String.self)
                _ = try list.decode(String.self)
            }
        },
    ]

    static let mismatched: [Row] = [
        Row("integer for a string", "typeMismatch at title", ["title", "integer", "String"]) { ["title": 98765] },
        Row("double for a string", "typeMismatch at title", ["title", "double", "String"]) { ["title": 98765.25] },
        Row("boolean for a string", "typeMismatch at title", ["title", "boolean", "String"]) { ["title": true] },
        Row("timestamp for a string", "typeMismatch at title", ["title", "timestamp", "String"]) { ["title": Timestamp(seconds: 98765, nanoseconds: 0)] },
        Row("bytes for a string", "typeMismatch at title", ["title", "bytes", "String"]) { ["title": Data([1])] },
        Row("string for an integer", "typeMismatch at pages", ["pages", "string", "Int"]) { ["pages": "s3cret"] },
        Row("string for a double", "typeMismatch at price", ["price", "string", "Double"]) { ["price": "s3cret"] },
        Row("integer for a boolean", "typeMismatch at isOpen", ["isOpen", "integer", "Bool"]) { ["isOpen": 98765] },
        Row("string for a map", "typeMismatch at author", ["author", "a string", "a map"]) { ["author": "s3cret"] },
        Row("array for a map", "typeMismatch at author", ["author", "an array", "a map"]) { ["author": ["s3cret"]] },
        Row("map for an array", "typeMismatch at tags", ["tags", "a map", "an array"]) { ["tags": ["a": "s3cret"]] },
        Row("wrong element", "typeMismatch at tags.Index 1", ["tags[1]", "integer", "String"]) { ["tags": ["s3cret", 98765] as [Any]] },
        Row("wrong value in an entry", "typeMismatch at notes.n.name", ["notes.n.name", "integer", "String"]) { ["notes": ["n": ["name": 98765]]] },
        Row("string for a date", "typeMismatch at printed", ["printed", "string", "Date"]) { ["printed": "s3cret"] },
        Row("keyed container by hand on null", "typeMismatch at root", ["null"]) { _ in
            try reading(["a": NSNull()]) { _ = try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: "a") }
        },
        Row("unkeyed container by hand on null", "typeMismatch at root", ["null"]) { _ in
            try reading(["a": NSNull()]) { _ = try $0.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "a") }
        },
        Row("keyed container by hand on a string", "typeMismatch at root", ["string"]) { _ in
            try reading(["a": "s3cret"]) { _ = try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: "a") }
        },
    ]

    static let corrupted: [Row] = [
        Row("number too large", "dataCorrupted at small", ["small", "UInt8"]) { ["small": 98765] },
        Row("fraction for an integer", "dataCorrupted at pages", ["pages", "Int"]) { ["pages": 98765.5] },
        Row("bad URL", "dataCorrupted at cover", ["cover"]) { ["cover": ""] },
        Row("bad UUID", "dataCorrupted at id", []) { ["id": "s3cret"] },
        Row("bad date", "dataCorrupted at printed", ["printed"]) { reference in
            try decoded(Book.self, from: ["title": "x", "printed": "s3cret"], in: reference) { $0.dateDecodingStrategy = .iso8601 }
        },
        Row("bad base64", "dataCorrupted at v", ["v"]) { reference in
            try decoded(Box<Data>.self, from: ["v": "s3cret!"], in: reference) { $0.dataDecodingStrategy = .base64 }
        },
    ]

    @Test(arguments: missing + null + mismatched + corrupted)
    func `decoding errors have their case, path and a text that helps`(row: Row) throws {
        let reference = Scratch.firestore().document("books/b1")
        let failure = try #require(codingFailure { try row.read(reference) })
        #expect(failure.summary == row.summary)  // R93
        for word in row.words {
            #expect(failure.names(word), "\"\(failure.text)\" does not name \(word)")
        }
        for secret in Self.secrets { #expect(!failure.text.contains(secret), "\"\(failure.text)\"") }
    }

    @Test(arguments: mismatched.prefix(14) + null.prefix(5) + missing.prefix(3) + corrupted.prefix(3))
    func `with a reference the text names the document`(row: Row) throws {
        let reference = Scratch.firestore().document("books/b1")
        let failure = try #require(codingFailure { try row.read(reference) })
        #expect(failure.names("books/b1"), "\"\(failure.text)\"")  // R93
    }

    @Test func `an unknown raw value and a bad UUID have the standard library's text`() {
        // R93, R37, R30d
        let failure = codingFailure { try decoded(Box<EnumRuleTests.State>.self, from: ["v": "s3cret"]) }
        #expect(failure?.summary == "dataCorrupted at v")
    }

    // MARK: Encoding and Firestore's own errors

    static let refused: [(String, Attempt)] = [
        ("invalidValue at v", Attempt("NaN") { try encoded(Box(v: Double.nan)) }),
        ("invalidValue at v.Index 1", Attempt("infinity in an array") { try encoded(Box(v: [0, Double.infinity])) }),
        ("invalidValue at root", Attempt("no document") { try encoded([98765]) }),
        ("invalidValue at root", Attempt("nothing encoded") { try encoded(Writing { _ in }) }),
        ("encodingIsNotSupported", Attempt("id outside a keyed container") { try encoded(["s": [DocumentID(wrappedValue: "s3cret")]]) }),
        ("encodingIsNotSupported", Attempt("field value elsewhere") { try JSONEncoder().encode(FirestoreTypeRuleTests.SentinelBox(v: .delete())) }),
        ("decodingIsNotSupported", Attempt("reference from a string") { try decoded(property: DocumentReference.self, from: "s3cret") }),
        ("decodingIsNotSupported", Attempt("id without a reference") { try decoded(DocumentIDRuleTests.Book.self, from: ["title": "s3cret"]) }),
        (
            "decodingIsNotSupported",
            Attempt("other decoder") { try JSONDecoder().decode([DocumentReference].self, from: Data("[\"s3cret\"]".utf8)) }
        ),
    ]

    @Test(arguments: refused)
    func `encoding errors, and the errors of Firestore's own types`(summary: String, attempt: Attempt) throws {
        let failure = try #require(codingFailure(attempt.run))
        #expect(failure.summary == summary)  // R93
        #expect(!failure.text.isEmpty)
        for secret in ["s3cret", "98765"] { #expect(!failure.text.contains(secret)) }
    }

    @Test func `a rejection names the field`() {
        // R93
        let failure = codingFailure { try encoded(["outer": ["inner": [0, Double.nan]]]) }
        #expect(failure?.names("outer.inner[1]") == true)
        #expect(failure?.names("JSON") == false)
    }

    @Test func `a user's own errors come out as they are`() {
        // R93
        struct Model: Codable {
            init() {}
            init(from decoder: any Decoder) throws { throw UserError(code: 1) }
            func encode(to encoder: any Encoder) throws { throw UserError(code: 2) }
        }
        #expect(throws: UserError(code: 1)) { try decoded(property: [Model].self, from: [1]) }
        #expect(throws: UserError(code: 2)) { try encoded(Box(v: [Model()])) }
        #expect(throws: UserError(code: 2)) { try encoded(Model()) }
    }
}
