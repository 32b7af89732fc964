// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// Documents that are changed between the look and the deletion (OP-72).
@Suite struct ExpiryConflictTests {
    /// What the look has found, as commits that are submitted later.
    private func group(
        _ fixture: ExpiryFixture, at seconds: Int64
    ) async throws -> (submit: @Sendable () -> Void, outcome: Deferred<ExpiryGroup.Outcome>) {
        let now = ExpiryFixture.start + seconds * ExpiryFixture.second
        try await fixture.engine.indexesSettled()
        let policies = try await fixture.engine.policies()
        let due = try await fixture.engine.core.store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            var look = ExpiryLook(at: now, limit: 500)
            try look.look(for: policies, in: snapshot)
            return look.due
        }
        let outcome = Deferred<ExpiryGroup.Outcome>()
        let group = ExpiryGroup(due.count) { outcome.set($0) }
        let commits = due.map { group.commit(deleting: $0) }
        let committer = fixture.engine.core.committer
        return ({ _ = committer.submit(commits, yields: false) }, outcome)
    }

    /// OT-33
    @Test func `a document that was extended stays, and one of 500 in conflict stops no other`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        _ = try await fixture.engine.commit(
            (0..<500).map { Write.set("sessions/\($0)", ("expiresAt", ExpiryFixture.date(1))) }, context: .embedded)
        let group = try await group(fixture, at: 2)
        try await fixture.add("sessions/250", at: 1_000)
        group.submit()
        let outcome = await group.outcome.value()
        #expect(outcome.deleted == 499 && outcome.error == nil)
        #expect(try await fixture.paths() == ["sessions/250"])
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-33
    @Test func `a document that was deleted, or created again, is not deleted by an earlier look`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        for name in ["deleted", "again", "untouched"] { try await fixture.add("sessions/\(name)", at: 1) }
        let group = try await group(fixture, at: 2)
        _ = try await fixture.engine.commit(.delete("sessions/deleted"), .delete("sessions/again"))
        try await fixture.add("sessions/again", at: 1)
        group.submit()
        let outcome = await group.outcome.value()
        #expect(outcome.deleted == 1 && outcome.error == nil)
        #expect(try await fixture.paths() == ["sessions/again"])
        // It has expired all the same, and the next look finds it.
        try await fixture.pass(to: 2)
        #expect(try await fixture.paths() == [])
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-37
    @Test func `after the removal of a policy nothing is deleted that was found before`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        for number in 0..<10 { try await fixture.add("sessions/\(number)", at: 1) }
        let group = try await group(fixture, at: 2)
        try await fixture.engine.removePolicy(collectionGroup: "sessions", field: ExpiryFixture.field)
        group.submit()
        let outcome = await group.outcome.value()
        #expect(outcome.deleted == 0 && outcome.error == nil)
        try await fixture.pass(to: 100)
        #expect(try await fixture.paths().count == 10)
        try await fixture.engine.checkAndShutDown()
    }

    @Test func `all documents of a look are deleted in one group, each by a commit of its own`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        for number in 0..<20 { try await fixture.add("sessions/\(number)", at: 1) }
        let group = try await group(fixture, at: 2)
        let position = try await fixture.engine.log.lastCommit()
        group.submit()
        #expect(await group.outcome.value().deleted == 20)
        let stretch = try fixture.engine.log.commits(after: position, limit: 100)
        #expect(stretch.commits.map(\.changes.count) == Array(repeating: 1, count: 20))
        #expect(stretch.commits.allSatisfy { $0.changes[0].new == nil })
        try await fixture.engine.checkAndShutDown()
    }

    @Test func `expired documents go behind commits that wait`() async throws {
        let fixture = try ExpiryFixture()
        let committer = fixture.engine.core.committer
        let hold = CommitterHold(fixture.engine)
        let expired = PendingCommit(writes: [.delete("c/a")], deadline: nil, rejection: nil) { _ in }
        #expect(committer.submit([expired], yields: true) != nil)
        fixture.engine.submit([.set("c/b")], context: .embedded) { _ in }
        #expect(committer.submit([expired], yields: true) == nil)
        #expect(committer.submit([expired], yields: false) != nil)
        hold.release()
        await fixture.engine.settle()
        try await fixture.engine.checkAndShutDown()
        #expect(committer.submit([expired], yields: false) == nil)
    }
}

/// A value that comes later.
final class Deferred<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    func set(_ value: Value) { state.withLock { $0 = value } }

    func value() async -> Value {
        while true {
            if let value = state.withLock({ $0 }) { return value }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}
