// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// One engine on a shared cache, and the store of a second process, whose engine is the test (SY-D14 … SY-D16).
@Suite struct SharedEngineTests {
    private static let alice = SyncUser(uid: "alice")
    private static let trails = ClientTarget.query(ClientQuery(.collection("trails")))

    private final class Pair {
        let folder: ScratchFolder
        let server = FakeServer()
        let timers = FakeTimers()
        let engine: SyncEngine
        private let jobs = JobQueue()
        private var others: [LocalStore] = []

        init() throws {
            folder = try ScratchFolder()
            var settings = SyncEngine.Settings()
            settings.backoff = Backoff(random: { 0.5 })
            settings.now = { .zero }
            let jobs = jobs
            engine = SyncEngine(
                store: try Self.open(folder), transport: server, timers: timers, settings: settings
            ) { jobs.add($0) }
            engine.start()
            run()
        }

        private static func open(_ folder: ScratchFolder) throws -> LocalStore {
            var configuration = LocalStore.Configuration(
                location: .file(path: folder.file()), databaseID: DatabaseID(projectID: "demo"), server: "s", user: SharedEngineTests.alice,
                durability: .relaxed, indexPolicy: .manual, clock: ManualClock(microseconds: 1_000_000_000_000_000))
            configuration.isShared = true
            return try LocalStore.open(configuration)
        }

        /// A process that comes, and follows.
        func other() throws -> LocalStore {
            let store = try Self.open(folder)
            store.membership?.isFollower = true
            others.append(store)
            return store
        }

        func run() { while let job = jobs.next() { job(engine) } }

        func wake(_ event: SharingMachine.Event = .woken) {
            engine.sharing?.handle(event)
            run()
        }

        func listen() -> SyncListener {
            let listener = SyncListener(to: SharedEngineTests.trails) { _ in }
            engine.listen(listener)
            run()
            return listener
        }

        func sync(_ id: TargetID, at version: Int64) {
            server.listen?.tell(.targetChange(TargetChange(.add, targets: [id])))
            let (token, time) = (ByteSlice([UInt8]("t\(version)".utf8)), DocumentVersion(microseconds: version))
            server.listen?.tell(.targetChange(TargetChange(.current, targets: [id], resumeToken: token, readTime: time)))
            server.listen?.tell(.targetChange(TargetChange(.noChange, readTime: time)))
            run()
        }

        func close() throws {
            engine.shutdown()
            for store in others { try store.close() }
            try engine.store.close()
        }
    }

    @Test func `a process that comes learns what the leader knows, even if the leader was faster than its wake-up pipe`() throws {
        let pair = try Pair()
        let listener = pair.listen()
        let id = try #require(pair.engine.targetID(of: listener))
        pair.sync(id, at: 10)
        #expect(pair.engine.onlineState == .online)
        let other = try pair.other()
        // The transaction finds the newcomer.
        pair.engine.write([.set("other/a")], completion: { _ in })
        #expect(pair.engine.store.hasOthers)
        pair.wake()
        _ = try other.catchUp()
        #expect(try other.leaderOnlineState == .online && other.isCurrentAtLeader(id))
        try pair.close()
    }

    @Test func `a follower notices that the leader is offline, even if its own transaction has read it`() throws {
        let pair = try Pair()
        let other = try pair.other()
        // The test leads, as a process that was there before.
        pair.engine.setNetworkEnabled(false)
        let lock = try #require(other.membership?.folder.lead())
        pair.engine.setNetworkEnabled(true)
        #expect(pair.engine.store.isFollower)
        other.membership?.isFollower = false
        _ = try other.catchUp()
        try other.setOnlineState(.online)
        pair.wake()
        #expect(pair.engine.onlineState == .online)
        try other.setOnlineState(.offline)
        pair.engine.write([.set("other/a")], completion: { _ in })
        #expect(pair.engine.store.leaderOnlineState == .offline)
        pair.wake()
        #expect(pair.engine.onlineState == .offline)
        withExtendedLifetime(lock) {}
        try pair.close()
    }

    @Test func `what another user queues is not sent with this user's credentials, and the leader steps down`() throws {
        let pair = try Pair()
        let other = try pair.other()
        _ = try other.changeUser(to: SyncUser(uid: "bob"))
        _ = try other.write([[.set("c/bobs")]])
        // A transaction of the leader learns of the user before the wake-up pipe reports it.
        try pair.engine.store.probe()
        #expect(pair.engine.store.user == SyncUser(uid: "bob"))
        pair.engine.streams.fillPipeline()
        #expect(pair.engine.outstandingWriteCount == 0 && pair.server.write == nil)
        #expect(!pair.engine.store.isFollower)
        pair.wake()
        #expect(pair.engine.store.isFollower)
        // Nor does it lead again before the user is its own.
        pair.wake(.ticked)
        #expect(pair.engine.store.isFollower && pair.engine.outstandingWriteCount == 0)
        _ = try other.changeUser(to: Self.alice)
        pair.wake(.ticked)
        #expect(!pair.engine.store.isFollower)
        try pair.close()
    }

    @Test func `what the next leader has to know is stored later if it cannot be stored now`() throws {
        let pair = try Pair()
        let id = try #require(pair.engine.targetID(of: pair.listen()))
        let other = try pair.other()
        pair.wake()
        pair.engine.store.willRun = { (operation) throws(FirestoreError) in
            if operation == .targetData { throw FirestoreError(.resourceExhausted, "the disk is full") }
        }
        pair.engine.setNetworkEnabled(false)
        #expect(pair.engine.store.isFollower)
        #expect(try other.wantedTargets().isEmpty)
        pair.engine.store.willRun = nil
        pair.wake(.ticked)
        #expect(try other.wantedTargets().keys.sorted() == [id])
        // Once it leads again, nothing of that is left.
        pair.engine.setNetworkEnabled(true)
        #expect(!pair.engine.store.isFollower)
        #expect(try other.wantedTargets().isEmpty)
        try pair.close()
    }

    @Test func `a process that cannot begin to lead tries again`() throws {
        let pair = try Pair()
        let id = try #require(pair.engine.targetID(of: pair.listen()))
        let other = try pair.other()
        pair.engine.setNetworkEnabled(false)
        #expect(try other.wantedTargets().keys.sorted() == [id])
        pair.engine.store.willRun = { (operation) throws(FirestoreError) in
            if operation == .targetData { throw FirestoreError(.resourceExhausted, "the disk is full") }
        }
        pair.engine.setNetworkEnabled(true)
        #expect(pair.engine.store.isFollower)
        #expect(try other.wantedTargets().keys.sorted() == [id])
        pair.engine.store.willRun = nil
        pair.wake(.ticked)
        #expect(!pair.engine.store.isFollower)
        try pair.close()
    }

    @Test func `pins of another process are fetched, refreshed, observed and forgotten`() throws {
        let pair = try Pair()
        let changes = Changes(pair.engine, .pins)
        let other = try pair.other()
        let id = try other.pin(Self.trails, named: "trails", refreshEvery: .seconds(60)).targetID
        // Before the process is woken, by its name.
        try pair.engine.refreshPinNow("trails")
        pair.run()
        #expect(changes.count > 0 && pair.server.targets.keys.sorted() == [id])
        pair.sync(id, at: 10)
        #expect(try pair.engine.pinnedTargets().map(\.isCurrent) == [true])
        // Another interval and another name, when the process is woken.
        _ = try other.pin(Self.trails, named: "trails", refreshEvery: .seconds(30))
        _ = try other.pin(.document(DocumentKey(trusted: "huts/stone")), named: "hut", refreshEvery: .seconds(60))
        changes.count = 0
        pair.wake()
        #expect(changes.count > 0 && pair.engine.pinned.keys.sorted() == ["hut", "trails"])
        #expect(pair.engine.pinned["trails"]?.pin.refreshInterval == .seconds(30))
        _ = try other.unpin("trails")
        changes.count = 0
        pair.wake()
        #expect(changes.count > 0 && pair.engine.pinned.keys.sorted() == ["hut"])
        changes.count = 0
        _ = try other.write([[.set("c/a")]])
        pair.wake()
        #expect(changes.count == 0)
        try pair.close()
    }
}
