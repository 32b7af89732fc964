// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// Which documents expire, and when (OP-70, OP-71).
@Suite struct ExpiryTests {
    /// OT-32
    @Test func `documents expire at the time in the field, and others never`() async throws {
        let fixture = try ExpiryFixture()
        let cases: [(name: String, value: Value, expires: Bool)] = [
            ("past", ExpiryFixture.date(-1_000_000), true), ("now", ExpiryFixture.date(10), true),
            ("later", ExpiryFixture.date(10.000_001), false), ("null", .null, false), ("number", .integer(1), false),
            ("double", .double(-1), false), ("text", .string("2000-01-01T00:00:00Z"), false), ("true", .boolean(true), false),
            ("array", .array([ExpiryFixture.date(0)]), false), ("map", .map(FieldMap([("at", ExpiryFixture.date(0))])), false),
            ("bytes", .bytes([0]), false),
            ("first", .timestamp(TimestampValue(seconds: -62_135_596_800, nanoseconds: 0)), true),
            ("last", .timestamp(TimestampValue(seconds: 253_402_300_799, nanoseconds: 999_999_000)), false),
        ]
        for (name, value, _) in cases { _ = try await fixture.engine.commit(.set("sessions/\(name)", ("expiresAt", value))) }
        _ = try await fixture.engine.commit(.set("sessions/missing", ("n", .integer(1))), .set("others/past", ("expiresAt", ExpiryFixture.date(0))))
        try await fixture.expire()
        try await fixture.pass(to: 10)
        let kept = cases.filter { !$0.expires }.map { "sessions/\($0.name)" }
        #expect(try await fixture.paths() == Set(kept + ["sessions/missing", "others/past"]))
        #expect(fixture.engine.expiredCount == 3 && fixture.engine.expiryDelay == 0)
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-32
    @Test func `the field may lie below maps, and the collection in any place`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire(by: FieldPathSegments(["life", "the end"]))
        func life(_ seconds: Double) -> (String, Value) { ("life", .map(FieldMap([("the end", ExpiryFixture.date(seconds))]))) }
        _ = try await fixture.engine.commit(
            .set("sessions/a", life(1)), .set("users/u/sessions/b", life(2)), .set("sessions/c", life(100)),
            .set("sessions/a/parts/p", life(1)), .set("sessions/flat", ("the end", ExpiryFixture.date(1))))
        try await fixture.pass(to: 50)
        // Documents below an expired one stay.
        #expect(try await fixture.paths() == ["sessions/c", "sessions/a/parts/p", "sessions/flat"])
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-32
    @Test func `documents expire after the offset, and a changed one counts for all`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.add("sessions/a", at: 0)
        try await fixture.expire(offset: .seconds(3_600))
        try await fixture.pass(to: 3_599)
        #expect(try await fixture.paths() == ["sessions/a"])
        #expect(try await fixture.engine.firstExpiry() == ExpiryFixture.start + 3_600 * ExpiryFixture.second)
        try await fixture.expire(offset: .seconds(Int64(Int32.max)))
        try await fixture.pass(to: 10_000)
        #expect(try await fixture.paths() == ["sessions/a"])
        try await fixture.expire(offset: .seconds(3_600))
        try await fixture.pass(to: 10_000)
        #expect(try await fixture.paths() == [])
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-32
    @Test func `a second field of the group is refused, and the first one stays`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        await expectError(.failedPrecondition, mentioning: "expiresAt", "sessions.other") {
            try await fixture.expire(by: FieldPathSegments("other"))
        }
        try await fixture.expire("others", by: FieldPathSegments("other"))
        #expect(try await fixture.engine.policies().map(\.field.canonical) == ["other", "expiresAt"])
        try await fixture.engine.removePolicy(collectionGroup: "sessions", field: FieldPathSegments("other"))
        #expect(try await fixture.engine.policies().count == 2)
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-32
    @Test func `a policy is active when its index is complete`() async throws {
        let fixture = try ExpiryFixture()
        let engine = fixture.engine
        func state() async throws -> ExpiryState? {
            try await engine.state(collectionGroup: "sessions", field: ExpiryFixture.field)
        }
        for number in 0..<20 { try await fixture.add("sessions/\(number)", at: Double(number)) }
        #expect(try await state() == nil)
        try await fixture.expire()
        let first = try await state()
        #expect(first == .creating || first == .active)
        try await engine.indexesSettled()
        #expect(try await state() == .active)
        try await engine.removePolicy(collectionGroup: "sessions", field: ExpiryFixture.field)
        #expect(try await state() == nil)
        try await engine.checkAndShutDown()
    }

    @Test func `the index is not listed, is used by queries, and is not dropped with the others`() async throws {
        let fixture = try ExpiryFixture()
        let engine = fixture.engine
        try await fixture.expire()
        for number in 0..<200 { try await fixture.add("sessions/\(number)", at: Double(number)) }
        try await engine.indexesSettled()
        #expect(try await engine.indexes().isEmpty)
        let query = StructuredQuery.group("sessions").filter("expiresAt", .equal, ExpiryFixture.date(7))
        let explanation = try await engine.explain(query, analyze: true, options: .latest, context: .embedded)
        #expect(explanation.statistics?.documentsRead == 1)
        try await engine.dropIndexes(includingConfigured: true)
        _ = try await engine.dropIndexes(unusedSince: DocumentVersion(microseconds: .max))
        try await engine.configureIndexes([])
        try await engine.indexesSettled()
        try await fixture.pass(to: 99)
        #expect(try await fixture.paths().count == 100)
        try await engine.checkAndShutDown()
    }

    @Test func `an index that is configured, too, remains when either ends`() async throws {
        let fixture = try ExpiryFixture()
        let engine = fixture.engine
        let definition = try ExpiryPolicy(collectionGroup: "sessions", field: ExpiryFixture.field).index
        try await engine.configureIndexes([definition])
        try await fixture.expire()
        try await engine.configureIndexes([])
        #expect(try await engine.indexes().isEmpty)
        try await fixture.add("sessions/a", at: 1)
        try await fixture.pass(to: 2)
        #expect(try await fixture.paths() == [])
        try await engine.configureIndexes([definition])
        try await engine.removePolicy(collectionGroup: "sessions", field: ExpiryFixture.field)
        #expect(try await engine.indexes().map(\.isConfigured) == [true])
        try await engine.checkAndShutDown()
    }

    @Test func `several groups with more documents than a look takes get their turns`() async throws {
        let fixture = try ExpiryFixture()
        for group in ["a", "b", "c"] {
            try await fixture.expire(group)
            for number in 0..<250 { try await fixture.add("\(group)/\(number)", at: Double(number)) }
        }
        try await fixture.pass(to: 239)
        #expect(try await fixture.paths().count == 30)
        #expect(fixture.engine.expiredCount == 720)
        #expect(try await fixture.engine.firstExpiry() == ExpiryFixture.start + 240 * ExpiryFixture.second)
        try await fixture.engine.checkAndShutDown()
    }

    @Test func `without policies nothing is stored and nothing waits`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.add("sessions/a", at: 1)
        let time = try await fixture.engine.log.lastCommit()
        try await fixture.pass(to: 10)
        #expect(try await fixture.engine.log.lastCommit() == time)
        #expect(try await fixture.engine.fact(StoredPolicies.fact) == nil)
        #expect(try await fixture.engine.firstExpiry() == nil)
        try await fixture.engine.checkAndShutDown()
    }

    @Test func `a look at which nothing is due writes nothing`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 100)
        try await fixture.engine.indexesSettled()
        let time = try await fixture.engine.log.lastCommit()
        for second in 1..<20 { try await fixture.pass(to: Int64(second)) }
        #expect(try await fixture.engine.log.lastCommit() == time)
        #expect(fixture.engine.core.committer.accepted == 1)
        try await fixture.engine.checkAndShutDown()
    }
}
