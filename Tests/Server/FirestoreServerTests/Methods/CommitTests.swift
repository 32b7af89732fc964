// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Commit and BatchWrite.
struct CommitTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private func commit(_ writes: Write...) async throws -> CommitMessage {
        try await server.unary(.commit, CommitRequest(database: database, writes: writes), as: CommitMessage.self)
    }

    // WR-15, WR-16
    @Test func `a commit answers with a result per write and its time`() async throws {
        let increment = FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(2)))
        let answer = try await commit(
            .set("books/a"), .delete("books/b"),
            Write(key: DocumentKey(trusted: "books/c"), operation: .patch(.empty, mask: []), transforms: [increment]))
        let time = try #require(answer.commitTime)
        #expect(answer.results.map(\.updateTime) == [time, nil, time])
        guard case .integer(2)? = answer.results[2].transformResults.first else {
            Issue.record("the transform's result is missing")
            return
        }
    }

    // WR-19
    @Test func `a commit of nothing has no time`() async throws {
        _ = try await server.open()
        let answer = try await commit()
        #expect(answer.results.isEmpty)
        #expect(answer.commitTime == nil)
    }

    // WR-14, WR-21
    @Test func `a commit that fails leaves nothing behind`() async throws {
        #expect(await code { _ = try await commit(.set("books/a"), .set("books/b", [], .exists(true))) } == .notFound)
        #expect(await code { _ = try await server.get("books/a") } == .notFound)
    }

    @Test(arguments: [
        (Precondition.exists(false), FirestoreError.Code.alreadyExists),
        (.updateTime(DocumentVersion(microseconds: 1_000_000)), .failedPrecondition),
        (.exists(true), .ok),
    ])
    func `a precondition is checked against the stored document (WR-11)`(precondition: Precondition, expected: FirestoreError.Code) async throws {
        _ = try await commit(.set("books/a"))
        #expect(await code { _ = try await commit(.set("books/a", [("n", .integer(1))], precondition)) } == expected)
    }

    @Test func `commits that come together are applied in their order`() async throws {
        let calls = (1...20).map { number in
            server.call(
                .commit,
                CommitRequest(database: database, writes: [.set("books/a", [("n", .integer(Int64(number)))])]))
        }
        _ = try await server.open()
        server.start(.commit, calls)
        var times: [DocumentVersion] = []
        for call in calls {
            let message = try CommitMessage(decoding: ByteSlice(try await call.result().get()))
            times.append(try #require(message.commitTime))
        }
        #expect(times == times.sorted() && Set(times).count == times.count)
        guard case .integer(20)? = try await server.get("books/a")["n"] else {
            Issue.record("the last write is not the last")
            return
        }
    }

    // WR-24, WR-25
    @Test func `a batch has a result per write, whatever becomes of the others`() async throws {
        try await server.commit(.set("books/a"))
        let request = BatchWriteRequest(
            database: database,
            writes: [
                .set("books/a", [], .exists(false)), .set("books/b"), .set("books/c", [], .exists(true)), .delete("books/d"),
                .set("books/e", [], .updateTime(DocumentVersion(microseconds: 1_000_000))),
            ])
        let answer = try await server.unary(.batchWrite, request, as: BatchWriteResponse.self)
        let codes = answer.results.map { result -> FirestoreError.Code in
            switch result {
            case .success: .ok
            case .failure(let error): error.code
            }
        }
        #expect(codes == [.alreadyExists, .ok, .notFound, .ok, .failedPrecondition])
        _ = try await server.get("books/b")
    }

    @Test func `a batch that names a document twice does nothing`() async throws {
        let request = BatchWriteRequest(database: database, writes: [.set("books/a"), .set("books/b"), .delete("books/a")])
        #expect(await code { _ = try await server.unary(.batchWrite, request, as: BatchWriteResponse.self) } == .invalidArgument)
        #expect(await code { _ = try await server.get("books/b") } == .notFound)
    }

    // WR-26
    @Test func `a batch of nothing has no results`() async throws {
        let answer = try await server.unary(
            .batchWrite, BatchWriteRequest(database: database, writes: []), as: BatchWriteResponse.self)
        #expect(answer.results.isEmpty)
    }
}
