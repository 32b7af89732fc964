// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// What every `DocumentService` does with transactions.
@Suite struct TransactionContractTests {
    private static let readWrite = TransactionMode.readWrite(retrying: nil)

    @Test("a transaction reads one moment and its commit holds if nothing it read has changed", arguments: ServiceMode.allCases)
    func snapshot(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/a", ("n", .integer(1))), .set("c/b", ("n", .integer(1))))
            let id = try await service.beginTransaction(Self.readWrite, context: .embedded)
            #expect(try await service.get("c/a", at: .transaction(id))?.text("n") == text(.integer(1)))
            try await service.commit(.set("c/b", ("n", .integer(2))))
            #expect(try await service.get("c/b", at: .transaction(id))?.text("n") == text(.integer(1)))
            await expectError(.aborted) { try await service.commit([.set("c/x")], in: id, context: .embedded) }
            #expect(try await service.get("c/x") == nil)

            let again = try await service.beginTransaction(.readWrite(retrying: id), context: .embedded)
            #expect(try await service.get("c/b", at: .transaction(again))?.text("n") == text(.integer(2)))
            _ = try await service.commit([.set("c/x")], in: again, context: .embedded)
            #expect(try await service.get("c/x") != nil)
        }
    }

    @Test("a document that would newly belong to a query of the transaction aborts it (TX-5); others do not", arguments: ServiceMode.allCases)
    func phantom(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/a", ("n", .integer(1))))
            let query = StructuredQuery.collection("c").filter("n", .lessThan, .integer(10))
            for (write, aborts) in [(Write.set("c/b", ("n", .integer(2))), true), (.set("c/d", ("n", .integer(20))), false), (.set("d/a"), false), (.delete("c/a"), true)] {
                let id = try await service.beginTransaction(Self.readWrite, context: .embedded)
                _ = try await service.paths(query, at: .transaction(id))
                try await service.commit(write)
                if aborts {
                    await expectError(.aborted) { try await service.commit([.set("x/x")], in: id, context: .embedded) }
                } else {
                    _ = try await service.commit([.set("x/x")], in: id, context: .embedded)
                }
            }
        }
    }

    @Test("of transactions that increment the same field none is lost", arguments: ServiceMode.allCases)
    func contention(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/a", ("n", .integer(0))))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    let session = try service.session()
                    group.addTask {
                        for _ in 0..<5 {
                            while true {
                                let id = try await session.beginTransaction(Self.readWrite, context: .embedded)
                                let document = try await session.get("c/a", at: .transaction(id))
                                guard case .integer(let n)? = try document?.fields.map["n"] else { throw FirestoreError(.dataLoss, "n") }
                                do {
                                    _ = try await session.commit([.set("c/a", ("n", .integer(n + 1)))], in: id, context: .embedded)
                                    break
                                } catch let error as FirestoreError where error.code == .aborted {
                                    continue
                                }
                            }
                        }
                        await session.shutdown()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await service.get("c/a")?.text("n") == text(.integer(20)))
        }
    }

    @Test("a read-only transaction reads its moment, does not abort and rejects writes (TX-6)", arguments: ServiceMode.allCases)
    func readOnly(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let time = try await service.commit(.set("c/a", ("n", .integer(1)))).commitTime
            try await service.commit(.set("c/a", ("n", .integer(2))))
            let id = try await service.beginTransaction(.readOnly(at: time), context: .embedded)
            #expect(try await service.get("c/a", at: .transaction(id))?.text("n") == text(.integer(1)))
            #expect(try await service.paths(.collection("c").filter("n", .equal, .integer(2)), at: .transaction(id)) == [])
            await expectError(.invalidArgument) { try await service.commit([.set("c/b")], in: id, context: .embedded) }
            let ended = try await service.beginTransaction(.readOnly(at: time), context: .embedded)
            #expect(try await service.get("c/a", at: .transaction(ended)) != nil)
            _ = try await service.commit([], in: ended, context: .embedded)
        }
    }

    @Test("a finished transaction cannot be used any more (TX-7)", arguments: ServiceMode.allCases)
    func over(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            for ends in [true, false] {
                let id = try await service.beginTransaction(Self.readWrite, context: .embedded)
                if ends {
                    _ = try await service.commit([.set("c/a")], in: id, context: .embedded)
                } else {
                    try await service.rollback(id, context: .embedded)
                }
                await expectError(.aborted) { try await service.commit([.set("c/b")], in: id, context: .embedded) }
                await expectError(.aborted) { try await service.get("c/a", at: .transaction(id)) }
            }
            await expectError(.invalidArgument) { try await service.commit([.set("c/b")], in: TransactionID(0), context: .embedded) }
            await expectError(.invalidArgument) { try await service.rollback(TransactionID(0), context: .embedded) }
            await expectError(.invalidArgument) { try await service.beginTransaction(.readWrite(retrying: TransactionID(0)), context: .embedded) }
            #expect(try await service.get("c/b") == nil)
        }
    }
}
