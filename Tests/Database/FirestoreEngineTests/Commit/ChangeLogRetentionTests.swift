// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct ChangeLogRetentionTests {
    @Test("cleans immediately after opening, then only after a pause or many changes, and without pause when behind")
    func rhythm() {
        var retention = ChangeLogRetention(window: 100)
        let first = retention.step(now: 1_000, written: 1)
        #expect(first == .init(horizon: DocumentVersion(microseconds: 900), limit: 1_000))
        retention.pruned(0, of: first!, to: first!.horizon, now: 1_000)
        #expect(retention.step(now: 2_000, written: 10) == nil)
        let busy = retention.step(now: 3_000, written: 20_000)
        #expect(busy?.limit == 40_020)
        retention.pruned(40_020, of: busy!, to: busy!.horizon, now: 3_000)
        let behind = retention.step(now: 3_001, written: 1)
        #expect(behind?.limit == 1_000)
        retention.pruned(3, of: behind!, to: behind!.horizon, now: 3_001)
        #expect(retention.step(now: 3_002, written: 1) == nil)
        #expect(retention.step(now: 70_000_000, written: 1) != nil)
    }

    @Test("an engine forgets history outside its window")
    func engine() async throws {
        let clock = ManualClock(microseconds: 1_000_000)
        let engine = try Engine.open(
            EngineConfiguration(location: .memory, databaseID: testDatabase, clock: clock, logRetention: 10_000_000))
        for number in 0..<20 { try await engine.commit(.set("c/\(number)")) }
        clock.advance(microseconds: 100_000_000)
        try await engine.commit(.set("c/last"))
        try await engine.core.store.read { (view) throws(FirestoreError) in
            var count = 0
            try view.changes(after: .none) { _, _, _ in count += 1 }
            #expect(count == 1)
        }
        try await engine.checkAndShutDown()
    }
}
