// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

struct BatchGetDocumentsTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private func get(
        _ paths: [String], mask: [FieldPathSegments]? = nil, _ consistency: ConsistencySelector = .latest
    ) async throws -> [BatchGetDocumentsResponse] {
        let request = BatchGetDocumentsRequest(
            database: database, keys: paths.map { DocumentKey(trusted: $0) }, mask: mask, consistency: consistency)
        return try await server.stream(.batchGetDocuments, request)
    }

    private func outcomes(_ responses: [BatchGetDocumentsResponse]) -> [String] {
        responses.map { response in
            switch response.outcome {
            case .found(let document): document.key.path
            case .missing(let key): "(\(key.path))"
            case .none: "-"
            }
        }
    }

    // QR-50
    @Test func `found ones by name, then the missing, each once`() async throws {
        try await server.commit(.set("books/c"), .set("books/a"))
        let paths = ["books/z", "books/c", "books/b", "books/a", "books/c", "books/z"]
        let answers = try await get(paths)
        #expect(outcomes(answers) == ["books/a", "books/c", "(books/b)", "(books/z)"])
        #expect(answers.allSatisfy { $0.readTime != nil })
        #expect(try await get([]).isEmpty)
    }

    @Test func `a log longer than one read`() async throws {
        try await server.commit((0..<250).map { .set("books/\(1_000 + $0)") })
        let answers = try await get((0..<500).map { "books/\(1_000 + $0)" })
        #expect(outcomes(answers).prefix(250) == (0..<250).map { "books/\(1_000 + $0)" }[...])
        #expect(outcomes(answers).suffix(250) == (250..<500).map { "(books/\(1_000 + $0))" }[...])
        #expect(Set(answers.map(\.readTime)).count == 1)
    }

    @Test func `documents are read through a mask, and at an earlier time`() async throws {
        try await server.commit(.set("books/a", [("x", .integer(1)), ("y", .integer(1))]))
        let then = try await server.get("books/a").updateTime
        try await server.commit(.set("books/a", [("x", .integer(2))]))
        let answers = try await get(["books/a"], mask: [FieldPathSegments("x")], .readTime(then.timestamp))
        guard case .found(let document) = answers[0].outcome else {
            Issue.record("the document is missing")
            return
        }
        #expect(document.fields == .of([("x", .integer(1))]))
    }

    // QR-48
    @Test func `a read time has whole microseconds`() async throws {
        let time = TimestampValue(seconds: 1_700_000_000, nanoseconds: 1)
        #expect(await code { _ = try await get(["books/a"], .readTime(time)) } == .invalidArgument)
    }
}
