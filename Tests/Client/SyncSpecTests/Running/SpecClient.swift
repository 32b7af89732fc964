// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire
import Foundation
import TestSupport

/// Where the cache of a run is.
enum SpecPersistence: String, Sendable, CaseIterable {
    case memory, disk
}

/// What the client did since the last check.
struct SpecObservations {
    var events: [(query: ClientTarget, result: Result<SyncSnapshot, FirestoreError>)] = []
    var acknowledged: [DocumentKey] = []
    var rejected: [DocumentKey] = []
    var snapshotsInSyncCount = 0
    var pendingWritesCount = 0
}

/// One client: a cache, an engine over it, and the scripted world around them. A restart makes all of them anew.
final class SpecClient {
    private let configuration: SpecConfiguration
    private let persistence: SpecPersistence
    private let folder: ScratchFolder
    private let clock = ManualClock(microseconds: 1_000_000_000)

    private(set) var store: LocalStore?
    private(set) var engine: SyncEngine?
    private(set) var server = ScriptedTransport()
    private(set) var timers = ScriptedTimers()
    private var queue = SpecQueue()
    /// Which life of the client this is: nothing of an earlier one is observed.
    private(set) var life = 0

    var user = SyncUser.unauthenticated
    var isNetworkEnabled = true
    var observed = SpecObservations()
    private(set) var failingOperations: Set<StoreOperation> = []

    init(_ configuration: SpecConfiguration, _ persistence: SpecPersistence) throws {
        self.configuration = configuration
        self.persistence = persistence
        folder = try ScratchFolder()
        try open()
    }

    private func open() throws {
        life += 1
        server = ScriptedTransport()
        timers = ScriptedTimers()
        queue = SpecQueue()
        isNetworkEnabled = true
        failingOperations = []
        let isEager = persistence == .memory && configuration.collectsEagerlyInMemory
        let store = try LocalStore.open(
            LocalStore.Configuration(
                location: persistence == .memory ? .memory : .file(path: folder.file("cache.db")),
                databaseID: SpecValues.database, server: "test.invalid", user: user,
                collection: isEager ? .eager : .leastRecentlyUsed, clock: clock))
        var settings = SyncEngine.Settings()
        settings.concurrentLimboResolutions = configuration.concurrentLimboResolutions ?? .max
        settings.backoff = Backoff(random: { 0.5 })
        settings.collectionThreshold = nil
        let engine = SyncEngine(
            store: store, transport: server, timers: timers, settings: settings
        ) { [queue] in queue.post($0) }
        self.store = store
        self.engine = engine
        engine.start()
    }

    func running() throws -> (engine: SyncEngine, store: LocalStore) {
        guard let engine, let store else { throw SpecFailure("the client is shut down") }
        return (engine, store)
    }

    func shutdown() throws {
        guard let engine, let store else { return }
        life += 1
        store.willRun = nil
        engine.shutdown()
        self.engine = nil
        self.store = nil
        queue = SpecQueue()
        try store.close()
    }

    func restart() throws {
        try shutdown()
        try open()
    }

    func clearPersistence() throws {
        guard engine == nil else { throw SpecFailure("the client must be shut down before its cache is deleted") }
        for name in folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }
    }

    func fail(_ operations: Set<StoreOperation>) throws {
        failingOperations = operations
        guard !operations.isEmpty else {
            try running().store.willRun = nil
            return
        }
        try running().store.willRun = { (operation: StoreOperation) throws(FirestoreError) in
            if operations.contains(operation) { throw FirestoreError(.unavailable, "the scenario makes \"\(operation.rawValue)\" fail") }
        }
    }

    /// Runs everything that is to happen in this step: jobs, and streams that open again.
    func drain(holdingListenBackoff isHeld: Bool = false) throws {
        guard let engine else { return }
        var jobs = 0
        repeat {
            while let job = queue.removeFirst() {
                job(engine)
                jobs += 1
                guard jobs < 100_000 else { throw SpecFailure("the client does not come to rest") }
            }
            guard let timer = timers.takeBackoff(holding: isHeld) else { break }
            queue.post { $0.fire(timer) }
        } while true
        if isHeld { timers.holdListenBackoff() }
    }

    func run(_ timers: SpecAction.Timers) throws {
        for entry in self.timers.due(timers) where self.timers.take(entry) {
            queue.post { $0.fire(entry.timer) }
            try drain()
        }
    }
}
