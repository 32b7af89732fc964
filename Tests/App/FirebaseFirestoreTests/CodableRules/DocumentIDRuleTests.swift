// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `@DocumentID` (R69 … R80).
@Suite struct DocumentIDRuleTests {
    let db = Scratch.firestore()

    struct Book: Codable, Equatable {
        @DocumentID var id: String?
        var title: String
    }

    /// A type of a user's own.
    struct Tagged: DocumentIDWrappable, Codable, Equatable {
        var text: String
        static func wrap(_ documentReference: DocumentReference) throws -> Tagged {
            guard documentReference.documentID != "bad" else { throw UserError(code: 3) }
            return Tagged(text: "<" + documentReference.path + ">")
        }
    }

    @Test func `the id is a string, the reference, or a type that can be made from it`() throws {
        // R69, R73
        struct Model: Codable {
            @DocumentID var id: String?
            @DocumentID var reference: DocumentReference?
            @DocumentID var tagged: Tagged?
        }
        let document = db.document("books/b1")
        let read = try decoded(Model.self, from: [String: Any](), in: document)
        #expect(read.id == "b1" && read.reference == document && read.tagged == Tagged(text: "<books/b1>"))
        #expect(throws: UserError(code: 3)) { try decoded(Model.self, from: [String: Any](), in: db.document("books/bad")) }
    }

    @Test func `memberwise initializers need no id`() {
        // R70
        #expect(Book(title: "x").id == nil)
        #expect(Book(id: "1", title: "x").id == "1")
    }

    @Test func `the id is never written, at no depth`() throws {
        // R71
        struct Shelf: Codable {
            @DocumentID var id: String?
            var best = Book(id: "2", title: "a")
            var books = [Book(id: "3", title: "b")]
            var byName = ["c": Book(title: "c")]
        }
        #expect(try encodedText(Book(id: "1", title: "x")) == "{title: \"x\"}")
        #expect(try encodedText(Book(title: "x")) == "{title: \"x\"}")
        #expect(try encodedText(Shelf(id: "1")) == "{best: {title: \"a\"}, books: [{title: \"b\"}], byName: {c: {title: \"c\"}}}")
        #expect(try encodedText(Writing { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(DocumentID<String>(wrappedValue: "1"), forKey: "a")
            try container.encodeIfPresent(DocumentID<String>(wrappedValue: "1"), forKey: "b")
            try container.encode(1, forKey: "c")
        }) == "{c: 1}")
    }

    @Test func `a DocumentID is rejected outside of a property`() {
        // R72
        let id = DocumentID<String>(wrappedValue: "1")
        #expect(failureSummary { try encoded(["a": [id]]) } == "encodingIsNotSupported")
        #expect(failureSummary { try encoded(["a": id]) } == "encodingIsNotSupported")
        #expect(failureSummary { try encoded(id) } == "encodingIsNotSupported")
        #expect(failureSummary { try encoded(Writing { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(id)
        }) } == "encodingIsNotSupported")
    }

    @Test func `the document's own field of that name is left alone, on reading and on writing`() async throws {
        // R73, R74
        let document = db.document("books/b1")
        #expect(try decoded(Book.self, from: ["id": 5, "title": "x"], in: document) == Book(id: "b1", title: "x"))
        #expect(try decoded(Book.self, from: ["id": "other", "title": "x"], in: document).id == "b1")
        #expect(try decoded(Book.self, from: ["id": NSNull(), "title": "x"], in: document).id == "b1")
        try await document.setData(["id": 5, "title": "x"])
        #expect(try await document.getDocument(as: Book.self).id == "b1")
        try document.setData(from: Book(id: "no", title: "y"), merge: true)
        try await db.waitForPendingWrites()
        #expect(try await document.getDocument()["id"] as? Int == 5)
    }

    @Test func `without a reference there is no id`() throws {
        // R75
        let failure = codingFailure { try decoded(Book.self, from: ["id": "b", "title": "x"]) }
        #expect(failure?.summary == "decodingIsNotSupported")
        #expect(failure?.error is FirestoreDecodingError)
        #expect(failure?.error is DecodingError == false)
    }

    @Test func `nested ids are the outer document's`() async throws {
        // R76
        struct Shelf: Codable {
            @DocumentID var id: String?
            var best: Book
            var books: [Book]
            var byName: [String: Book]
        }
        let data: [String: Any] = ["best": ["title": "a"], "books": [["title": "b"], ["title": "c"]], "byName": ["d": ["title": "d"]]]
        let document = db.document("shelves/s1")
        try await document.setData(data)
        let shelf = try await document.getDocument(as: Shelf.self)
        #expect(shelf.id == "s1" && shelf.best.id == "s1" && shelf.books.map(\.id) == ["s1", "s1"] && shelf.byName["d"]?.id == "s1")
    }

    @Test func `by hand, the wrapper is decoded under any key`() throws {
        // R77
        struct ByHand: Decodable {
            var required: String?
            var present: String?
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                required = try container.decode(DocumentID<String>.self, forKey: "anything").wrappedValue
                present = try container.decodeIfPresent(DocumentID<String>.self, forKey: "id")?.wrappedValue
            }
        }
        let document = db.document("books/b1")
        let without = try decoded(ByHand.self, from: [String: Any](), in: document)
        #expect(without.required == "b1" && without.present == nil)
        #expect(try decoded(ByHand.self, from: ["id": 1], in: document).present == "b1")
    }

    @Test func `an assigned value stays until a document's replaces it`() throws {
        // R78: without the log entry.
        var book = Book(id: "mine", title: "x")
        #expect(book.id == "mine")
        book.id = "other"
        #expect(book.id == "other")
        book = try decoded(Book.self, from: try encoded(book), in: db.document("books/b1"))
        #expect(book.id == "b1")
    }

    @Test func `equality and hashing include the id`() {
        // R79
        struct Key: Hashable, Codable { @DocumentID var id: String? }
        #expect(Key(id: "a") == Key(id: "a"))
        #expect(Key(id: "a") != Key(id: "b"))
        #expect(Set([Key(id: "a"), Key(id: "a"), Key(id: "b"), Key()]).count == 3)
    }

    struct Shared: Codable, Sendable, Identifiable {
        @DocumentID var id: String?
        var title = "x"
        static let sample = Shared(id: "s")
    }

    @Test func `models with an id can be Sendable and Identifiable`() async {
        #expect(Shared.sample.title == "x")  // R79: a static let, in Swift 6 mode.
        let id: String? = Shared.sample.id  // R80
        #expect(id == "s")
        #expect([Shared.sample].map(\.id) == ["s"])
        #expect(Shared.ID.self == String?.self)
    }
}
