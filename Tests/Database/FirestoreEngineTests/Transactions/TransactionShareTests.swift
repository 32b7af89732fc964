// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// What callers leave to each other of the table of transactions.
struct TransactionShareTests {
    private typealias Share = TransactionLimits.Share

    private static let readWrite = TransactionMode.readWrite(retrying: nil)
    private static let (alice, bob) = (caller("alice"), caller("bob"))
    private static let anonymous = SequenceOwner(.anonymous)

    private static func caller(_ id: String) -> SequenceOwner { SequenceOwner(.user(id: id, claims: FieldMap())) }

    private static func limits(bytes: Int = 1_000, totalBytes: Int = .max / 2) -> TransactionLimits {
        func share(_ transactions: Int, _ tenths: Int) -> Share { Share(transactions: transactions, bytes: totalBytes / 10 * tenths) }
        return TransactionLimits(
            lifetime: 1_000, idle: 640, bytes: bytes, total: share(10, 10), user: share(2, 2), anonymous: share(5, 5),
            withoutAdministrators: share(8, 8))
    }

    /// One document, of 100 bytes.
    private static func read(_ number: Int) -> ReadDependency {
        let key = DocumentKey(trusted: "c/" + String(repeating: "x", count: 31) + "\(number)")
        return .documents([(key, DocumentVersion(microseconds: 1))])
    }

    private func code(_ body: () throws(FirestoreError) -> Void) -> FirestoreError.Code? {
        do throws(FirestoreError) { try body() } catch { return error.code }
        return nil
    }

    @Test func `a caller opens as many transactions as its share has`() throws {
        var table = TransactionTable(limits: Self.limits(), first: 1)
        func opened(_ caller: SequenceOwner, _ table: inout TransactionTable) -> Int {
            var count = 0
            while count < 20, (try? table.begin(Self.readWrite, owner: 1, caller: caller, now: 0)) != nil { count += 1 }
            return count
        }
        #expect(opened(Self.anonymous, &table) == 5)
        #expect(opened(Self.alice, &table) == 2)
        // The last one of all users.
        #expect(opened(Self.bob, &table) == 1)
        #expect(opened(.administrator, &table) == 2)
        #expect(code { () throws(FirestoreError) in _ = try table.begin(Self.readWrite, owner: 1, caller: Self.bob, now: 0) }
            == .resourceExhausted)
        #expect(table.openCount == 10)
    }

    @Test func `every end of a transaction releases its caller's capacity`() throws {
        var table = TransactionTable(limits: Self.limits(totalBytes: 1_000), first: 1)
        for round in 0..<40 {
            let now = Int64(round) * 1_000
            for _ in 0..<2 {
                let id = try table.begin(Self.readWrite, owner: 7, caller: Self.alice, now: now)
                try table.add(Self.read(1), at: .none, to: id, now: now)
                switch round % 5 {
                case 0: _ = try table.commit(id, isWriting: true, now: now)
                case 1: try table.rollback(id, now: now)
                case 2: #expect(code { () throws(FirestoreError) in _ = try table.snapshot(of: id, now: now + 640) } == .aborted)
                default: break
                }
            }
            if round % 5 == 3 { #expect(table.end(owner: 7).count == 2) }
        }
    }

    @Test func `a transaction that has read too much ends`() throws {
        var table = TransactionTable(limits: Self.limits(bytes: 300), first: 1)
        let id = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 0)
        for number in 0..<3 { try table.add(Self.read(number), at: .none, to: id, now: 0) }
        // The same documents again are stored once.
        for number in 0..<3 { try table.add(Self.read(number), at: .none, to: id, now: 0) }
        #expect(code { () throws(FirestoreError) in try table.add(Self.read(3), at: .none, to: id, now: 0) } == .invalidArgument)
        #expect(table.openCount == 0)
        #expect(code { () throws(FirestoreError) in _ = try table.snapshot(of: id, now: 0) } == .aborted)
    }

    @Test func `the reads of a caller's transactions are bounded, and others continue to read`() throws {
        var table = TransactionTable(limits: Self.limits(totalBytes: 1_000), first: 1)
        let first = try table.begin(Self.readWrite, owner: 1, caller: Self.alice, now: 0)
        let second = try table.begin(Self.readWrite, owner: 1, caller: Self.alice, now: 0)
        try table.add(Self.read(0), at: .none, to: first, now: 0)
        try table.add(Self.read(1), at: .none, to: first, now: 0)
        #expect(code { () throws(FirestoreError) in try table.add(Self.read(2), at: .none, to: second, now: 0) } == .resourceExhausted)
        #expect(table.openCount == 1)
        let other = try table.begin(Self.readWrite, owner: 1, caller: Self.bob, now: 0)
        try table.add(Self.read(2), at: .none, to: other, now: 0)
        // An expired transaction releases capacity.
        let third = try table.begin(Self.readWrite, owner: 1, caller: Self.alice, now: 700)
        try table.add(Self.read(3), at: .none, to: third, now: 700)
    }

    @Test func `queries weigh as much as their filters and the last document of their result`() {
        func weight(_ value: Int, limit: Int?, last: Int) -> Int {
            let filter = QueryFilter.field(FieldPathSegments("a"), .lessThan, ValueBytes(.string(String(repeating: "x", count: value))))
            let query = StructuredQuery(scope: .collection(CollectionPath(trusted: "c")), filter: filter, limit: limit)
            let fields = FieldBytes(FieldMap([("a", .string(String(repeating: "a", count: last)))]))
            let version = DocumentVersion(microseconds: 1)
            let document = Document(key: DocumentKey(trusted: "c/a"), createTime: version, updateTime: version, fields: fields)
            return QueryDependency(query, result: [document], database: DatabaseID(projectID: "p")).weight
        }
        #expect(weight(100_000, limit: nil, last: 0) >= 100_000)
        #expect(weight(0, limit: 1, last: 500_000) >= 500_000)
        #expect(weight(0, limit: 2, last: 500_000) < 10_000)
    }

    @Test func `a read that ends its transaction reports it`() async throws {
        var configuration = try EngineConfiguration(location: EngineStores.place(), databaseID: DatabaseID(projectID: "p"))
        configuration.transactions.bytes = 1_000
        let engine = try Engine.open(configuration)
        let id = try await engine.beginTransaction(Self.readWrite, context: .embedded)
        let keys = (0..<20).map { DocumentKey(trusted: "c/\($0)") }
        await expectError(.invalidArgument) { try await engine.documents(keys, options: .transaction(id), context: .embedded) }
        #expect(!engine.hasOpenTransactions)
        await expectError(.aborted) { try await engine.commit([], in: id, context: .embedded) }
        await engine.shutdown()
    }

    @Test func `one caller's transactions leave capacity for others`() async throws {
        var configuration = try EngineConfiguration(location: EngineStores.place(), databaseID: DatabaseID(projectID: "p"))
        configuration.transactions.anonymous.transactions = 3
        let engine = try Engine.open(configuration)
        let stranger = RequestContext(caller: .anonymous)
        for _ in 0..<3 { _ = try await engine.beginTransaction(.readOnly(at: nil), context: stranger) }
        await expectError(.resourceExhausted) { try await engine.beginTransaction(Self.readWrite, context: stranger) }
        _ = try await engine.beginTransaction(Self.readWrite, context: .embedded)
        let user = RequestContext(caller: .user(id: "alice", claims: FieldMap()))
        _ = try await engine.beginTransaction(Self.readWrite, context: user)
        await engine.shutdown()
    }
}
