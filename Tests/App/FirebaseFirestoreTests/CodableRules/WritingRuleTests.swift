// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Writing documents (R103 … R107).
@Suite struct WritingRuleTests {
    let db = Scratch.firestore()

    struct Book: Codable, Equatable {
        @DocumentID var id: String?
        var title = "x"
        var pages: Int?
        var inner: [String: Int]?
        var list: [Int]?
    }
    struct Refused: Codable { var price = Double.nan }

    private func text(_ document: DocumentReference) async throws -> String {
        try await document.firestore.waitForPendingWrites()
        return fieldText(try await document.getDocument().data())
    }

    // MARK: The calls

    @Test func `a reference is set from a value, in three forms`() async throws {
        // R103
        let document = db.document("books/b")
        try document.setData(from: Book(id: "other", title: "a", pages: 1))
        #expect(try await text(document) == "{pages: 1, title: \"a\"}")
        try document.setData(from: Book(title: "b"), merge: true)
        #expect(try await text(document) == "{pages: 1, title: \"b\"}")
        try document.setData(from: Book(title: "c"), merge: false)
        #expect(try await text(document) == "{title: \"c\"}")
        try document.setData(from: Book(title: "d", pages: 9), mergeFields: ["pages"])
        #expect(try await text(document) == "{pages: 9, title: \"c\"}")
    }

    @Test func `a collection gets a document from a value`() async throws {
        // R103
        let reference = try db.collection("books").addDocument(from: Book(title: "added"))
        #expect(try await reference.getDocument(as: Book.self) == Book(id: reference.documentID, title: "added"))
        let told: (any Error)?? = await completion { done in
            _ = try? db.collection("books").addDocument(from: Book()) { done(.some($0)) }
        }
        #expect(told != nil && told! == nil)
    }

    @Test func `custom encoders are used`() async throws {
        // R103
        let document = db.document("books/b")
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .custom { path in AnyKey(stringValue: path.last?.stringValue.uppercased() ?? "") }
        try document.setData(from: Book(), encoder: encoder)
        #expect(try await text(document) == "{TITLE: \"x\"}")
        try document.setData(from: Book(pages: 2), merge: true, encoder: encoder)
        #expect(try await text(document) == "{PAGES: 2, TITLE: \"x\"}")
        try document.setData(from: Book(pages: 3), mergeFields: ["PAGES"], encoder: encoder)
        #expect(try await text(document) == "{PAGES: 3, TITLE: \"x\"}")
        let added = try db.collection("books").addDocument(from: Book(), encoder: encoder)
        #expect(try await text(added) == "{TITLE: \"x\"}")
    }

    @Test func `batches set from values, in three forms, and continue`() async throws {
        // R103, R106
        let (a, b, c) = (db.document("books/a"), db.document("books/b"), db.document("books/c"))
        try await b.setData(["pages": 7])
        let batch = db.batch()
        let same = try batch.setData(from: Book(title: "a"), forDocument: a)
        #expect(same === batch)
        try batch.setData(from: Book(title: "b"), forDocument: b, merge: true)
            .setData(from: Book(title: "c", pages: 1), forDocument: c, mergeFields: ["title"])
        try await batch.commit()
        #expect(try await text(a) == "{title: \"a\"}")
        #expect(try await text(b) == "{pages: 7, title: \"b\"}")
        #expect(try await text(c) == "{title: \"c\"}")
    }

    @Test func `transactions set from values, in three forms`() async throws {
        // R103, R106
        let (a, b, c) = (db.document("books/a"), db.document("books/b"), db.document("books/c"))
        try await b.setData(["pages": 7])
        _ = try await db.runTransaction { transaction, errorPointer in
            do {
                let pages = try transaction.getDocument(b)["pages"] as? Int
                let same = try transaction.setData(from: Book(title: "a", pages: pages), forDocument: a)
                #expect(same === transaction)
                try transaction.setData(from: Book(title: "b"), forDocument: b, merge: true)
                try transaction.setData(from: Book(title: "c", pages: 1), forDocument: c, mergeFields: ["title"])
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(try await text(a) == "{pages: 7, title: \"a\"}")
        #expect(try await text(b) == "{pages: 7, title: \"b\"}")
        #expect(try await text(c) == "{title: \"c\"}")
    }

    @Test func `a value can update a document that exists`() async throws {
        // R103: the original has no such call.
        let document = db.document("books/b")
        try await document.setData(["title": "a", "pages": 1, "inner": ["k": 1]])
        try document.updateData(from: Book(title: "b", inner: ["l": 2]))
        let fields = try #require(try await document.getDocument().data())
        #expect(fieldText(fields["title"]) == "\"b\"" && fieldText(fields["pages"]) == "1")
        let receipt = try db.document("books/none").updateData(from: Book())
        #expect(isFailure(await failure { try await receipt.acknowledged }, .notFound))
    }

    // MARK: Two channels

    @Test func `encoding errors are thrown before anything is sent, and the completion is not called`() async throws {
        // R104
        let document = db.document("books/refused")
        let calls = Collector<Bool>()
        #expect(throws: EncodingError.self) { try document.setData(from: Refused()) { _ in calls.append(true) } }
        #expect(throws: EncodingError.self) { try document.setData(from: Refused(), merge: true) { _ in calls.append(true) } }
        #expect(throws: EncodingError.self) { try db.collection("books").addDocument(from: Refused()) { _ in calls.append(true) } }
        // Callbacks come in order on one queue: were there one, it would have come before this.
        let told: (any Error)?? = await completion { done in _ = try? document.setData(from: Book()) { done(.some($0)) } }
        #expect(told != nil && told! == nil)
        #expect(calls.elements.isEmpty)
        #expect(try await db.collection("books").getDocuments().count == 1)
    }

    @Test func `a rejection reaches the completion and the receipt only`() async throws {
        // R104
        let bad = db.collection("books").document("a//b")
        let told: (any Error)?? = await completion { done in _ = try? bad.setData(from: Book()) { done(.some($0)) } }
        #expect(isFailure(told ?? nil, .invalidArgument))
        let receipt = try bad.setData(from: Book())
        #expect(isFailure(await failure { try await receipt.acknowledged }, .invalidArgument))
    }

    @Test func `the call returns immediately, reads see the data, and the receipt says when it is safe`() async throws {
        // R105: the receipt.
        let document = db.document("books/b")
        let receipt = try document.setData(from: Book(title: "now"))
        #expect(try await document.getDocument(as: Book.self).title == "now")
        try await receipt.saved
        try await receipt.acknowledged
        try await document.setData(try Firestore.Encoder().encode(Book(title: "awaited")))
        #expect(try await document.getDocument(as: Book.self).title == "awaited")
    }

    @Test func `a value that cannot be encoded leaves a batch and a transaction unchanged`() async throws {
        // R106
        let (a, b) = (db.document("books/a"), db.document("books/b"))
        let batch = db.batch()
        try batch.setData(from: Book(title: "a"), forDocument: a)
        #expect(throws: EncodingError.self) { try batch.setData(from: Refused(), forDocument: b) }
        try await batch.commit()
        #expect(try await text(a) == "{title: \"a\"}")
        #expect(try await !b.getDocument().exists)

        _ = try await db.runTransaction { transaction, errorPointer in
            _ = try? transaction.setData(from: Refused(), forDocument: b)
            do { try transaction.setData(from: Book(title: "t"), forDocument: a) } catch { errorPointer?.pointee = error as NSError }
            return nil
        }
        #expect(try await text(a) == "{title: \"t\"}")
        #expect(try await !b.getDocument().exists)
    }

    @Test func `in a transaction the error goes through the pointer`() async throws {
        // R106
        let document = db.document("books/a")
        let error = await failure {
            _ = try await db.runTransaction { transaction, errorPointer in
                do {
                    try transaction.setData(from: Book(), forDocument: document)
                    try transaction.setData(from: Refused(), forDocument: document)
                } catch {
                    errorPointer?.pointee = error as NSError
                }
                return nil
            }
        }
        #expect(error != nil)
        #expect(try await !document.getDocument().exists)
    }

    // MARK: merge and mergeFields (R107)

    @Test func `merge writes every existing leaf`() async throws {
        struct Model: Codable {
            var a: Int?
            var map: [String: Int]?
            var list: [Int]?
            var empty: [String: Int]?
            @ExplicitNull var null: String?
            @ServerTimestamp var at: Date?
        }
        let document = db.document("merge/m")
        try await document.setData(["a": 1, "map": ["x": 1, "y": 1], "list": [1, 2], "empty": ["k": 1], "null": "v", "at": 0, "keep": true])
        try document.setData(from: Model(map: ["y": 2, "z": 3], list: [9], empty: [:]), merge: true)  // R107
        try await db.waitForPendingWrites()
        var data = try #require(try await document.getDocument().data())
        #expect(data.removeValue(forKey: "at") is Timestamp)
        #expect(fieldText(data) == "{a: 1, empty: {}, keep: true, list: [9], map: {x: 1, y: 2, z: 3}, null: null}")
    }

    @Test func `mergeFields writes the listed fields only, by their encoded names`() async throws {
        // R107
        struct Model: Codable {
            enum CodingKeys: String, CodingKey { case first = "the_first", second, dotted = "a.b" }
            var first = 1
            var second = ["x": 1]
            var dotted = 2
        }
        let document = db.document("merge/f")
        try await document.setData(["second": ["y": 1], "other": 1])
        try document.setData(from: Model(), mergeFields: ["the_first", FieldPath(["a.b"])])
        #expect(try await text(document) == "{a.b: 2, other: 1, second: {y: 1}, the_first: 1}")
        try document.setData(from: Model(second: ["x": 5]), mergeFields: ["second.x"])
        #expect(try await text(document) == "{a.b: 2, other: 1, second: {x: 5, y: 1}, the_first: 1}")
    }

    @Test func `a listed field that encodes to nothing is rejected by name`() async throws {
        // R107: the process ends in the original.
        let document = db.document("merge/n")
        for name in ["pages", "id", "nowhere"] {
            let error = await failure { try await document.setData(from: Book(), mergeFields: ["title", name]).acknowledged }
            #expect(isFailure(error, .invalidArgument, naming: name))
        }
        #expect(try await !document.getDocument().exists)
    }

    @Test func `a delete is legal only when merging`() async throws {
        // R107, R109
        struct Drop: Encodable {
            var pages = FieldValue.delete()
            var title = "left"
        }
        let document = db.document("merge/d")
        try await document.setData(["pages": 5, "title": "x", "more": 1])
        try document.setData(from: Drop(), merge: true)
        #expect(try await text(document) == "{more: 1, title: \"left\"}")
        try await document.setData(["pages": 5, "title": "x"])
        try document.setData(from: Drop(), mergeFields: ["pages"])
        #expect(try await text(document) == "{title: \"x\"}")
        let error = await failure { try await document.setData(from: Drop()).acknowledged }
        #expect(isFailure(error, .invalidArgument, naming: "pages"))
        #expect(try await text(document) == "{title: \"x\"}")
    }
}
