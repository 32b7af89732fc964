// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Several processes over one database: one of them deletes.
@Suite struct ExpiryNodesTests {
    @Test func `the node that has the lease deletes, by the policies that any node has set`() async throws {
        let nodes = try EngineStores.nodes(2)
        let clock = ManualClock(microseconds: ExpiryFixture.start)
        let fixtures = try nodes.places.map { try ExpiryFixture($0, clock: clock) }
        try await fixtures[1].expire()
        try await fixtures[0].add("sessions/a", at: 1)
        try await fixtures[1].engine.indexesSettled()
        try await fixtures[0].pass(to: 2)
        #expect(try await fixtures[1].paths() == [])
        try await fixtures[1].add("sessions/b", at: 1)
        try await fixtures[1].pass(to: 3)
        // Node 0 has the lease.
        #expect(try await fixtures[1].paths() == ["sessions/b"])
        try await fixtures[0].pass(to: 3)
        #expect(try await fixtures[0].paths() == [])
        #expect(fixtures.map(\.engine.expiredCount) == [2, 0])
        // OT-37
        try await fixtures[1].add("sessions/c", at: 1)
        try await fixtures[1].engine.removePolicy(collectionGroup: "sessions", field: ExpiryFixture.field)
        try await fixtures[0].pass(to: 4)
        #expect(try await fixtures[0].paths() == ["sessions/c"])
        for fixture in fixtures { await fixture.engine.shutdown() }
    }
}
