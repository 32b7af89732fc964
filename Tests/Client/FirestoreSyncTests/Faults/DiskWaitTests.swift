// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Which transactions of a cache wait for the disk.
@Suite struct DiskWaitTests {
    @Test func `what the app says waits for the disk, and what servers say need not`() throws {
        try Self.with(.full) { cache, syncs in
            var batch: PendingBatch?
            let saving = try syncs { batch = try cache.write(.set("c/a", ("n", .integer(1)))) }
            #expect(saving > 0)
            let first = try #require(batch)
            let acknowledging = try syncs {
                let answer = AnsweredBatch(first, at: DocumentVersion(microseconds: 7), results: [])
                _ = try cache.store.acknowledge([answer], waitsForDisk: false)
            }
            #expect(acknowledging == 0)
            let hearing = try syncs {
                let event = RemoteEvent(snapshotVersion: DocumentVersion(microseconds: 8), documents: [.found("c/b", 8)])
                _ = try cache.store.apply(event, waitsForDisk: false)
            }
            #expect(hearing == 0)
            // With this, everything before it is on the disk.
            let savingAgain = try syncs { _ = try cache.write(.set("c/a", ("n", .integer(2)))) }
            #expect(savingAgain > 0)
            let rejecting = try syncs { _ = try cache.reject() }
            #expect(rejecting > 0)
        }
    }

    @Test func `a relaxed cache waits for nothing`() throws {
        try Self.with(.relaxed) { cache, syncs in
            let count = try syncs {
                _ = try cache.write(.set("c/a", ("n", .integer(1))))
                _ = try cache.acknowledge(at: 7)
            }
            #expect(count == 0)
        }
    }

    @Test func `steps that change only what views show already store nothing`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 8), at: 8, target: target, token: "t")
        let key = DocumentKey(trusted: "c/a")
        try cache.store.noteViewChanges([ViewDifference(targetID: target, isFromCache: false, added: [key], removed: [])])
        let before = cache.store.meta.sequence
        try cache.store.noteViewChanges([ViewDifference(targetID: target, isFromCache: false, added: [], removed: [])])
        #expect(cache.store.meta.sequence == before)
        #expect(cache.store.targetData(of: target)?.lastLimboFreeSnapshotVersion == DocumentVersion(microseconds: 8))
        try cache.store.close()
    }

    /// `body` gets a cache and a function that counts the syncs of what it runs.
    private static func with(
        _ durability: Durability, _ body: (CacheFixture, (() throws -> Void) throws -> Int) throws -> Void
    ) throws {
        let folder = try ScratchFolder()
        let file = folder.file("cache.sqlite")
        let disk = FaultyDisk(under: file)
        let cache = try CacheFixture(file: file, durability: durability)
        try body(cache) { run in
            let before = disk.calls[.sync, default: 0]
            try run()
            return disk.calls[.sync, default: 0] - before
        }
        try cache.store.close()
        disk.remove()
    }
}
