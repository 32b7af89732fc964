// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

@Suite struct LocalStoreTargetTests {
    private func key(_ path: String) -> DocumentKey { DocumentKey(trusted: path) }
    private func keys(_ paths: String...) -> Set<DocumentKey> { Set(paths.map { DocumentKey(trusted: $0) }) }

    // MARK: Ids (SY-147)

    @Test(arguments: [LocalStore.Collection.leastRecentlyUsed, .eager])
    func `targets have even ids in the order of their allocation`(collection: LocalStore.Collection) throws {
        let cache = try CacheFixture(collection: collection)
        #expect(try cache.listen("a") == 2)
        #expect(try cache.listen("b") == 4)
        #expect(try cache.listen("a") == 2)
        try cache.store.release(2)
        // Eager collection has forgotten it.
        #expect(try cache.listen("a") == (collection == .eager ? 6 : 2))
    }

    @Test func `a target is found again with its token and its documents`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 5), .found("c/b", 5), at: 5, target: target, token: "t5")
        try cache.store.release(target)
        #expect(cache.store.targetData(of: target) == nil)
        let data = try cache.store.allocate(.query(.collection("c")))
        #expect(data.resumeToken == ByteSlice([UInt8]("t5".utf8)))
        #expect(data.snapshotVersion.microseconds == 5)
        #expect(try cache.store.remoteKeys(of: target) == keys("c/a", "c/b"))
    }

    // MARK: Remote events (SY-96, SY-96)

    @Test func `only newer documents are taken, and known deletes are kept`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(5))), at: 5)
        #expect(try cache.hear(.found("c/a", 5, ("n", .integer(6))), .found("c/a", 4), at: 6).isEmpty)
        #expect(try cache.hear(.missing("c/a", 7), at: 7).count == 1)
        #expect(try cache.look("c/a") == "-")
        #expect(try cache.hear(.found("c/a", 6), at: 8).isEmpty)
        try cache.hear(.found("c/a", 8, ("n", .integer(8))), at: 8)
        #expect(try cache.look("c/a") == "{n: 8}")
        #expect(try cache.store.lastSnapshotVersion().microseconds == 8)
    }

    @Test func `a delete that was made up for a rejected lookup removes the entry`() throws {
        let cache = try CacheFixture()
        try cache.hear(.found("c/a", 5, ("n", .integer(5))), at: 5)
        let changes = try cache.hear(.missing("c/a", 0), at: 0)
        #expect(try changes.map { try CacheFixture.short($0.old) + "→" + CacheFixture.short($0.new) } == ["{n: 5}→"])
        #expect(try cache.store.lastSnapshotVersion().microseconds == 5)
        // Also under a pending write.
        try cache.hear(.found("c/a", 5, ("n", .integer(5))), at: 5)
        try cache.write(.set("c/a", ("m", .integer(1))))
        try cache.hear(.missing("c/a", 0), at: 0)
        #expect(try cache.look("c/a") == "{m: 1}*")
        try cache.reject()
        #expect(try cache.look("c/a") == "")
    }

    @Test func `key sets follow the event, and targets that are not active are ignored`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 5), .found("c/b", 5), at: 5, target: target)
        try cache.hear(.found("c/c", 6), at: 6, target: target, removed: ["c/a"])
        #expect(try cache.store.remoteKeys(of: target) == keys("c/b", "c/c"))
        try cache.hear(.found("c/d", 7), at: 7, target: 99)
        #expect(try cache.store.remoteKeys(of: 99).isEmpty)
        #expect(try cache.look("c/d") == "{}")
    }

    @Test func `a mismatch clears token and versions`() throws {
        let cache = try CacheFixture()
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 5), at: 5, target: target, token: "t5")
        try cache.store.noteViewChanges([ViewDifference(targetID: target, isFromCache: false, added: keys("c/a"), removed: [])])
        #expect(cache.store.targetData(of: target)?.lastLimboFreeSnapshotVersion.microseconds == 5)
        _ = try cache.store.apply(
            RemoteEvent(
                snapshotVersion: DocumentVersion(microseconds: 6),
                targetChanges: [target: TargetDelta(resumeToken: ByteSlice([1]), removed: keys("c/a"))],
                mismatchedTargets: [target: .existenceFilterMismatch]))
        let data = try #require(cache.store.targetData(of: target))
        #expect(data.resumeToken.isEmpty)
        #expect(data.snapshotVersion == .none)
        #expect(data.lastLimboFreeSnapshotVersion == .none)
        #expect(try cache.store.remoteKeys(of: target).isEmpty)
        #expect(try cache.look("c/a") == "{}")
    }

    @Test func `a quiet target's token is stored after five minutes, or when it is released`() throws {
        let folder = try ScratchFolder()
        func token(after body: (CacheFixture, TargetID) throws -> Void) throws -> String {
            let file = folder.file(AutoID.make())
            let cache = try CacheFixture(file: file)
            let target = try cache.listen("c")
            try cache.hear(.found("c/a", 5), at: 5, target: target, token: "first")
            try body(cache, target)
            try cache.store.close()
            let again = try CacheFixture(file: file)
            defer { try? again.store.close() }
            return String(decoding: try again.store.allocate(.query(.collection("c"))).resumeToken.array, as: UTF8.self)
        }
        #expect(try token { try $0.hear(at: 299_000_000, target: $1, token: "second") } == "first")
        #expect(try token { try $0.hear(at: 300_000_005, target: $1, token: "second") } == "second")
        #expect(try token { try $0.hear(.found("c/b", 6), at: 6, target: $1, token: "second") } == "second")
        #expect(
            try token {
                try $0.hear(at: 6, target: $1, token: "second")
                try $0.store.release($1)
            } == "second")
    }

    // MARK: Eager collection (SY-150)

    @Test func `a document goes with its last reference`() throws {
        let cache = try CacheFixture(collection: .eager)
        let (first, second) = (try cache.listen("c"), try cache.listen("d"))
        try cache.hear(.found("c/a", 5), .found("c/b", 5), at: 5, target: first)
        try cache.hear(.found("c/a", 6), at: 6, target: second)
        try cache.write(.set("c/w"))
        try cache.store.release(first)
        #expect(try ["c/a", "c/b", "c/w"].map { try cache.look($0) } == ["{}", "", "{}*"])
        try cache.store.release(second)
        #expect(try cache.look("c/a") == "")
        // Without a listener, what was acknowledged is not kept.
        try cache.acknowledge(at: 9)
        #expect(try cache.look("c/w") == "")
        #expect(try cache.store.check() == [])
    }

    @Test func `views pin their documents until they leave or the target is released`() throws {
        let cache = try CacheFixture(collection: .eager)
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 5), .found("c/b", 5), at: 5, target: target)
        try cache.store.noteViewChanges([ViewDifference(targetID: target, isFromCache: true, added: keys("c/a", "c/b"), removed: [])])
        try cache.hear(at: 6, target: target, removed: ["c/a", "c/b"])
        #expect(try cache.look("c/a") == "{}")
        try cache.store.noteViewChanges([ViewDifference(targetID: target, isFromCache: true, added: [], removed: keys("c/a"))])
        #expect(try cache.look("c/a") == "")
        #expect(try cache.look("c/b") == "{}")
        try cache.store.release(target)
        #expect(try cache.look("c/b") == "")
    }

    @Test func `what only lookups found is removed immediately`() throws {
        let cache = try CacheFixture(collection: .eager)
        var event = RemoteEvent(snapshotVersion: DocumentVersion(microseconds: 5), documents: [.found("c/a", 5)])
        event.resolvedLimboDocuments = keys("c/a")
        _ = try cache.store.apply(event)
        #expect(try cache.look("c/a") == "")
    }

    // MARK: Least recently used (SY-151 … SY-153)

    private func fill(_ cache: CacheFixture, targets: Int) throws {
        for number in 0..<targets {
            let target = try cache.listen("c\(number)")
            try cache.hear(.found("c\(number)/a", 5), at: 5, target: target)
            try cache.store.release(target)
        }
    }

    @Test func `nothing is collected below the threshold, and never at minus one`() throws {
        let cache = try CacheFixture()
        try fill(cache, targets: 10)
        #expect(try !cache.store.collectGarbage(threshold: -1).hasRun)
        #expect(try !cache.store.collectGarbage(threshold: 1 << 40).hasRun)
        #expect(try cache.store.collectGarbage(threshold: 0).hasRun)
        #expect(try !CacheFixture(collection: .eager).store.collectGarbage(threshold: 0).hasRun)
    }

    @Test func `the targets that were not used for the longest time go with their documents`() throws {
        let cache = try CacheFixture()
        try fill(cache, targets: 10)
        let collected = try cache.store.collectGarbage(threshold: 0, percentile: 20)
        #expect(collected == CollectedGarbage(hasRun: true, targets: 2, documents: 2))
        #expect(try (0..<10).map { try cache.look("c\($0)/a") } == ["", ""] + Array(repeating: "{}", count: 8))
        #expect(try cache.listen("c0") == 22)
        #expect(try cache.listen("c2") == 6)
    }

    @Test func `active, pinned and pending things stay`() throws {
        let cache = try CacheFixture()
        try fill(cache, targets: 4)
        _ = try cache.listen("c0")
        try cache.store.transact { (cache) throws(FirestoreError) in try cache.setPinned(true, 4) }
        try cache.write(.set("c2/a", ("n", .integer(1))))
        let viewer = try cache.listen("viewer")
        try cache.store.noteViewChanges([ViewDifference(targetID: viewer, isFromCache: true, added: keys("c3/a"), removed: [])])
        let collected = try cache.store.collectGarbage(threshold: 0, percentile: 100)
        #expect(collected == CollectedGarbage(hasRun: true, targets: 2, documents: 0))
        #expect(try (0..<4).map { try cache.look("c\($0)/a") } == ["{}", "{}", "{n: 1}*", "{}"])
        try cache.store.release(viewer)
        try cache.reject()
        let rest = try cache.store.collectGarbage(threshold: 0, percentile: 100)
        #expect(rest == CollectedGarbage(hasRun: true, targets: 1, documents: 2))
        #expect(try cache.store.check() == [])
    }

    // MARK: Bundles (LO-12)

    @Test func `the documents of a bundle are kept by a target of their own and replace nothing newer`() throws {
        let cache = try CacheFixture(collection: .eager)
        try cache.hear(.found("c/a", 9, ("n", .integer(9))), at: 9)
        let time = DocumentVersion(microseconds: 7)
        #expect(try !cache.store.hasBundle(id: "b", createTime: time))
        let changes = try cache.store.applyBundle(documents: [.found("c/a", 7), .found("c/b", 7), .missing("c/c", 7)], bundleID: "b")
        try cache.store.saveBundle(id: "b", createTime: time)
        #expect(changes.map(\.key.path) == ["c/b", "c/c"])
        #expect(try cache.look("c/a") == "{n: 9}")
        #expect(try cache.look("c/b") == "{}")
        #expect(try cache.store.hasBundle(id: "b", createTime: time))
        #expect(try !cache.store.hasBundle(id: "b", createTime: DocumentVersion(microseconds: 8)))
    }

    @Test func `a named query's target begins at the time of its bundle`() throws {
        let cache = try CacheFixture()
        let target = SyncTarget.query(.collection("c"))
        _ = try cache.store.applyBundle(documents: [.found("c/b", 7)], bundleID: "b")
        try cache.store.saveNamedQuery(
            name: "q", query: ByteSlice([1, 2]), target: target, readTime: DocumentVersion(microseconds: 7), keys: keys("c/b"))
        #expect(try cache.store.namedQuery("q")?.query == ByteSlice([1, 2]))
        #expect(try cache.store.namedQuery("r") == nil)
        let data = try cache.store.allocate(target)
        #expect(data.snapshotVersion.microseconds == 7)
        #expect(data.resumeToken.isEmpty)
        #expect(try cache.store.remoteKeys(of: data.targetID) == keys("c/b"))
    }

    // MARK: Queries

    @Test func `queries and aggregates see pending writes, through indexes too`() async throws {
        let cache = try CacheFixture(indexPolicy: .automatic)
        let target = try cache.listen("c")
        try cache.hear((0..<600).map { .found("c/d\($0)", 5, ("n", .integer(Int64($0)))) }, at: 5, target: target)
        let query = StructuredQuery.collection("c").filter("n", .equal, .integer(7))
        #expect(try cache.paths(query) == ["c/d7"])
        try await cache.store.indexesSettled()
        #expect(try await cache.store.indexStatuses().map(\.state) == [.ready])
        try cache.write(.update("c/d8", "n", .integer(7)))
        try cache.write(.delete("c/d7"))
        try cache.write(.set("c/new", ("n", .integer(7))))
        #expect(try cache.paths(query) == ["c/d8", "c/new"])
        #expect(try cache.store.run(query).map(\.state) == [.hasLocalMutations, .hasLocalMutations])
        let count = try cache.store.aggregate(query, [Aggregation(.count(upTo: nil), alias: "n")])
        guard case .integer(2)? = count.first?.value else { return #expect(Bool(false)) }
        for _ in 0..<3 { try cache.reject() }
        #expect(try cache.paths(query) == ["c/d7"])
    }
}
