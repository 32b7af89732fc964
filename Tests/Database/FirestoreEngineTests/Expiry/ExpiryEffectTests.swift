// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// The deletion of an expired document is a deletion (OP-72).
@Suite struct ExpiryEffectTests {
    /// OT-35
    @Test func `listeners see the document go, and a later one continues from the log`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 1)
        try await fixture.add("sessions/b", at: 1_000)
        let sink = RecordingSink()
        let handle = fixture.engine.watch(.query(.collection("sessions")), from: nil, context: .embedded, sink: sink)
        await eventually("the first state") { sink.batches.count == 1 }
        try await fixture.pass(to: 5)
        await eventually("the removal") { sink.paths == ["sessions/b"] }
        #expect(sink.story == ["reset +sessions/a +sessions/b", "-sessions/a"])
        handle.cancel()
        try await fixture.engine.checkAndShutDown()
    }

    /// OT-35
    @Test func `a transaction that has read the document fails and is run again`() async throws {
        let fixture = try ExpiryFixture()
        let engine = fixture.engine
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 1)
        let transaction = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let read = try await engine.documents(
            [DocumentKey(trusted: "sessions/a")], options: ReadOptions(.transaction(transaction)), context: .embedded)
        #expect(read.documents[0] != nil)
        try await fixture.pass(to: 2)
        await expectError(.aborted) {
            try await engine.commit([.set("sessions/copy")], in: transaction, context: .embedded)
        }
        try await engine.checkAndShutDown()
    }

    /// OT-35
    @Test func `the state before is in the log, and can be read as of a time before`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 1)
        let before = try await fixture.engine.log.lastCommit()
        try await fixture.pass(to: 2)
        #expect(try await fixture.engine.get("sessions/a") == nil)
        #expect(try await fixture.engine.get("sessions/a", at: .past(before)) != nil)
        let commits = try fixture.engine.log.commits(after: before, limit: 10).commits
        #expect(commits.count == 1 && commits[0].changes[0].old != nil && commits[0].changes[0].new == nil)
        try await fixture.engine.checkAndShutDown()
    }
}
