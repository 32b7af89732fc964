// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRules
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// What a transaction reveals about documents that the rules hide from the caller.
struct TransactionTests {
    static let rules = """
        match /secret/{id} { allow read: if get(/databases/$(db)/documents/roles/x).data.isOpen == true; }
        match /c/{id} { allow read; allow write: if id != 'no'; }
        """

    enum Read: CaseIterable {
        case documents, query, pages, count

        func run(_ service: any DocumentService, in id: TransactionID) async throws {
            let (options, context) = (ReadOptions.transaction(id), RequestContext.anonymous)
            switch self {
            case .documents: _ = try await service.documents([key("c/a"), key("secret/x")], options: options, context: context)
            case .query: _ = try await service.run(.collection("secret"), options: options, context: context)
            case .pages: try await service.run(.collection("secret"), options: options, context: context) { _ in .next }
            case .count:
                let count = [Aggregation(.count(upTo: nil))]
                _ = try await service.aggregate(.collection("secret"), count, options: options, context: context)
            }
        }
    }

    @Test(arguments: Read.allCases, [false, true])
    func `a commit does not reveal whether a document has changed if its read was denied`(read: Read, isFirst: Bool) async throws {
        let database = try await RuledDatabase(Self.rules)
        let service = database.service
        try await database.fill(.set("secret/x", ("n", .integer(0))), .set("roles/x", ("isOpen", .boolean(false))))
        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .anonymous)
        if !isFirst { _ = try await service.documents([key("c/b")], options: .transaction(id), context: .anonymous) }
        await expectError(.permissionDenied) { try await read.run(service, in: id) }
        try await database.fill(.set("secret/x", ("n", .integer(1))), .set("c/a"))
        _ = try await service.commit([], in: id, context: .anonymous)
        await database.close()
    }

    @Test(arguments: Read.allCases)
    func `a commit depends on documents that were read by a grant`(read: Read) async throws {
        let database = try await RuledDatabase(Self.rules)
        let service = database.service
        try await database.fill(.set("secret/x", ("n", .integer(0))), .set("roles/x", ("isOpen", .boolean(true))))
        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .anonymous)
        try await read.run(service, in: id)
        try await database.fill(.set("secret/x", ("n", .integer(1))))
        await expectError(.aborted) { try await service.commit([.set("c/b")], in: id, context: .anonymous) }
        await database.close()
    }

    @Test func `a denied commit does not reveal whether its reads are out of date`() async throws {
        let database = try await RuledDatabase(Self.rules)
        let service = database.service
        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .anonymous)
        _ = try await service.documents([key("c/a")], options: .transaction(id), context: .anonymous)
        try await database.fill(.set("c/a"))
        await expectError(.permissionDenied) { try await service.commit([.set("c/no")], in: id, context: .anonymous) }
        #expect(!database.engine.hasOpenTransactions)
        await database.close()
    }

    /// What is granted now, and was not when the transaction first read.
    @Test func `a read is judged at the moment of its transaction`() async throws {
        let database = try await RuledDatabase(Self.rules)
        let service = database.service
        try await database.fill(.set("secret/x", ("n", .integer(0))), .set("roles/x", ("isOpen", .boolean(false))))
        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .anonymous)
        _ = try await service.documents([key("c/b")], options: .transaction(id), context: .anonymous)
        try await database.fill(.set("roles/x", ("isOpen", .boolean(true))))
        await expectError(.permissionDenied) { try await Read.documents.run(service, in: id) }
        // The transaction has ended: whether the document has changed since, its commit does not reveal.
        await expectError(.aborted) { _ = try await service.commit([], in: id, context: .anonymous) }
        await database.close()
    }

    @Test func `clients of one document retry immediately, and all succeed`() async throws {
        let database = try await RuledDatabase("match /c/{id} { allow read, write; }")
        let service = database.service
        try await database.fill(.set("c/a", ("n", .integer(0))))
        let committed = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var first: TransactionID?
                    for _ in 0..<5 {
                        let id = try await service.beginTransaction(.readWrite(retrying: first), context: .anonymous)
                        first = first ?? id
                        let found = try await service.documents([key("c/a")], options: .transaction(id), context: .anonymous)
                        guard case .integer(let number)? = try found.documents[0]?.fields.map["n"] else { return 0 }
                        await Task.yield()
                        do {
                            _ = try await service.commit([.set("c/a", ("n", .integer(number + 1)))], in: id, context: .anonymous)
                            return 1
                        } catch let error as FirestoreError {
                            guard error.code == .aborted else { throw error }
                        }
                    }
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(committed == 8)
        await database.close()
    }
}
