// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Reading documents (R98 … R102).
@Suite struct ReadingRuleTests {
    let db = Scratch.firestore()

    struct Book: Codable, Equatable, Sendable {
        @DocumentID var id: String?
        var title: String
    }
    struct Empty: Codable, Equatable {}
    struct OnlyID: Codable { @DocumentID var id: String? }

    private func stored(_ id: String = "b1", _ fields: [String: Any] = ["title": "x"]) async throws -> DocumentReference {
        let document = db.collection("books").document(id)
        try await document.setData(fields)
        return document
    }

    @Test func `a snapshot decodes itself, with its reference`() async throws {
        // R98
        let snapshot = try await stored().getDocument()
        #expect(try snapshot.data(as: Book.self) == Book(id: "b1", title: "x"))
        #expect(try snapshot.data(as: Book?.self) == Book(id: "b1", title: "x"))
        #expect(try snapshot.data(as: [String: String].self) == ["title": "x"])
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .custom { path in AnyKey(stringValue: path.last.map { $0.stringValue == "title" ? "name" : "?" } ?? "") }
        struct Named: Codable { var name: String }
        #expect(try snapshot.data(as: Named.self, with: .none, decoder: decoder).name == "x")
        #expect(try snapshot.data(as: Book.self, with: .estimate).title == "x")
    }

    @Test func `a query's documents decode one by one`() async throws {
        // R101
        _ = try await stored("b1")
        _ = try await stored("b2", ["title": "y"])
        let snapshot = try await db.collection("books").getDocuments()
        let books = try snapshot.documents.map { try $0.data(as: Book.self) }
        #expect(books == [Book(id: "b1", title: "x"), Book(id: "b2", title: "y")])
    }

    @Test func `a missing document is null`() async throws {
        // R98, R99
        let snapshot = try await db.document("books/none").getDocument()
        #expect(try snapshot.data(as: Book?.self) == nil)
        #expect(failureSummary { try snapshot.data(as: Book.self) } == "valueNotFound at root")
        #expect(failureSummary { try snapshot.data(as: [String: Int].self) } == "valueNotFound at root")
        #expect(try snapshot.data(as: Empty.self) == Empty())
        #expect(failureSummary { try snapshot.data(as: OnlyID.self) }.contains("valueNotFound"))
        #expect(codingFailure { try snapshot.data(as: Book.self) }?.names("books/none") == true)
    }

    @Test func `getDocument as a type`() async throws {
        // R100
        let document = try await stored()
        #expect(try await document.getDocument(as: Book.self) == Book(id: "b1", title: "x"))
        #expect(try await document.getDocument(as: Book?.self)?.title == "x")
        #expect(try await db.document("books/none").getDocument(as: Book?.self) == nil)
        let result: Result<Book, any Error> = await withCheckedContinuation { continuation in
            document.getDocument(as: Book.self) { continuation.resume(returning: $0) }
        }
        #expect(try result.get() == Book(id: "b1", title: "x"))
    }

    @Test func `fetching and decoding fail through the same door`() async throws {
        // R100
        let thrown = await failure { try await db.document("books/none").getDocument(as: Book.self) }
        #expect(CodingFailure(try #require(thrown)).summary == "valueNotFound at root")
        let bad = db.collection("books").document("a//b")
        #expect(isFailure(await failure { try await bad.getDocument(as: Book.self) }, .invalidArgument))
        let told: Result<Book, any Error> = await withCheckedContinuation { continuation in
            bad.getDocument(as: Book.self) { continuation.resume(returning: $0) }
        }
        guard case .failure(let error) = told else {
            Issue.record("no failure")
            return
        }
        #expect((error as NSError).domain == FirestoreErrorCode.errorDomain)
    }

    @Test func `callbacks come on the queue of the settings`() async throws {
        // R100
        let document = try await stored()
        let key = DispatchSpecificKey<Bool>()
        db.settings.dispatchQueue.setSpecific(key: key, value: true)
        let isOnQueue: Bool = await withCheckedContinuation { continuation in
            document.getDocument(as: Book.self) { _ in continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true) }
        }
        #expect(isOnQueue)
    }

    @Test func `a query returns the documents that decode and the errors of the others`() async throws {
        // R101
        _ = try await stored("b1")
        _ = try await stored("b2", ["title": 5])
        let snapshot = try await db.collection("books").getDocuments()
        let results = snapshot.documents.map { document in Result { try document.data(as: Book.self) } }
        #expect(try results[0].get().title == "x")
        guard case .failure(let error) = results[1] else {
            Issue.record("no failure")
            return
        }
        #expect(CodingFailure(error).names("books/b2", "title", "integer", "String"))
    }

    @Test func `the decoder takes any dictionary`() throws {
        // R102
        struct Plain: Codable, Equatable { var title: String }
        #expect(try Firestore.Decoder().decode(Plain.self, from: ["title": "x"]) == Plain(title: "x"))
        let dictionary: [String: Any] = ["title": NSString("x"), "other": NSNull()]
        #expect(try Firestore.Decoder().decode(Plain.self, from: dictionary) == Plain(title: "x"))
        #expect(try Firestore.Decoder().decode(Plain.self, from: NSDictionary(dictionary: ["title": "x"])) == Plain(title: "x"))
        #expect(try Firestore.Decoder().decode(Book.self, from: ["title": "x"], in: db.document("books/b7")) == Book(id: "b7", title: "x"))
        #expect(failureSummary { try Firestore.Decoder().decode(Plain.self, from: "x") } == "typeMismatch at root")
        #expect(failureSummary { try Firestore.Decoder().decode(Plain.self, from: [1]) } == "typeMismatch at root")
    }
}
