// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// Policies across restarts, copies and restores; deletion by itself.
@Suite struct ExpiryLifeTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func open(_ name: String = "test.db", clock: ManualClock = ManualClock(microseconds: ExpiryFixture.start)) throws -> ExpiryFixture {
        try ExpiryFixture(.file(path: folder.file(name)), clock: clock)
    }

    /// OT-36
    @Test func `what was not deleted before a restart is deleted after it`() async throws {
        var fixture = try open()
        try await fixture.expire()
        for number in 0..<600 { try await fixture.add("sessions/\(number)", at: 1) }
        fixture.clock.advance(microseconds: 2_000_000)
        let engine = fixture.engine
        async let deleting: Void = engine.deleteExpired()
        await eventually("the first documents are deleted") { engine.expiredCount > 0 }
        await engine.shutdown()
        // The shutdown may have come before the end or after it.
        _ = try? await deleting
        let deleted = engine.expiredCount
        fixture = try open(clock: fixture.clock)
        let left = try await fixture.paths().count
        #expect(left <= 600 - deleted)
        try await fixture.engine.deleteExpired()
        #expect(try await fixture.paths().isEmpty)
        #expect(fixture.engine.expiredCount == left)
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-36
    @Test func `a database deletes by itself, also after it was opened again`() async throws {
        var configuration = EngineConfiguration(location: .file(path: folder.file()), databaseID: testDatabase)
        configuration.expiry.interval = 1_000
        let now = SystemClock().now()
        let past = Value.timestamp(TimestampValue(microsecondsSince1970: now - 1_000_000))
        for round in 0..<2 {
            let engine = try Engine.open(configuration)
            if round == 0 { try await engine.setPolicy(collectionGroup: "sessions", field: ExpiryFixture.field, offset: .zero) }
            _ = try await engine.commit(.set("sessions/\(round)", ("expiresAt", past)))
            try await eventually("the document expires") { try await engine.get("sessions/\(round)") == nil }
            try await engine.checkAndShutDown()
        }
    }

    @Test func `a file that is only read keeps its expired documents`() async throws {
        var fixture = try open()
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 1)
        try await fixture.engine.checkAndShutDown()
        var configuration = EngineConfiguration(location: .file(path: folder.file()), databaseID: testDatabase, clock: fixture.clock)
        configuration.isReadOnly = true
        fixture.clock.advance(microseconds: 10_000_000)
        let engine = try Engine.open(configuration)
        try await engine.deleteExpired()
        #expect(try await engine.get("sessions/a") != nil)
        #expect(try await engine.policies().count == 1)
        await engine.shutdown()
        fixture = try open(clock: fixture.clock)
        try await fixture.engine.deleteExpired()
        #expect(try await fixture.paths().isEmpty)
        try await fixture.engine.checkAndShutDown()
    }

    @Test func `policies whose index is missing get it when the database is opened, and indexes without a policy go`() async throws {
        let fixture = try open()
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 1)
        let policies = try #require(try await fixture.engine.fact(StoredPolicies.fact))
        try await fixture.engine.checkAndShutDown()
        // As copies from an archive or another store leave it.
        for hasPolicies in [false, true] {
            let store = try SQLiteStore.open(
                StorePath(preparing: folder.file()), durability: .relaxed, databaseID: testDatabase, opening: StoreOpening())
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.setFact(StoredPolicies.fact, hasPolicies ? policies : nil)
            }
            try store.close()
            let again = try open(clock: fixture.clock)
            try await again.engine.indexesSettled()
            let catalog = try await again.engine.core.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
                try snapshot.catalog()
            }
            #expect(catalog.indexes.map(\.isForExpiry) == (hasPolicies ? [true] : []))
            try await again.pass(to: 10)
            #expect(try await again.paths().isEmpty == hasPolicies)
            try await again.engine.checkAndShutDown()
        }
    }

    /// OT-37
    @Test func `a restored copy has no policies, and the restore reports which it had`() async throws {
        let fixture = try open()
        try await fixture.expire(offset: .seconds(7))
        try await fixture.add("sessions/a", at: 1)
        _ = try await fixture.engine.copy(to: folder.file("copy.db"))
        try await fixture.engine.checkAndShutDown()
        var restore = DatabaseRestore(source: folder.file("copy.db"), destination: folder.file())
        restore.replaces = true
        restore.clock = fixture.clock
        #expect(try restore.run().expiryPolicies == [ExpiryPolicy(collectionGroup: "sessions", field: ExpiryFixture.field, offset: .seconds(7))])
        let restored = try open(clock: fixture.clock)
        try await restored.pass(to: 1_000)
        #expect(try await restored.paths() == ["sessions/a"])
        #expect(try await restored.engine.policies() == [])
        try await restored.engine.checkAndShutDown()
    }

    @Test func `damaged policies delete nothing`() async throws {
        let policy = try ExpiryPolicy(collectionGroup: "s", field: FieldPathSegments(["a", "b c"]), offset: .seconds(7))
        let bytes = try #require(StoredPolicies.encode([policy]))
        #expect(StoredPolicies.decode(bytes) == [policy])
        #expect(StoredPolicies.encode([]) == nil && StoredPolicies.decode(nil) == [])
        for damaged in ["", "{", "[1]", "[{}]", #"[{"collectionGroup":"s","fieldPath":"*","offset":1}]"#,
            #"[{"collectionGroup":"s","fieldPath":"a","offset":-1}]"#, #"[{"collectionGroup":"a/b","fieldPath":"a","offset":1}]"#]
        { #expect(StoredPolicies.decode(ByteSlice(Array(damaged.utf8))) == []) }
    }

    @Test func `replacing all policies removes the others and refuses two fields of a group`() async throws {
        let fixture = try open()
        let engine = fixture.engine
        func policy(_ group: String, _ field: String) throws -> ExpiryPolicy {
            try ExpiryPolicy(collectionGroup: group, field: FieldPathSegments(field))
        }
        try await fixture.expire()
        try await engine.replacePolicies([policy("sessions", "end"), policy("b", "x")])
        #expect(try await engine.policies() == [policy("b", "x"), policy("sessions", "end")])
        await expectError(.failedPrecondition) { try await engine.replacePolicies([policy("b", "x"), policy("b", "y")]) }
        #expect(try await engine.policies().count == 2)
        try await engine.replacePolicies([])
        #expect(try await engine.fact(StoredPolicies.fact) == nil)
        try await engine.indexesSettled()
        try await engine.checkAndShutDown()
    }
}
