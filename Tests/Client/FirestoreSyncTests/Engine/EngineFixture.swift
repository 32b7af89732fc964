// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// An engine over a cache in memory, with a server, a queue and timers that do what a test says, and a record of what its
/// listeners and callers were notified.
final class EngineFixture {
    static let database = DatabaseID(projectID: "demo")

    let clock = ManualClock(microseconds: 1_000_000_000)
    let server = ScriptedServer()
    let timers = VirtualTimers()
    let store: LocalStore
    let engine: SyncEngine
    /// What the engine noted and survived.
    let log = EngineLog()
    private let queue = EngineQueue()
    /// `M: [a b] +a ~b fc pw` for each snapshot of the listener M; `w: acknowledged`, `w: rejected notFound` for each write.
    private(set) var events: [String] = []
    private(set) var shown: [String: SyncSnapshot] = [:]

    init(
        user: SyncUser = .unauthenticated, collection: LocalStore.Collection = .leastRecentlyUsed,
        _ change: (inout SyncEngine.Settings) -> Void = { _ in }
    ) throws {
        store = try LocalStore.open(
            LocalStore.Configuration(
                location: .memory, databaseID: Self.database, server: "test.invalid", user: user, collection: collection,
                indexPolicy: .manual, clock: clock))
        var settings = SyncEngine.Settings()
        settings.backoff = Backoff(random: { 0.5 })
        settings.now = { .zero }
        settings.log = { [log] in log.note($0) }
        change(&settings)
        engine = SyncEngine(
            store: store, transport: server, timers: timers, settings: settings
        ) { [queue] in queue.post($0) }
        engine.start()
        drain()
    }

    /// Runs what was posted, until nothing is left.
    func drain() {
        while let job = queue.removeFirst() { job(engine) }
    }

    func fire(_ timer: SyncTimer) {
        guard timers.take(timer) else {
            Issue.record("\(timer) is not running")
            return
        }
        engine.fire(timer)
        drain()
    }

    // MARK: What happens

    @discardableResult
    func listen(
        _ name: String, _ target: ClientTarget = .query("c"), metadata: Bool = true, source: ReadSource = .default,
        waitsForSync: Bool = false, confirmsWrites: Bool = false,
        onEvent: @escaping (Result<SyncSnapshot, FirestoreError>) -> Void = { _ in }
    ) -> SyncListener {
        let options = SyncListener.Options(
            source: source, includeMetadataChanges: metadata, waitsForSync: waitsForSync, confirmsWrites: confirmsWrites)
        let listener = SyncListener(to: target, options: options) { [unowned self] result in
            switch result {
            case .success(let snapshot):
                shown[name] = snapshot
                note(name + ": " + Self.text(snapshot))
            case .failure(let error): note(name + ": \(error.code)")
            }
            onEvent(result)
        }
        engine.listen(listener)
        drain()
        return listener
    }

    func unlisten(_ listener: SyncListener) {
        engine.unlisten(listener)
        drain()
    }

    func write(_ name: String = "w", _ writes: Write...) {
        engine.write(writes) { [unowned self] result in
            switch result {
            case .success: note(name + ": acknowledged")
            case .failure(let error): note(name + ": rejected \(error.code)")
            }
        }
        drain()
    }

    func note(_ line: String) { events.append(line) }

    /// What the server does.
    func server(_ act: (ScriptedServer) -> Void) {
        act(server)
        drain()
    }

    // MARK: What can be seen

    func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    /// A document as the listener saw it last.
    func document(_ id: String, of name: String = "M") throws -> Document {
        try #require(shown[name]?.documents.first { $0.key.id == id })
    }

    func fields(_ id: String, of name: String = "M") throws -> String { try CacheFixture.short(try document(id, of: name).fields) }

    /// A field that may be a pending timestamp, read in each of the three ways; a time as microseconds.
    func readings(_ id: String, _ field: String, of name: String = "M") throws -> [String] {
        let fields = try document(id, of: name).fields
        return try [PendingTimestamp.Reading.null, .estimate, .previous].map { reading in
            let map = try fields.reading(pendingTimestampsAs: reading).map
            if case .timestamp(let time)? = map[field] { return "\(time.seconds * 1_000_000 + Int64(time.nanoseconds / 1_000))" }
            return try CacheFixture.short(FieldBytes(FieldMap([("", map[field] ?? .null)])))
        }
    }

    static func text(_ snapshot: SyncSnapshot) -> String {
        var words = ["[" + snapshot.documents.map(\.key.id).joined(separator: " ") + "]"]
        words += snapshot.changes.map { change in
            let sign =
                switch change.kind {
                case .added: "+"
                case .modified: "~"
                case .removed: "-"
                case .metadata: "µ"
                }
            return sign + change.document.key.id
        }
        if snapshot.isFromCache { words.append("fc") }
        if snapshot.hasPendingWrites { words.append("pw") }
        return words.joined(separator: " ")
    }
}

/// What an engine logs.
final class EngineLog: Sendable {
    private let state = Mutex<[String]>([])

    func note(_ line: String) { state.withLock { $0.append(line) } }

    var lines: [String] { state.withLock { $0 } }
}

/// The queue of an engine.
///
/// `@unchecked Sendable`: used on the thread of its test only, where the engine and the server post.
final class EngineQueue: @unchecked Sendable {
    private var jobs: [@Sendable (SyncEngine) -> Void] = []

    func post(_ job: @escaping @Sendable (SyncEngine) -> Void) { jobs.append(job) }

    func removeFirst() -> (@Sendable (SyncEngine) -> Void)? { jobs.isEmpty ? nil : jobs.removeFirst() }
}

/// Timers that run when a test says so.
final class VirtualTimers: SyncTimers {
    private(set) var running: [SyncTimer: Duration] = [:]

    func start(_ timer: SyncTimer, after delay: Duration) { running[timer] = delay }

    func cancel(_ timer: SyncTimer) { running[timer] = nil }
    func cancelAll() { running = [:] }

    func take(_ timer: SyncTimer) -> Bool { running.removeValue(forKey: timer) != nil }
}

extension ClientTarget {
    static func query(_ collection: String) -> ClientTarget { .query(ClientQuery(.collection(collection))) }

    static func query(_ query: StructuredQuery) -> ClientTarget { .query(ClientQuery(query)) }

    static func document(_ path: String) -> ClientTarget { .document(DocumentKey(trusted: path)) }
}
