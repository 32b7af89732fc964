// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// GetDocument, CreateDocument, UpdateDocument, DeleteDocument.
struct DocumentMethodTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    // QR-50
    @Test func `a missing document is not found`() async throws {
        #expect(await code { _ = try await server.get("books/a") } == .notFound)
    }

    @Test func `a document comes with its times, and through a mask in parts`() async throws {
        try await server.commit(.set("books/a", [("pages", .integer(3)), ("title", .string("Emma"))]))
        let whole = try await server.get("books/a")
        #expect(whole.createTime == whole.updateTime)
        #expect(whole.createTime > .none)
        let request = GetDocumentRequest(
            database: database, key: DocumentKey(trusted: "books/a"), mask: [FieldPathSegments("title"), FieldPathSegments("x")])
        let part = try await server.unary(.getDocument, request, as: DocumentResponse.self).document
        #expect(part.fields == .of([("title", .string("Emma"))]))
    }

    @Test func `gets that come together are answered together, each for itself`() async throws {
        try await server.commit(.set("books/a"), .set("books/c"))
        let keys = ["books/a", "books/b", "books/c", "books/a"]
        let calls = keys.map {
            server.call(.getDocument, GetDocumentRequest(database: database, key: DocumentKey(trusted: $0)))
        }
        let late = server.call(
            .getDocument, GetDocumentRequest(database: database, key: DocumentKey(trusted: "books/a")), deadline: .now - .seconds(1))
        server.start(.getDocument, calls + [late])
        var codes: [FirestoreError.Code] = []
        for call in calls + [late] { codes.append(await code { _ = try await call.result().get() }) }
        #expect(codes == [.ok, .notFound, .ok, .ok, .deadlineExceeded])
    }

    @Test func `gets that come together take no tasks, nor do the documents that rules read for them`() async throws {
        let folder = try ScratchFolder()
        let opening = DatabaseOpening(storage: .directory(folder.path), durability: .relaxed)
        // No call may start a task.
        let server = ServerFixture(opening, rules: RulesRegistry(try Ruled.rules(Ruled.standard)), maximumCalls: 0)
        let users = (0..<100).map { "user\($0)" }
        let writes = users.flatMap { [Write.set("roles/\($0)", [("reads", .boolean(true))]), .set("role/\($0)")] }
        let database = try await server.open()
        _ = try await database.commit(writes, context: .embedded)
        let calls = users.map { user in
            server.call(.getDocument, GetDocumentRequest(database: self.database, key: DocumentKey(trusted: "role/\(user)")), metadata: Ruled.user(user))
        }
        server.start(.getDocument, calls)
        for call in calls { #expect(await code { _ = try await call.result().get() } == .ok) }
        await server.service.databases.close()
    }

    // QR-48
    @Test func `a document is read at an earlier time`() async throws {
        try await server.commit(.set("books/a", [("edition", .integer(1))]))
        let first = try await server.get("books/a")
        try await server.commit(.set("books/a", [("edition", .integer(2))]))
        var request = GetDocumentRequest(
            database: database, key: first.key, consistency: .readTime(first.updateTime.timestamp))
        let earlier = try await server.unary(.getDocument, request, as: DocumentResponse.self).document
        #expect(earlier == first)
        request.consistency = .readTime(TimestampValue(seconds: first.updateTime.timestamp.seconds + 3_600, nanoseconds: 0))
        #expect(await code { _ = try await server.unary(.getDocument, request, as: DocumentResponse.self) } == .invalidArgument)
    }

    // WR-10, DM-14
    @Test func `creating makes a document once, and an id where there is none`() async throws {
        var request = CreateDocumentRequest(
            database: database, parent: DocumentKey(trusted: "books/a"), collectionID: "reviews", documentID: "first",
            fields: .of([("stars", .integer(5)), ("text", .string("good"))]), mask: [FieldPathSegments("stars")])
        let created = try await server.unary(.createDocument, request, as: DocumentResponse.self).document
        #expect(created.key.path == "books/a/reviews/first")
        #expect(created.fields == .of([("stars", .integer(5))]))
        let stored = try await server.get("books/a/reviews/first")
        #expect(stored.updateTime == created.updateTime)
        #expect(stored.createTime == created.createTime)
        #expect(await code { _ = try await server.unary(.createDocument, request, as: DocumentResponse.self) } == .alreadyExists)
        request.documentID = ""
        let named = try await server.unary(.createDocument, request, as: DocumentResponse.self).document
        #expect(named.key.id.utf8.count == 20)
    }

    @Test func `updating creates, merges by its mask, and answers with the document`() async throws {
        let key = DocumentKey(trusted: "books/a")
        func update(_ operation: Write.Operation, _ precondition: Precondition? = nil) async throws -> Document {
            let write = Write(key: key, operation: operation, precondition: precondition)
            let request = UpdateDocumentRequest(database: database, write: write)
            return try await server.unary(.updateDocument, request, as: DocumentResponse.self).document
        }
        let first = try await update(.set(.of([("a", .integer(1)), ("b", .integer(1))])))
        let merged = try await update(.patch(.of([("b", .integer(2))]), mask: [FieldPathSegments("b"), FieldPathSegments("c")]))
        #expect(merged.fields == .of([("a", .integer(1)), ("b", .integer(2))]))
        #expect(merged.createTime == first.createTime)
        #expect(merged.updateTime > first.updateTime)
        // WR-22: nothing changes, and nothing is said to have.
        let same = try await update(.set(merged.fields))
        #expect(same == merged)
        #expect(await code { _ = try await update(.set(.empty), .updateTime(first.updateTime)) } == .failedPrecondition)
        #expect(await code { _ = try await update(.set(.empty), .exists(false)) } == .alreadyExists)
    }

    // WR-20
    @Test func `deleting a missing document succeeds, unless it has to exist`() async throws {
        for (precondition, expected) in [
            (Precondition?.none, FirestoreError.Code.ok), (.exists(true), .notFound),
        ] {
            let request = DeleteDocumentRequest(database: database, write: .delete("books/a", precondition))
            #expect(await code { _ = try await server.unary(.deleteDocument, request, as: EmptyMessage.self) } == expected)
        }
        try await server.commit(.set("books/a"))
        let request = DeleteDocumentRequest(database: database, write: .delete("books/a", .exists(true)))
        _ = try await server.unary(.deleteDocument, request, as: EmptyMessage.self)
        #expect(await code { _ = try await server.get("books/a") } == .notFound)
    }
}
