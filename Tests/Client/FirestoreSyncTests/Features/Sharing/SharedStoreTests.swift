// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire
import Foundation
import TestSupport
import Testing

@testable import FirestoreSync

/// Two stores on one file, without engines: what one does is what the other reads.
@Suite struct SharedStoreTests {
    private func open(_ file: String, isShared: Bool = true, user: SyncUser = .unauthenticated) throws -> LocalStore {
        var configuration = LocalStore.Configuration(
            location: .file(path: file), databaseID: DatabaseID(projectID: "demo"), server: "s", user: user, durability: .relaxed,
            clock: ManualClock(microseconds: 1_000_000_000_000_000))
        configuration.isShared = isShared
        return try LocalStore.open(configuration)
    }

    @Test func `batches of two stores are one queue, and counts follow`() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try open(folder.file()), try open(folder.file()))
        #expect(try one.write([[.set("c/a", ("n", .integer(1)))]])[0].batch.id == 1)
        #expect(try two.write([[.update("c/a", "n", .integer(2))]])[0].batch.id == 2)
        #expect(try one.write([[.increment("c/a")], [.set("c/b")]]).map(\.batch.id) == [3, 4])
        #expect(try two.catchUp()?.documents.map { try CacheFixture.short($0) } == ["{n: 3}*", "{}*"])
        #expect(try two.catchUp() == nil)
        #expect(try one.catchUp()?.documents.map { try CacheFixture.short($0) } == ["{n: 3}*"])
        #expect(try two.nextBatch(after: 2)?.id == 3)
        let batch = try #require(try two.nextBatch(after: nil))
        let time = DocumentVersion(microseconds: 5)
        _ = try two.acknowledge([AnsweredBatch(batch, at: time, results: [WriteResult(updateTime: time)])])
        #expect(try one.catchUp()?.ended == [1])
        let outcome = try #require(try one.outcomes(of: [1, 2])[1])
        #expect(try outcome.get().commitTime.microseconds == 5)
        #expect(try one.outcomes(of: [2]).isEmpty)
        #expect(try one.check() == [] && two.check() == [])
        try one.close()
        #expect(try two.catchUp()?.documents.isEmpty == true)
        #expect(!two.hasOthers)
        #expect(try two.write([[.set("c/c")]])[0].batch.id == 5)
        try two.close()
        let alone = try open(folder.file(), isShared: false)
        #expect(try alone.check() == [])
        #expect(try alone.pendingBatches().map(\.id) == [2, 3, 4, 5])
        try alone.close()
    }

    @Test func `who has slept too long reads everything again`() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try open(folder.file()), try open(folder.file()))
        _ = try one.write([[.set("c/a")]])
        // As if the log had been cut.
        try one.transact { (cache) throws(FirestoreError) in
            one.membership?.next.logFloor = cache.meta.sequence - 1
            try cache.sql.statement("DELETE FROM shared_changes").run()
        }
        #expect(try two.catchUp()?.isComplete == false)
        #expect(try two.catchUp() == nil)
        try one.close()
        try two.close()
    }

    @Test func `key sets and states of targets reach the other store`() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try open(folder.file()), try open(folder.file()))
        two.membership?.isFollower = true
        let id = try two.allocate(.query(.collection("c"))).targetID
        #expect(try one.catchUp() != nil)
        #expect(try one.wantedTargets().mapValues(\.isRemote) == [id: true])
        #expect(try one.allocate(.query(.collection("c"))).targetID == id)
        let key = DocumentKey(trusted: "c/a")
        _ = try one.apply(
            RemoteEvent(
                snapshotVersion: DocumentVersion(microseconds: 5),
                targetChanges: [id: TargetDelta(resumeToken: ByteSlice([1]), isCurrent: true, added: [key])],
                documents: [.found("c/a", 5)]))
        let changes = try #require(try two.catchUp())
        #expect(changes.members[id]?.added == [key])
        #expect(changes.states[id]?.isCurrent == true)
        #expect(try two.isCurrentAtLeader(id))
        #expect(try two.lastSnapshotVersion().microseconds == 5)
        try one.setTargetStates([id: TargetState(isCurrent: false, error: FirestoreError(.permissionDenied, "no"))], online: .online)
        #expect(try two.catchUp()?.states[id]?.error?.code == .permissionDenied)
        #expect(try one.wantedTargets().isEmpty)
        // Wanted anew, it is tried anew.
        _ = try two.allocate(.query(.collection("c")))
        #expect(try one.wantedTargets().count == 1)
        try two.release(id)
        #expect(try one.wantedTargets().isEmpty)
        try one.close()
        try two.close()
    }

    @Test func `what was not taken comes again`() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try open(folder.file()), try open(folder.file()))
        _ = try one.write([[.set("c/a")]])
        expectImmediateError(.unavailable) {
            try two.catchUp { (_) throws(FirestoreError) in throw FirestoreError(.unavailable, "not now") }
        }
        var documents: [LocalDocument] = []
        let hasChanges = try two.catchUp { (changes) throws(FirestoreError) in documents = changes.documents }
        #expect(hasChanges && documents.map(\.key.path) == ["c/a"])
        let hasMore = try two.catchUp { (_) throws(FirestoreError) in }
        #expect(!hasMore)
        try one.close()
        try two.close()
    }

    @Test func `no process leads while the cache shows another user`() throws {
        let folder = try ScratchFolder()
        let (alice, bob) = (SyncUser(uid: "alice"), SyncUser(uid: "bob"))
        let (one, two) = (try open(folder.file(), user: alice), try open(folder.file(), user: alice))
        two.membership?.isFollower = true
        let id = try two.allocate(.query(.collection("c"))).targetID
        try one.setStreamToken(ByteSlice([1]))
        _ = try one.changeUser(to: bob)
        // The second has not looked yet, and finds out in the transaction.
        #expect(two.user == alice)
        let leads = try two.beginToLead(online: .unknown, current: [:])
        #expect(!leads && two.membership?.isFollower == true && two.user == bob && two.ownUser == alice)
        #expect(try one.wantedTargets().keys.sorted() == [id])
        // The tokens are those of the user whose credentials this process has.
        #expect(try one.streamToken() == .empty && two.streamToken() == ByteSlice([1]))
        _ = try two.changeUser(to: bob)
        let leadsThen = try two.beginToLead(online: .unknown, current: [:])
        #expect(leadsThen)
        try one.close()
        try two.close()
    }

    @Test func `a process whose wake-up pipe was removed can enter again`() throws {
        let folder = try ScratchFolder()
        let entry = try CacheFolder.enter(folder.file())
        #expect(entry.membership.isReachable)
        try FileManager.default.removeItem(atPath: folder.file() + ".d")
        #expect(!entry.membership.isReachable)
        // The name alone is not enough.
        let again = try CacheFolder.enter(folder.file())
        let (old, new) = (entry.membership.wakeUp.id, again.membership.wakeUp.id)
        try FileManager.default.moveItem(
            atPath: folder.file() + ".d/" + String(new, radix: 16), toPath: folder.file() + ".d/" + String(old, radix: 16))
        #expect(!entry.membership.isReachable && !again.membership.isReachable)
    }

    @Test func `a batch that another store has changed is read again`() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try open(folder.file()), try open(folder.file()))
        var time = DocumentVersion(microseconds: 5)
        _ = try one.write([[.transform("c/a", "t", .appendMissingElements([.integer(1)]))], [.set("c/b", ("n", .integer(1)))], [.set("c/a")]])
        func acknowledge(_ store: LocalStore) throws {
            time = DocumentVersion(microseconds: time.microseconds + 1)
            let batch = try #require(try store.nextBatch(after: nil))
            _ = try store.acknowledge([AnsweredBatch(batch, at: time, results: [WriteResult(updateTime: time, transformResults: [.null])])])
        }
        // Reads the last one, and keeps it.
        try acknowledge(one)
        #expect(one.keptBatches[3] != nil)
        let last = try #require(try two.nextBatches(after: 2, limit: 1).first)
        _ = try two.replace(last, with: [.set("c/a", ("n", .integer(7)))])
        _ = try one.write([[.transform("c/a", "t", .appendMissingElements([.integer(2)]))]])
        #expect(one.keptBatches[3] == nil)
        try acknowledge(one)
        try acknowledge(two)
        #expect(try two.documents([DocumentKey(trusted: "c/a")]).map { try CacheFixture.short($0) } == ["{n: 7, t: [2]}*"])
        #expect(try one.check() == [] && two.check() == [])
        try one.close()
        try two.close()
    }

    @Test func `alone, sharing costs one statement for each transaction`() throws {
        var times: [Bool: Duration] = [:]
        for isShared in [false, true, false, true] {
            let folder = try ScratchFolder()
            let store = try open(folder.file(), isShared: isShared)
            let time = try ContinuousClock().measure {
                for number in 0..<500 { _ = try store.write([[.set("c/\(number)", ("n", .integer(1)))]]) }
            }
            times[isShared] = min(times[isShared] ?? time, time)
            #expect(!store.hasOthers)
            try store.close()
        }
        print("500 local writes: alone \(times[false] ?? .zero), shared \(times[true] ?? .zero)")
    }
}
