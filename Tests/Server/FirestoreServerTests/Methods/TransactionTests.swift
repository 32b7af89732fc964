// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Transactions on the wire (TX-1 … TX-10).
struct TransactionTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private func begin(_ options: RequestedTransactionMode = .readWrite(retrying: nil)) async throws -> ByteSlice {
        let request = BeginTransactionRequest(database: database, options: options)
        return try await server.unary(.beginTransaction, request, as: BeginTransactionResponse.self).transaction
    }

    private func commit(_ writes: [Write], in transaction: ByteSlice) async throws -> CommitMessage {
        try await server.unary(
            .commit, CommitRequest(database: database, writes: writes, transaction: transaction), as: CommitMessage.self)
    }

    private func rollback(_ transaction: ByteSlice) async throws {
        _ = try await server.unary(
            .rollback, RollbackRequest(database: database, transaction: transaction), as: EmptyMessage.self)
    }

    private func get(_ path: String, in transaction: ByteSlice) async throws -> Document {
        let request = GetDocumentRequest(
            database: database, key: DocumentKey(trusted: path), consistency: .transaction(transaction))
        return try await server.unary(.getDocument, request, as: DocumentResponse.self).document
    }

    // TX-3
    @Test func `documents that were read must be unchanged at the commit`() async throws {
        try await server.commit(.set("books/a", [("n", .integer(1))]))
        let (kept, lost) = (try await begin(), try await begin())
        _ = try await get("books/a", in: kept)
        _ = try await get("books/a", in: lost)
        _ = try await commit([.set("books/a", [("n", .integer(2))])], in: kept)
        #expect(await code { _ = try await commit([.set("books/a", [("n", .integer(3))])], in: lost) } == .aborted)
    }

    // TX-7
    @Test func `an id that is over, and one that never was`() async throws {
        let committed = try await begin()
        _ = try await commit([.set("books/a")], in: committed)
        let rolledBack = try await begin()
        try await rollback(rolledBack)
        for (token, expected) in [
            (committed, FirestoreError.Code.aborted), (rolledBack, .aborted), (ByteSlice(Array("nonsense".utf8)), .invalidArgument),
            (ByteSlice([UInt8](repeating: 7, count: 24)), .invalidArgument),
        ] {
            #expect(await code { _ = try await commit([.set("books/a")], in: token) } == expected)
            // Rolling back an ended transaction succeeds.
            #expect(await code { try await rollback(token) } == (expected == .aborted ? .ok : expected))
            #expect(await code { _ = try await get("books/a", in: token) } == expected)
        }
    }

    @Test func `the id of a transaction in another database is none here`() async throws {
        let other = DatabaseID(projectID: "other")
        let foreign = try await server.unary(
            .beginTransaction, BeginTransactionRequest(database: other, options: .readWrite(retrying: nil)),
            as: BeginTransactionResponse.self
        ).transaction
        #expect(await code { try await rollback(foreign) } == .invalidArgument)
    }

    @Test func `an id of an earlier run of the server is over`() throws {
        let id = TransactionID(5)
        let tokens = TransactionTokens(run: 1)
        let token = tokens.token(of: id, in: database, for: .administrator)
        #expect(try tokens.transaction(of: token, in: database, for: .administrator) == id)
        let error = #expect(throws: FirestoreError.self) { try TransactionTokens(run: 2).transaction(of: token, in: database, for: .administrator) }
        #expect(error?.code == .aborted)
        // OT-3
        let named = tokens.token(of: TransactionID(5), in: database, history: 7, for: .administrator)
        #expect(try tokens.transaction(of: named, in: database, history: 7, for: .administrator) == TransactionID(5))
        let restored = #expect(throws: FirestoreError.self) {
            try tokens.transaction(of: named, in: database, history: 8, for: .administrator)
        }
        #expect(restored?.code == .aborted && restored?.message.contains("restored") == true)
        #expect(try tokens.retried(named, in: database, history: 8, for: .administrator) == nil)
        #expect(try TransactionTokens(run: 2).retried(token, in: database, for: .administrator) == nil)
    }

    // TX-6
    @Test func `a read-only transaction commits without writes, and only so`() async throws {
        try await server.commit(.set("books/a", [("n", .integer(1))]))
        for reads in [true, false] {
            let transaction = try await begin(.readOnly(at: nil))
            if reads { _ = try await get("books/a", in: transaction) }
            try await server.commit(.set("books/a", [("n", .integer(reads ? 2 : 3))]))
            #expect(try await commit([], in: transaction).results.isEmpty)
            #expect(await code { _ = try await commit([], in: transaction) } == .aborted)
        }
        let transaction = try await begin(.readOnly(at: nil))
        #expect(await code { _ = try await commit([.set("books/a")], in: transaction) } == .invalidArgument)
        #expect(await code { _ = try await commit([], in: transaction) } == .aborted)
    }

    @Test func `a read-only transaction sees the past it asked for`() async throws {
        try await server.commit(.set("books/a", [("n", .integer(1))]))
        let then = try await server.get("books/a")
        try await server.commit(.set("books/a", [("n", .integer(2))]))
        let transaction = try await begin(.readOnly(at: then.updateTime.timestamp))
        #expect(try await get("books/a", in: transaction) == then)
        try await rollback(transaction)
    }

    // TX-9
    @Test func `retrying needs the id of a transaction there was`() async throws {
        let first = try await begin()
        #expect(await code { _ = try await begin(.readWrite(retrying: first)) } == .ok)
        #expect(await code { _ = try await begin(.readWrite(retrying: ByteSlice([1, 2, 3]))) } == .invalidArgument)
    }

    // QR-45
    @Test func `a read that begins a transaction returns its id first and nothing else`() async throws {
        try await server.commit(.set("books/a"))
        let get = BatchGetDocumentsRequest(
            database: database, keys: [DocumentKey(trusted: "books/a")], consistency: .newTransaction(.readWrite(retrying: nil)))
        let found: [BatchGetDocumentsResponse] = try await server.stream(.batchGetDocuments, get)
        #expect(found.count == 2)
        guard case .none = found[0].outcome, case .found = found[1].outcome, let token = found[0].transaction else {
            Issue.record("the first message tells the id, the second the document")
            return
        }
        _ = try await commit([.set("books/a", [("n", .integer(1))])], in: token)

        let query = RunQueryRequest(
            database: database, query: .all("books"), consistency: .newTransaction(.readOnly(at: nil)))
        let results: [RunQueryResponse] = try await server.stream(.runQuery, query)
        #expect(results.map { $0.transaction == nil } == [false, true])
        #expect(results.map { $0.document == nil } == [true, false])

        let count = RunAggregationQueryRequest(
            database: database, query: .all("books"), aggregations: [Aggregation(.count(upTo: nil))],
            consistency: .newTransaction(.readWrite(retrying: nil)))
        let numbers: [RunAggregationQueryResponse] = try await server.stream(.runAggregationQuery, count)
        #expect(numbers.map { $0.transaction == nil } == [false, true])
    }

    // TX-5
    @Test func `a document that enters a query's result later fails the commit`() async throws {
        let transaction = try await begin()
        let query = RunQueryRequest(database: database, query: .all("books"), consistency: .transaction(transaction))
        let _: [RunQueryResponse] = try await server.stream(.runQuery, query)
        try await server.commit(.set("books/new"))
        #expect(await code { _ = try await commit([.set("other/a")], in: transaction) } == .aborted)
    }
}
