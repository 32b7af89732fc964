// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Reading documents into types: R98 … R102.
@Suite struct DecodedReadsTests {
    struct Book: Codable, Equatable {
        @DocumentID var id: String?
        var title: String
        var pages: Int
    }

    struct OnlyID: Codable { @DocumentID var id: String? }
    struct Nothing: Codable {}

    let db = Scratch.firestore()
    var books: CollectionReference { db.collection("books") }

    private func fill() async throws {
        try await books.document("good").setData(["title": "A", "pages": 1])
        try await books.document("other").setData(["title": "B", "pages": 2])
        try await books.document("wrong").setData(["title": "C", "pages": "many"])
    }

    @Test func `a snapshot decodes with its reference`() async throws {
        try await fill()
        let snapshot = try await books.document("good").getDocument()
        let expected = Book(id: "good", title: "A", pages: 1)
        #expect(try snapshot.data(as: Book.self) == expected)  // R98
        #expect(try snapshot.data(as: Book.self, with: .estimate, decoder: Firestore.Decoder()) == expected)
        #expect(try await books.document("good").getDocument(as: Book.self) == expected)  // R100
        #expect(try await books.document("good").getDocument(as: Book.self, with: .none, source: Mode.can(.oneAuthority) ? .cache : .server) == expected)
    }

    @Test func `a missing document is nil for optionals and valueNotFound for the rest`() async throws {
        // R99
        let missing = try await books.document("none").getDocument()
        #expect(try missing.data(as: Book?.self) == nil)
        let errors: [(any Error)?] = [
            await failure { try missing.data(as: Book.self) },
            await failure { try missing.data(as: [String: Int].self) },
            await failure { try missing.data(as: OnlyID.self) },
            await failure { try await books.document("none").getDocument(as: Book.self) },
        ]
        for error in errors {
            guard case DecodingError.valueNotFound(_, let context)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.codingPath.isEmpty)
            #expect(context.debugDescription.contains("books/none"))
        }
        _ = try missing.data(as: Nothing.self)
        #expect(try await books.document("none").getDocument(as: Book?.self) == nil)
    }

    @Test func `the completion form delivers values, decoding errors and read errors alike`() async throws {
        try await fill()
        let good: Result<Book, any Error> = await completion { done in
            books.document("good").getDocument(as: Book.self) { done($0) }
        }
        #expect(try good.get().id == "good")
        let wrong: Result<Book, any Error> = await completion { done in
            books.document("wrong").getDocument(as: Book.self) { done($0) }
        }
        guard case .failure(DecodingError.typeMismatch(_, let context)) = wrong else {
            Issue.record("\(wrong)")
            return
        }
        for word in ["books/wrong", "pages"] { #expect(context.debugDescription.contains(word)) }
        #expect(!context.debugDescription.contains("many"))
        let bad: Result<Book?, any Error> = await completion { done in
            db.document("bad").getDocument(as: Book?.self) { done($0) }
        }
        guard case .failure(let error) = bad else {
            Issue.record("\(bad)")
            return
        }
        #expect(isFailure(error, .invalidArgument))
        let missing: Result<Book?, any Error> = await completion { done in
            books.document("none").getDocument(as: Book?.self) { done($0) }
        }
        #expect(try missing.get() == nil)
    }

    @Test func `a result decodes document by document`() async throws {
        try await fill()
        let snapshot = try await books.getDocuments()
        #expect(throws: DecodingError.self) { try snapshot.documents.map { try $0.data(as: Book.self) } }  // R101
        let decoded = snapshot.documents(as: Book.self)
        #expect(decoded.values.map(\.id) == ["good", "other"])
        #expect(decoded.failures.map(\.document.documentID) == ["wrong"])
        #expect(decoded.failures.first?.error is DecodingError)
    }

    @Test func `decoded sequences continue past documents that do not decode`() async throws {
        try await fill()
        var iterator = books.snapshots(as: Book.self).makeAsyncIterator()
        var decoded = try #require(try await iterator.next())
        #expect(decoded.values.count == 2 && decoded.failures.count == 1)
        try await books.document("wrong").updateData(["pages": 3])
        decoded = try #require(try await iterator.next())
        #expect(decoded.values.count == 3 && decoded.failures.isEmpty)

        var single = books.document("wrong").snapshots(as: Book.self).makeAsyncIterator()
        #expect(try await single.next()?.get().pages == 3)
        try await books.document("wrong").updateData(["pages": "many"])
        let failed = try #require(try await single.next())
        #expect(throws: DecodingError.self) { try failed.get() }
        try await books.document("wrong").updateData(["pages": 4])
        #expect(try await single.next()?.get().pages == 4)
    }
}
