// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct LookupTests {
    private static let keys = ["c/a", "c/none", "nowhere/x", "c/b", "c/a"].map { DocumentKey(trusted: $0) }

    @Test("a lookup reads one moment, whichever path it takes", arguments: [1, 5, 50], [true, false])
    func ways(repeats: Int, inMemory: Bool) async throws {
        let directory = try ScratchFolder()
        let store = inMemory ? try SQLiteStore.memory() : try SQLiteStore.open(file: directory.file())
        #expect(try await store.lookup(Self.keys).documents.allSatisfy { $0 == nil })
        let time = try store.put(["c/a", "c/b"])
        for keys in [Self.keys, Array(Self.keys.prefix(1)), Array(repeating: Self.keys, count: repeats).flatMap { $0 }, []] {
            let lookup = try await store.lookup(keys)
            #expect(lookup.documents.map { $0?.key } == keys.map { $0.id == "a" || $0.id == "b" ? $0 : nil })
            #expect(lookup.readTime == time)
        }
        for path in ["c/none", "nowhere/x", "c/a"] {
            #expect(try await store.lookup([DocumentKey(trusted: path)]).readTime == time)
        }
        try store.checkAndClose()
        await #expect(throws: FirestoreError.self) { try await store.lookup(Self.keys) }
    }

    @Test("a damaged document is named by a lookup too", arguments: [1, 2])
    func damage(count: Int) async throws {
        let directory = try ScratchFolder()
        let store = try SQLiteStore.open(file: directory.file())
        try store.put(["c/bad", "c/good"])
        try store.execute("UPDATE documents SET fields = x'12FF' WHERE id = x'02626164'")
        let keys = Array(["c/bad", "c/good"].prefix(count)).map { DocumentKey(trusted: $0) }
        do {
            _ = try await store.lookup(keys)
            Issue.record("damage went unnoticed")
        } catch {
            #expect(error.code == .dataLoss)
            #expect(error.description.contains("c/bad"))
        }
        #expect(try await store.lookup([DocumentKey(trusted: "c/good")]).documents[0] != nil)
        try store.close()
    }
}
