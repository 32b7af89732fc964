// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

@Suite struct IndexBuildTests {
    private let byCountry = IndexDefinition("cities", "country", "population desc")

    private func city(_ number: Int, in collection: String = "cities") -> Write {
        .set(
            "\(collection)/city\(number)", ("country", .string("C\(number % 7)")), ("population", .integer(Int64(number))))
    }

    private func fill(_ engine: Engine, _ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 400) {
            _ = try await engine.commit((start..<min(count, start + 400)).map { city($0) }, context: .embedded)
        }
    }

    @Test func `an index is built while a writer continues`() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: IndexLimits(documentsPerStep: 20))
        try await fill(engine, 2_000)
        let isDone = Mutex(false)
        let writer = Task {
            var round = 0
            while !isDone.withLock({ $0 }) {
                round += 1
                let number = round * 37 % 2_500
                try await engine.commit(city(number + 1), .delete("cities/city\(number)"), city(number, in: "more/\(number)/cities"))
            }
            return round
        }
        try await engine.configureIndexes([byCountry, IndexDefinition("cities", "population", scope: .collectionGroup)])
        try await engine.indexesSettled()
        isDone.withLock { $0 = true }
        #expect(try await writer.value > 0)
        #expect(try await engine.indexes().allSatisfy { $0.state == .ready })
        try engine.expectEntriesMatchDocuments()
        try await engine.checkAndShutDown()
    }

    @Test func `a build that was cut off continues at the next opening`() async throws {
        let directory = try ScratchFolder()
        let limits = IndexLimits(documentsPerStep: 20)
        var engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: limits)
        try await fill(engine, 300)
        await engine.shutdown()

        // As far as a crash would leave it: the index is listed and a few steps are done.
        let store = try SQLiteStore.open(StorePath(preparing: directory.file()), durability: .relaxed, databaseID: testDatabase)
        try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
            try transaction.addIndex(byCountry, isConfigured: true)
        }
        for _ in 0..<3 {
            try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                #expect(try IndexBuilding(limits: limits).step(in: transaction))
            }
        }
        let entries = try await store.read { (view: any StoreSnapshot) throws(FirestoreError) in
            try view.extent(of: view.catalog().indexes[0].number).entries
        }
        #expect(entries == 60)
        try store.close()

        engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: limits)
        try await engine.commit(city(0), city(1_000), .delete("cities/city1"), .delete("cities/city299"))
        try await engine.indexesSettled()
        let status = try #require(try await engine.indexes().first)
        #expect(status.state == .ready && status.entries == 299 && status.isConfigured)
        try engine.expectEntriesMatchDocuments()
        try await engine.checkAndShutDown()
    }

    @Test func `an index of an empty collection is ready immediately`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        try await engine.configureIndexes([byCountry])
        try await engine.indexesSettled()
        #expect(try await engine.indexes().map(\.state) == [.ready])
        try await engine.commit(city(1))
        try engine.expectEntriesMatchDocuments()
        try await engine.checkAndShutDown()
    }

    @Test func `a dropped index is gone immediately and its entries soon after, over a restart too`() async throws {
        let directory = try ScratchFolder()
        let limits = IndexLimits(documentsPerStep: 100, entriesPerStep: 10)
        var engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: limits)
        try await fill(engine, 300)
        try await engine.configureIndexes([byCountry])
        try await engine.indexesSettled()
        try await engine.configureIndexes([])
        #expect(try await engine.indexes().isEmpty)
        await engine.shutdown()
        engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: limits)
        try await engine.indexesSettled()
        let left = try await engine.core.store.read { (view: any StoreSnapshot) throws(FirestoreError) in
            (try view.catalog().dropped, try view.extent(of: 1).entries)
        }
        #expect(left.0.isEmpty && left.1 == 0)
        try await engine.checkAndShutDown()
    }

    @Test func `a full disk stops a build, which continues when there is space`() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: IndexLimits(documentsPerStep: 50))
        try await fill(engine, 2_000)
        try engine.limitSize(toPages: 1)
        await expectError(.resourceExhausted) {
            try await engine.configureIndexes([byCountry])
            try await engine.indexesSettled()
        }
        try engine.limitSize(toPages: nil)
        try await engine.configureIndexes([byCountry])
        try await engine.indexesSettled()
        #expect(try await engine.indexes().map(\.state) == [.ready])
        try engine.expectEntriesMatchDocuments()
        try await engine.checkAndShutDown()
    }

    @Test func `a damaged document stops only its own indexes`() async throws {
        let engine = try Engine.memory(indexPolicy: .manual)
        let key = DocumentKey(trusted: "bad/x")
        func store(_ bytes: [UInt8], old: Document?) throws -> Document {
            try engine.core.store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                let time = DocumentVersion(microseconds: transaction.lastCommitTime.microseconds + 1)
                let fields = FieldBytes(canonical: ByteSlice(bytes))
                let new = Document(key: key, createTime: old?.createTime ?? time, updateTime: time, fields: fields)
                try transaction.store(CommittedChange(key: key, old: old, new: new), at: time)
                try transaction.setLastCommitTime(time)
                return new
            }
        }
        let bad = try store([0x12, 0xFF], old: nil)
        try await fill(engine, 10)
        try await engine.configureIndexes([IndexDefinition("bad", "a"), byCountry])
        await expectError(.dataLoss) { try await engine.indexesSettled() }
        #expect(try await engine.indexes().map(\.state) == [.building, .ready])
        _ = try store([], old: bad)
        try await engine.indexesSettled()
        #expect(try await engine.indexes().map(\.state) == [.ready, .ready])
        try engine.expectEntriesMatchDocuments()
        await engine.shutdown()
    }

    @Test func `waiting for indexes ends when the database shuts down`() async throws {
        let engine = try Engine.memory(indexPolicy: .automatic)
        await engine.shutdown()
        await expectError(.failedPrecondition) { try await engine.indexesSettled() }
        await expectError(.failedPrecondition) { try await engine.configureIndexes([byCountry]) }
        await expectError(.failedPrecondition) { _ = try await engine.indexes() }
    }
}
