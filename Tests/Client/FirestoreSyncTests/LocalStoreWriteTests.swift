// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreSync

@Suite struct LocalStoreWriteTests {
    // MARK: Local estimates (SY-35, SY-36)

    @Test func `a set of a new document shows it at version zero`() throws {
        let cache = try CacheFixture()
        let result = try cache.store.write([[.set("c/a", ("n", .integer(1)))]])[0]
        #expect(try cache.look("c/a") == "{n: 1}*")
        #expect(try cache.local("c/a").version == .none)
        #expect(result.batch.id == 1)
        #expect(try result.changes.map { [try CacheFixture.short($0.old), try CacheFixture.short($0.new)] } == [["", "{n: 1}*"]])
    }

    @Test func `a document that is written locally keeps the version of its base`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(1)), ("m", .integer(2))), at: 5)
        try cache.write(.update("c/a", "n", .integer(3)))
        #expect(try cache.look("c/a") == "{m: 2, n: 3}*")
        #expect(try cache.local("c/a").version.microseconds == 5)
    }

    @Test func `an update of a document that is missing or not known has no effect`() throws {
        let cache = try CacheFixture()
        try cache.hear(.missing("c/b", 5), at: 5)
        for path in ["c/a", "c/b"] { try cache.write(.update(path, "n", .integer(3))) }
        #expect(try cache.look("c/a") == "")
        #expect(try cache.look("c/b") == "-")
        #expect(try cache.paths(.collection("c")) == [])
        #expect(try cache.store.check() == [])
    }

    @Test func `a merge makes a missing document`() throws {
        let cache = try CacheFixture()
        try cache.hear(.missing("c/b", 5), at: 5)
        for path in ["c/a", "c/b"] { try cache.write(.patch(path, "n", .integer(3))) }
        #expect(try cache.look("c/a") == "{n: 3}*")
        #expect(try cache.look("c/b") == "{n: 3}*")
        #expect(try cache.local("c/b").version.microseconds == 5)
    }

    @Test func `a delete hides the document from queries, and a set brings it back`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(1))), .found("c/b", 5), at: 5)
        try cache.write(.delete("c/a"))
        #expect(try cache.look("c/a") == "-*")
        #expect(try cache.paths(.collection("c")) == ["c/b"])
        try cache.write(.set("c/a", ("n", .integer(2))))
        #expect(try cache.look("c/a") == "{n: 2}*")
        #expect(try cache.store.run(.collection("c")).map(\.state) == [.hasLocalMutations, .synced])
        #expect(try cache.store.check() == [])
    }

    @Test(arguments: [
        (FieldTransform.Kind.increment(.integer(2)), "3"), (.increment(.double(0.5)), "1.5"), (.maximum(.integer(7)), "7"),
        (.minimum(.integer(7)), "1"), (.appendMissingElements([.integer(7)]), "[7]"), (.removeAllFromArray([.integer(7)]), "[]"),
    ]) func `a transform is estimated from the local value`(kind: FieldTransform.Kind, expected: String) throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(1))), at: 5)
        try cache.write(.transform("c/a", "n", kind))
        #expect(try cache.look("c/a") == "{n: \(expected)}*")
    }

    @Test func `a set with an increment counts from the value before`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(40))), at: 5)
        var write = Write.set("c/a", ("m", .integer(1)))
        write.transforms = [FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(2)))]
        try cache.write(write)
        #expect(try cache.look("c/a") == "{m: 1, n: 42}*")
    }

    @Test func `a server timestamp is pending, with the value before it`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("t", .integer(1))), at: 5)
        for _ in 0..<2 { try cache.write(.transform("c/a", "t", .serverTimestamp)) }
        let fields = try #require(try cache.local("c/a").document).fields
        let value = try #require(fields.view[FieldPathSegments("t")])
        let pending = try #require(PendingTimestamp(value))
        #expect(pending.previous?.integer == 1)
        #expect(pending.localWriteTime.seconds == 1_000_000_000)
        withExtendedLifetime(fields) {}
    }

    // MARK: Bases of increments (SY-37)

    @Test func `an increment does not count again what the watch already delivers`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 5, ("n", .integer(1))), at: 5, target: target)
        let batch = try cache.write(.increment("c/a", by: 10))
        #expect(batch.baseWrites.count == 1)
        try cache.hear(.found("c/a", 6, ("n", .integer(11))), at: 6, target: target)
        #expect(try cache.look("c/a") == "{n: 11}*")
        // Existence changes twice: the overlay is computed again, from the value at the time of the call.
        try cache.hear(.missing("c/a", 7), at: 7, target: target)
        try cache.hear(.found("c/a", 8, ("n", .integer(11))), at: 8, target: target)
        #expect(try cache.look("c/a") == "{n: 11}*")
        try cache.acknowledge(at: 9, results: [[.integer(21)]])
        #expect(try cache.look("c/a") == "{n: 21}+")
    }

    // MARK: Overlays (SY-41 … SY-44)

    @Test func `a remote change of content shows under the fields that are pending`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("m", .integer(1)), ("n", .integer(1))), at: 5)
        try cache.write(.update("c/a", "n", .integer(2)))
        try cache.hear(.found("c/a", 6, ("k", .integer(6)), ("m", .integer(6)), ("n", .integer(6))), at: 6)
        #expect(try cache.look("c/a") == "{k: 6, m: 6, n: 2}*")
        #expect(try cache.local("c/a").version.microseconds == 6)
        try cache.write(.set("c/a", ("x", .integer(1))))
        try cache.hear(.found("c/a", 7, ("n", .integer(7))), at: 7)
        #expect(try cache.look("c/a") == "{x: 1}*")
        try cache.write(.delete("c/a"))
        try cache.hear(.found("c/a", 8, ("n", .integer(8))), at: 8)
        #expect(try cache.look("c/a") == "-*")
        #expect(try cache.store.check() == [])
    }

    @Test func `a pending update shows as soon as its document exists`() throws {
        let cache = try CacheFixture()
        try cache.write(.update("c/a", "n", .integer(2)))
        try cache.hear(.found("c/a", 5, ("m", .integer(1))), at: 5)
        #expect(try cache.look("c/a") == "{m: 1, n: 2}*")
        try cache.hear(.missing("c/a", 6), at: 6)
        #expect(try cache.look("c/a") == "-")
        #expect(try cache.store.check() == [])
    }

    @Test func `deleting a field in a map that a pending write made leaves the map`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("x", .integer(1))), at: 5)
        let path = FieldPathSegments(["m", "k"])
        let inner = FieldMap([("m", .map(FieldMap([("k", .integer(1))])))])
        try cache.write(Write(key: DocumentKey(trusted: "c/a"), operation: .patch(FieldBytes(inner), mask: [path])))
        #expect(try cache.look("c/a") == "{m: {k: 1}, x: 1}*")
        try cache.write(Write(key: DocumentKey(trusted: "c/a"), operation: .patch(.empty, mask: [path])))
        #expect(try cache.look("c/a") == "{m: {}, x: 1}*")
        try cache.hear(.found("c/a", 6, ("x", .integer(2))), at: 6)
        #expect(try cache.look("c/a") == "{m: {}, x: 2}*")
    }

    // MARK: Acknowledgements (SY-60)

    @Test func `an acknowledged write is committed until the watch brings it`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        try cache.write(.set("c/a", ("n", .integer(1))))
        let changes = try cache.acknowledge(at: 10)
        #expect(try CacheFixture.short(changes[0].new) == "{n: 1}+")
        #expect(try cache.local("c/a").version.microseconds == 10)
        #expect(try cache.store.nextBatch(after: nil) == nil)
        #expect(try cache.store.writeStream().token == ByteSlice([1]))
        try cache.hear(.found("c/a", 9, ("n", .integer(9))), at: 11, target: target)
        #expect(try cache.look("c/a") == "{n: 1}+")
        try cache.hear(.found("c/a", 10, ("n", .integer(1))), at: 12, target: target)
        #expect(try cache.look("c/a") == "{n: 1}")
    }

    @Test func `an acknowledged update of a document that is not known leaves it unknown`() throws {
        let cache = try CacheFixture()
        try cache.write(.update("c/a", "n", .integer(1)))
        try cache.acknowledge(at: 10)
        #expect(try cache.look("c/a") == "?+")
        #expect(try cache.local("c/a").version.microseconds == 10)
        #expect(try cache.paths(.collection("c")) == [])
        // A merge over it makes a document of what is known.
        try cache.write(.patch("c/a", "m", .integer(2)))
        #expect(try cache.look("c/a") == "{m: 2}*")
        try cache.hear(.found("c/a", 10, ("n", .integer(1))), at: 11)
        #expect(try cache.look("c/a") == "{m: 2, n: 1}*")
    }

    @Test func `an acknowledged merge of a document that is not known leaves what it wrote`() throws {
        let cache = try CacheFixture()
        try cache.write(.patch("c/a", "n", .integer(1)))
        try cache.acknowledge(at: 10)
        #expect(try cache.look("c/a") == "{n: 1}+")
    }

    @Test func `an acknowledged delete is known to be missing at the time of the commit`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5), at: 5)
        try cache.write(.delete("c/a"))
        try cache.acknowledge(at: 10)
        #expect(try cache.look("c/a") == "-+")
        #expect(try cache.local("c/a").version.microseconds == 10)
    }

    @Test func `what the watch brought before the acknowledgement stays`() throws {
        let cache = try CacheFixture()
        try cache.write(.set("c/a", ("n", .integer(1))))
        try cache.hear(.found("c/a", 10, ("n", .integer(1)), ("s", .integer(2))), at: 10)
        #expect(try cache.look("c/a") == "{n: 1}*")
        try cache.acknowledge(at: 10)
        #expect(try cache.look("c/a") == "{n: 1, s: 2}")
    }

    @Test func `the results of the server replace estimates, also under a later write`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(1))), at: 5)
        try cache.write(.transform("c/a", "t", .serverTimestamp))
        try cache.write(.update("c/a", "m", .integer(2)))
        let time = Value.timestamp(TimestampValue(microsecondsSince1970: 77_000_000))
        try cache.acknowledge(at: 10, results: [[time]])
        #expect(try cache.look("c/a") == "{m: 2, n: 1, t: t77}*")
        try cache.acknowledge(at: 11)
        #expect(try cache.look("c/a") == "{m: 2, n: 1, t: t77}+")
        #expect(try cache.store.check() == [])
    }

    @Test func `array transforms are applied to the base when they are acknowledged`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .array([.integer(1)]))), at: 5)
        try cache.write(.transform("c/a", "n", .appendMissingElements([.integer(2)])))
        try cache.acknowledge(at: 10, results: [[.null]])
        #expect(try cache.look("c/a") == "{n: [1, 2]}+")
    }

    @Test func `a batch is acknowledged once`() throws {
        let cache = try CacheFixture()
        let batch = try cache.write(.set("c/a", ("n", .integer(1))))
        try cache.acknowledge(at: 10)
        let answer = AnsweredBatch(
            batch, at: DocumentVersion(microseconds: 20), results: [WriteResult(updateTime: nil)], streamToken: .empty)
        let again = try cache.store.acknowledge([answer])
        #expect(again.map(\.count) == [0])
        #expect(try cache.local("c/a").version.microseconds == 10)
    }

    // MARK: Rejections (SY-67, T68 … T73)

    @Test func `a rejected write is rolled back and kept among the failed ones`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 1, ("n", .integer(1))), at: 1)
        try cache.write(.update("c/a", "n", .integer(2)))
        let changes = try cache.reject()
        #expect(try changes.map { try CacheFixture.short($0.old) + " → " + CacheFixture.short($0.new) } == ["{n: 2}* → {n: 1}"])
        let failed = try cache.store.failedBatches()
        #expect(failed.map(\.id) == [1])
        #expect(failed.first?.error?.code == .permissionDenied)
        #expect(try cache.store.failedWrites(1)?.count == 1)
        try cache.store.dismissFailed(1)
        #expect(try cache.store.failedBatches().isEmpty)
        #expect(try cache.store.failedWrites(1) == nil)
        guard case nil = try cache.store.receiptState(of: 1) else { return #expect(Bool(false)) }
    }

    @Test func `writes behind a rejected one stay, unless they have nothing to update`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 1, ("n", .integer(1))), at: 1)
        try cache.write(.update("c/a", "n", .integer(2)))
        try cache.write(.update("c/a", "m", .integer(5)))
        try cache.reject()
        #expect(try cache.look("c/a") == "{m: 5, n: 1}*")
        try cache.acknowledge(at: 2)
        try cache.write(.set("c/b", ("n", .integer(1))))
        try cache.write(.update("c/b", "n", .integer(2)))
        try cache.reject()
        #expect(try cache.look("c/b") == "")
        #expect(try cache.paths(.collection("c")) == ["c/a"])
        #expect(try cache.store.check() == [])
    }

    @Test func `failed writes are forgotten after thirty days`() throws {
        let cache = try CacheFixture()
        try cache.write(.set("c/a"))
        try cache.reject()
        cache.clock.advance(microseconds: 31 * 86_400_000_000)
        try cache.write(.set("c/a"))
        try cache.reject()
        #expect(try cache.store.failedBatches().map(\.id) == [2])
        #expect(try cache.store.failedWrites(1) == nil)
        // It must not be taken for acknowledged.
        guard case nil = try cache.store.receiptState(of: 1) else { return #expect(Bool(false)) }
        guard case .rejected = try cache.store.receiptState(of: 2) else { return #expect(Bool(false)) }
    }

    @Test func `a rejection that is not kept is remembered without its writes`() throws {
        let cache = try CacheFixture()
        let batch = try cache.write(.set("c/a"))
        _ = try cache.store.reject(batch, because: FirestoreError(.permissionDenied, ""), isRetained: false)
        #expect(try cache.store.failedBatches().isEmpty)
        #expect(try cache.store.failedWrites(1) == nil)
        guard case .rejected(let error) = try cache.store.receiptState(of: 1) else { return #expect(Bool(false)) }
        #expect(error.code == .permissionDenied)
        cache.clock.advance(microseconds: 31 * 86_400_000_000)
        try cache.write(.set("c/b"))
        try cache.reject()
        guard case nil = try cache.store.receiptState(of: 1) else { return #expect(Bool(false)) }
    }

    // MARK: The queue (SY-D22)

    @Test func `the queue lists what waits`() throws {
        let cache = try CacheFixture()
        try cache.write(.set("c/a"), .set("c/b"), .delete("c/a"))
        try cache.write(.set("c/c"))
        cache.clock.advance(microseconds: 5)
        try cache.store.noteAttempt(1, error: FirestoreError(.unavailable, "gone"))
        let queue = try cache.store.pendingBatches()
        #expect(queue.map(\.id) == [1, 2])
        #expect(queue[0].writes.map(\.key.path) == ["c/a", "c/b", "c/a"])
        #expect(queue[0].attempts == 1)
        #expect(queue[0].error?.code == .unavailable)
        #expect(cache.clock.now() - queue[0].time == 5)
        guard case .queued(position: 1) = try cache.store.receiptState(of: 2) else { return #expect(Bool(false)) }
        #expect(try cache.store.highestBatchID() == 2)
        _ = try cache.store.cancel(2)
        #expect(try cache.look("c/c") == "")
        #expect(try cache.store.highestBatchID() == 1)
        #expect(try cache.store.failedBatches().isEmpty)
        #expect(try cache.write(.set("c/c")).id == 3)
        try cache.acknowledge(at: 9)
        guard case .acknowledged = try cache.store.receiptState(of: 1) else { return #expect(Bool(false)) }
        // Canceled.
        guard case nil = try cache.store.receiptState(of: 2) else { return #expect(Bool(false)) }
        guard case nil = try cache.store.receiptState(of: 4) else { return #expect(Bool(false)) }
    }

    @Test func `what was sent outlasts acknowledgements, and does not go back`() throws {
        let cache = try CacheFixture()
        #expect(try cache.store.writeStream() == (.empty, 0))
        try cache.write(.set("c/a"))
        try cache.store.noteSent(upTo: 1, token: ByteSlice([9]))
        #expect(try cache.store.writeStream() == (ByteSlice([9]), 1))
        try cache.acknowledge(at: 10)
        #expect(try cache.store.writeStream() == (ByteSlice([1]), 1))
        _ = try cache.store.write([[.set("c/a")], [.set("c/b")]], isSentAtOnce: true)
        try cache.store.noteSent(upTo: 2)
        #expect(try cache.store.writeStream() == (ByteSlice([1]), 3))
    }

    @Test func `an answer that comes late does not move the stream back`() throws {
        let cache = try CacheFixture()
        let batches = try [cache.write(.set("c/a")), cache.write(.set("c/b"))]
        for (batch, token) in zip(batches, [5, 6] as [UInt8]) {
            _ = try cache.store.acknowledge([
                AnsweredBatch(batch, at: DocumentVersion(microseconds: 10), results: [], streamToken: ByteSlice([token]))
            ])
        }
        _ = try cache.store.acknowledge([
            AnsweredBatch(batches[0], at: DocumentVersion(microseconds: 10), results: [], streamToken: ByteSlice([5]))
        ])
        _ = try cache.store.reject(batches[0], because: FirestoreError(.notFound, ""), streamToken: ByteSlice([5]))
        #expect(try cache.store.writeStream().token == ByteSlice([6]))
    }

    @Test func `a forgotten stream takes the batches with it that must not be sent again`() throws {
        let cache = try CacheFixture()
        try cache.write(.increment("c/a"))
        try cache.write(.set("c/b"))
        try cache.write(.increment("c/b"))
        try cache.write(.increment("c/a"))
        try cache.store.noteSent(upTo: 3, token: ByteSlice([9]))
        let (rejected, changes) = try cache.store.forgetStream(doubtfulUpTo: 3, because: FirestoreError(.aborted, "doubtful"), isRetained: true)
        #expect(rejected == [1, 3] && changes.map(\.key.path) == ["c/a", "c/b"])
        #expect(try cache.store.pendingBatches().map(\.id) == [2, 4])
        #expect(try cache.store.failedBatches().map(\.id) == [1, 3])
        #expect(try cache.store.writeStream() == (.empty, 3))
        #expect(try cache.look("c/a") == "{n: 1}*" && cache.look("c/b") == "{}*")
        #expect(try cache.store.check() == [])
    }

    @Test func `failed writes are those of the user who made them`() throws {
        let cache = try CacheFixture(user: SyncUser(uid: "alice"))
        try cache.write(.set("c/a"))
        try cache.reject()
        _ = try cache.store.changeUser(to: SyncUser(uid: "bob"))
        #expect(try cache.store.failedWrites(1) == nil)
        #expect(try cache.store.retryFailed(1) == nil)
        _ = try cache.store.changeUser(to: SyncUser(uid: "alice"))
        #expect(try cache.store.retryFailed(1)?.batch.id == 2)
    }

    @Test func `several calls are one transaction, and each has its batch`() throws {
        let cache = try CacheFixture()
        let results = try cache.store.write([[.set("c/a", ("n", .integer(1)))], [.increment("c/a"), .set("c/b")], [.increment("c/a")]])
        #expect(results.map(\.batch.id) == [1, 2, 3])
        #expect(try cache.look("c/a") == "{n: 3}*")
        #expect(try CacheFixture.short(results[1].changes[0].old) == "{n: 1}*")
    }

    @Test func `an operation that fails changes nothing`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        cache.store.willRun = { (operation) throws(FirestoreError) in throw FirestoreError(.unavailable, operation.rawValue) }
        expectImmediateError(.unavailable, mentioning: "Locally write") { try cache.write(.set("c/a")) }
        expectImmediateError(.unavailable) { try cache.hear(.found("c/a", 5), at: 5, target: target, token: "t") }
        expectImmediateError(.unavailable) { try cache.store.release(target) }
        cache.store.willRun = nil
        #expect(try cache.look("c/a") == "")
        #expect(cache.store.targetData(of: target)?.resumeToken == .empty)
        #expect(try cache.write(.set("c/a")).id == 1)
    }

    // MARK: Long queues of one document

    @Test func `a queue of increments is not read again for every answer`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(100)), ("m", .integer(1))), at: 5)
        for _ in 1...20 { try cache.write(.increment("c/a")) }
        #expect(try cache.look("c/a") == "{m: 1, n: 120}*")
        for number in 1...19 {
            // Others increment it too.
            try cache.acknowledge(at: 5 + Int64(number), results: [[.integer(Int64(200 + number))]])
            #expect(try cache.look("c/a") == "{m: 1, n: 120}*")
            #expect(try cache.store.check() == [])
        }
        // The newest one says it all.
        #expect(cache.store.keptBatches[20] != nil && cache.store.keptBatches[19] == nil)
        // What the queue leaves alone is the server's.
        try cache.hear(.found("c/a", 100, ("n", .integer(1)), ("m", .integer(7))), at: 100)
        #expect(try cache.look("c/a") == "{m: 7, n: 120}*")
        try cache.acknowledge(at: 101, results: [[.integer(240)]])
        #expect(try cache.look("c/a") == "{m: 7, n: 240}+")
        #expect(cache.store.keptBatches[20] == nil)
    }

    @Test func `what an answer computes shows where the next write builds on it`() throws {
        let union = { (number: Int64) in Write.transform("c/a", "t", .appendMissingElements([.integer(number)])) }
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(1)), ("t", .array([]))), at: 5)
        try cache.write(.increment("c/a"))
        try cache.write(union(1))
        try cache.write(union(2))
        try cache.write(.increment("c/a", "other"))
        // The newest write does not increment what the first one did.
        try cache.acknowledge(at: 6, results: [[.integer(50)]])
        #expect(try cache.look("c/a") == "{n: 50, other: 1, t: [1, 2]}*")
        #expect((Int64(2)...4).allSatisfy { cache.store.keptBatches[$0] != nil })
        try cache.hear(.found("c/a", 7, ("n", .integer(50)), ("t", .array([.integer(9)]))), at: 7)
        try cache.acknowledge(at: 8, results: [[.null]])
        #expect(try cache.look("c/a") == "{n: 50, other: 1, t: [9, 1, 2]}*")
        // A failed transaction keeps nothing that it has read.
        cache.store.willRun = { (_) throws(FirestoreError) in throw FirestoreError(.unavailable, "no") }
        #expect(throws: FirestoreError.self) { try cache.acknowledge(at: 9) }
        cache.store.willRun = nil
        #expect(throws: FirestoreError.self) {
            try cache.store.transact { (_) throws(FirestoreError) in throw FirestoreError(.unavailable, "no") }
        }
        #expect(cache.store.keptBatches[4] == nil)
        try cache.acknowledge(at: 9, results: [[.null]])
        #expect(try cache.look("c/a") == "{n: 50, other: 1, t: [9, 1, 2]}*")
        #expect(try cache.store.check() == [])
    }

    // MARK: The check

    @Test func `a wrong number of batches and documents that are not recorded are found`() throws {
        let cache = try CacheFixture()
        try cache.write(.set("c/a"), .set("c/b"))
        #expect(try cache.store.check() == [])
        try cache.store.transact { (cache) throws(FirestoreError) in cache.meta.batchCount += 1 }
        #expect(try cache.store.check() == ["there are 1 pending batches, but 2 are counted"])
        try cache.store.transact { (cache) throws(FirestoreError) in
            cache.meta.batchCount -= 1
            try cache.sql.statement("DELETE FROM batch_documents WHERE id = (SELECT max(id) FROM batch_documents)").run()
        }
        #expect(try cache.store.check().contains("document c/b: that batch 1 writes it is not recorded"))
    }
}
