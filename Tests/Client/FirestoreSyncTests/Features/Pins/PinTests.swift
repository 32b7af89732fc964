// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Queries that stay in the cache (SY-D25, T140).
@Suite struct PinTests {
    private static let trails = ClientTarget.query(ClientQuery(.collection("trails")))
    private static let hour = Duration.seconds(3_600)

    private func collectAll(_ fixture: ServedEngine) throws {
        _ = try fixture.cache.store.collectGarbage(threshold: 0, percentile: 100)
    }

    // T140
    @Test(arguments: [LocalStore.Collection.leastRecentlyUsed, .eager])
    func `what is pinned is fetched once and stays, until it is unpinned`(collection: LocalStore.Collection) throws {
        let fixture = try ServedEngine(collection: collection)
        try fixture.engine.pin(Self.trails, named: "trails", refreshEvery: Self.hour)
        #expect(fixture.server.targets == [2: .beginning])
        #expect(try !fixture.pin("trails").isCurrent && fixture.pin("trails").asOf == .none)
        fixture.sync(2, at: 10, .found("trails/ridge", 5, ("n", .integer(1))), .found("trails/lake", 6))
        let pin = try fixture.pin("trails")
        #expect(pin.isCurrent && pin.documentCount == 2 && pin.byteCount > 10 && pin.asOf.microseconds == 10)
        #expect(pin.refreshInterval == Self.hour && pin.target == Self.trails && pin.lastError == nil)
        // Nothing is listened to any more, and nothing goes.
        #expect(fixture.server.targets.isEmpty)
        try collectAll(fixture)
        #expect(try fixture.cache.paths(.collection("trails")) == ["trails/lake", "trails/ridge"])
        try fixture.engine.unpin("trails")
        #expect(try fixture.engine.pinnedTargets().isEmpty)
        try collectAll(fixture)
        #expect(try fixture.cache.paths(.collection("trails")).isEmpty)
        #expect(fixture.timers.running[.pinRefresh] == nil)
        #expect(throws: FirestoreError.self) { try fixture.engine.unpin("trails") }
    }

    @Test func `it is fetched again when its time has come, from where it was`() throws {
        let fixture = try ServedEngine()
        try fixture.engine.pin(Self.trails, named: "trails", refreshEvery: Self.hour)
        fixture.sync(2, at: 10, .found("trails/ridge", 5))
        #expect(fixture.timers.running[.pinRefresh] == Self.hour)
        fixture.pass(.seconds(3_599), .listenIdle)
        fixture.pass(Self.hour, .pinRefresh)
        #expect(fixture.server.targets == [2: .resumeToken(ByteSlice([UInt8]("t10".utf8)))])
        #expect(try !fixture.pin("trails").isCurrent && fixture.pin("trails").documentCount == 1)
        fixture.sync(2, at: 20, .found("trails/lake", 15))
        #expect(try fixture.pin("trails").isCurrent && fixture.pin("trails").documentCount == 2)
        #expect(try fixture.pin("trails").asOf.microseconds == 20)
        // Or immediately.
        try fixture.engine.refreshPinNow("trails")
        #expect(fixture.server.targets.keys.sorted() == [2])
        fixture.sync(2, at: 30)
        #expect(try fixture.pin("trails").asOf.microseconds == 30)
        #expect(throws: FirestoreError.self) { try fixture.engine.refreshPinNow("lakes") }
    }

    @Test func `it survives a restart and is fetched then`() throws {
        let folder = try ScratchFolder()
        let mirror = ClientTarget.query(
            ClientQuery(
                StructuredQuery(
                    scope: .collection(CollectionPath(trusted: "trails")), orders: [SortOrder(path: FieldPathSegments("n"))], limit: 2),
                limitsToLast: true))
        do {
            let fixture = try ServedEngine(file: folder.file("cache.db"))
            try fixture.engine.pin(mirror, named: "last", refreshEvery: .milliseconds(1_500))
            try fixture.engine.pin(.document(DocumentKey(trusted: "huts/stone")), named: "hut", refreshEvery: Self.hour)
            fixture.sync(2, at: 10, .found("trails/ridge", 5, ("n", .integer(1))))
            try fixture.close()
        }
        let fixture = try ServedEngine(file: folder.file("cache.db"))
        let pins = try fixture.engine.pinnedTargets()
        #expect(pins.map(\.name) == ["hut", "last"] && pins.map(\.documentCount) == [0, 1])
        #expect(pins.map(\.target) == [.document(DocumentKey(trusted: "huts/stone")), mirror])
        #expect(pins[1].refreshInterval == .milliseconds(1_500) && pins[1].asOf.microseconds == 10)
        #expect(fixture.server.targets == [2: .resumeToken(ByteSlice([UInt8]("t10".utf8))), 4: .beginning])
        try fixture.close()
    }

    @Test func `a listener of the same query continues, and the pin after it`() throws {
        let fixture = try ServedEngine()
        var snapshots = 0
        let listener = SyncListener(to: Self.trails) { if case .success = $0 { snapshots += 1 } }
        fixture.engine.listen(listener)
        fixture.sync(2, at: 10, .found("trails/ridge", 5))
        try fixture.engine.pin(Self.trails, named: "trails", refreshEvery: Self.hour)
        fixture.run()
        #expect(try fixture.pin("trails").isCurrent)
        #expect(fixture.server.targets.keys.sorted() == [2] && snapshots == 1)
        fixture.engine.unlisten(listener)
        try collectAll(fixture)
        #expect(try fixture.pin("trails").documentCount == 1)
    }

    @Test func `a refused pin keeps what it has, and tries again`() throws {
        let fixture = try ServedEngine(collection: .eager)
        try fixture.engine.pin(Self.trails, named: "trails", refreshEvery: Self.hour)
        fixture.sync(2, at: 10, .found("trails/ridge", 5))
        try fixture.engine.refreshPinNow("trails")
        fixture.refuse(2)
        let pin = try fixture.pin("trails")
        #expect(pin.lastError?.code == .permissionDenied && !pin.isCurrent && pin.documentCount == 1)
        fixture.pass(Self.hour, .pinRefresh)
        fixture.sync(2, at: 20)
        #expect(try fixture.pin("trails").lastError == nil && fixture.pin("trails").isCurrent)
    }

    @Test func `names are replaced, and two names may keep one query`() throws {
        let fixture = try ServedEngine(collection: .eager)
        let changes = Changes(fixture.engine, .pins)
        try fixture.engine.pin(Self.trails, named: "a", refreshEvery: Self.hour)
        try fixture.engine.pin(Self.trails, named: "b", refreshEvery: Self.hour)
        fixture.sync(2, at: 10, .found("trails/ridge", 5))
        try fixture.engine.pin(Self.trails, named: "a", refreshEvery: .seconds(60))
        fixture.sync(2, at: 11)
        #expect(try fixture.pin("a").refreshInterval == .seconds(60) && fixture.pin("a").documentCount == 1)
        try fixture.engine.pin(.document(DocumentKey(trusted: "huts/stone")), named: "a", refreshEvery: Self.hour)
        #expect(try fixture.pin("b").documentCount == 1)
        try fixture.engine.unpin("b")
        #expect(try fixture.cache.look("trails/ridge") == "")
        #expect(changes.count > 3)
    }

    @Test func `what cannot be listened to cannot be pinned`() throws {
        let fixture = try ServedEngine()
        var query = ClientQuery(.collection("trails"))
        query.query.offset = 1
        #expect(throws: FirestoreError.self) { try fixture.engine.pin(.query(query), named: "a", refreshEvery: Self.hour) }
        #expect(throws: FirestoreError.self) { try fixture.engine.pin(Self.trails, named: "", refreshEvery: Self.hour) }
        #expect(throws: FirestoreError.self) { try fixture.engine.pin(Self.trails, named: "a", refreshEvery: .zero) }
        #expect(try fixture.engine.pinnedTargets().isEmpty)
    }

    @Test func `another user fetches what is pinned with other credentials`() throws {
        let fixture = try ServedEngine()
        try fixture.engine.pin(Self.trails, named: "trails", refreshEvery: Self.hour)
        fixture.sync(2, at: 10, .found("trails/ridge", 5))
        fixture.engine.changeUser(to: SyncUser(uid: "ada"))
        fixture.run()
        #expect(fixture.server.targets.keys.sorted() == [2])
        #expect(try !fixture.pin("trails").isCurrent)
        fixture.sync(2, at: 20)
        #expect(try fixture.pin("trails").isCurrent)
    }

    @Test func `offline, it waits for the server`() throws {
        let fixture = try ServedEngine()
        fixture.engine.setNetworkEnabled(false)
        try fixture.engine.pin(Self.trails, named: "trails", refreshEvery: Self.hour)
        fixture.run()
        #expect(fixture.server.listen == nil)
        #expect(try !fixture.pin("trails").isCurrent)
        fixture.engine.setNetworkEnabled(true)
        fixture.sync(2, at: 10, .found("trails/ridge", 5))
        #expect(try fixture.pin("trails").isCurrent)
    }
}
