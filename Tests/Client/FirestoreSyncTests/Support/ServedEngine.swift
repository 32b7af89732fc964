// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// An engine over a cache, with a server and a time that a test plays.
final class ServedEngine {
    let cache: CacheFixture
    let server: FakeServer
    let timers: FakeTimers
    private let jobs: JobQueue
    private let now: ManualTime
    let engine: SyncEngine
    private let changes = OfflineChanges()
    /// The changes that an observer was called with.
    var offline: [Bool] { Array(changes.all.dropFirst()) }

    init(
        collection: LocalStore.Collection = .leastRecentlyUsed, file: String? = nil, resumesWriteStreams: Bool = false,
        change: (inout SyncEngine.Settings) -> Void = { _ in }
    ) throws {
        let (cache, server, timers, jobs, now) = (
            try CacheFixture(collection: collection, file: file), FakeServer(), FakeTimers(), JobQueue(), ManualTime()
        )
        server.resumesWriteStreams = resumesWriteStreams
        var settings = SyncEngine.Settings()
        settings.backoff = Backoff(random: { 0.5 })
        settings.now = { now.value }
        change(&settings)
        (self.cache, self.server, self.timers, self.jobs, self.now) = (cache, server, timers, jobs, now)
        engine = SyncEngine(
            store: cache.store, transport: server, timers: timers, settings: settings
        ) { jobs.add($0) }
        _ = engine.observers.observeOffline { [changes] isOffline in changes.add(isOffline) }
        engine.start()
        run()
    }

    /// Runs what was posted.
    func run() { while let job = jobs.next() { job(engine) } }

    /// Time passes, and a timer that is due by then fires.
    func pass(_ time: Duration, _ timer: SyncTimer) {
        now.advance(time)
        if let delay = timers.running[timer], delay <= time {
            timers.running[timer] = nil
            engine.fire(timer)
        }
        run()
    }

    func close() throws {
        engine.shutdown()
        try cache.store.close()
    }

    // MARK: The server

    /// Answers a target: these are its documents as of a version.
    func sync(_ id: TargetID, at version: Int64, _ documents: RemoteDocument...) {
        let time = DocumentVersion(microseconds: version)
        server.listen?.tell(.targetChange(TargetChange(.add, targets: [id])))
        for document in documents.compactMap(\.document) {
            server.listen?.tell(.documentChange(DatabaseID(projectID: "demo"), document, targets: [id], removedFrom: []))
        }
        let token = ByteSlice([UInt8]("t\(version)".utf8))
        server.listen?.tell(.targetChange(TargetChange(.current, targets: [id], resumeToken: token, readTime: time)))
        server.listen?.tell(.targetChange(TargetChange(.noChange, readTime: time)))
        run()
    }

    func refuse(_ id: TargetID, _ code: FirestoreError.Code = .permissionDenied) {
        server.listen?.tell(.targetChange(TargetChange(.remove, targets: [id], cause: FirestoreError(code, "no"))))
        run()
    }

    func answerHandshake() {
        server.write?.tell(.response(WriteResponse(streamID: "", streamToken: ByteSlice([1]))))
        run()
    }

    /// Accepts the oldest batch that was sent.
    func acknowledge(at version: Int64) throws {
        let writes = try #require(server.takeBatch())
        let time = DocumentVersion(microseconds: version)
        server.write?.tell(
            .response(
                WriteResponse(
                    streamID: "", streamToken: ByteSlice([2]), results: writes.map { _ in WriteResult(updateTime: time) }, commitTime: time)))
        run()
    }

    func breakWriteStream(_ code: FirestoreError.Code = .unavailable) {
        let link = server.write
        server.write = nil
        link?.tell(.ended(FirestoreError(code, "broken")))
        run()
    }

    func breakListenStream() {
        let link = server.listen
        server.listen = nil
        link?.tell(.ended(FirestoreError(.unavailable, "broken")))
        run()
    }

    // MARK: The client

    func pin(_ name: String) throws -> PinnedTarget {
        try #require(try engine.pinnedTargets().first { $0.name == name })
    }
}

private final class OfflineChanges: Sendable {
    private let changes = Mutex<[Bool]>([])

    var all: [Bool] { changes.withLock { $0 } }

    func add(_ isOffline: Bool) { changes.withLock { $0.append(isOffline) } }
}

/// Counts the changes of a subject.
final class Changes: Sendable {
    private let changes = Mutex(0)

    init(_ engine: SyncEngine, _ subject: SyncSubject) {
        _ = engine.observers.observe(subject) { [weak self] in self?.count += 1 }
    }

    var count: Int {
        get { changes.withLock { $0 } }
        set { changes.withLock { $0 = newValue } }
    }
}

/// The time of a test.
final class ManualTime: Sendable {
    private let time = Mutex(Duration.zero)
    var value: Duration { time.withLock { $0 } }
    func advance(_ step: Duration) { time.withLock { $0 += step } }
}

/// What was posted to an engine.
final class JobQueue: Sendable {
    private let jobs = Mutex<[@Sendable (SyncEngine) -> Void]>([])
    func add(_ job: @escaping @Sendable (SyncEngine) -> Void) { jobs.withLock { $0.append(job) } }
    func next() -> (@Sendable (SyncEngine) -> Void)? { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

final class FakeTimers: SyncTimers {
    var running: [SyncTimer: Duration] = [:]
    func start(_ timer: SyncTimer, after delay: Duration) { running[timer] = delay }
    func cancel(_ timer: SyncTimer) { running[timer] = nil }
    func cancelAll() { running = [:] }
}

/// Records what a client asks for, and answers what a test says.
///
/// `@unchecked Sendable`: used on the thread of its test only.
final class FakeServer: SyncTransport, @unchecked Sendable {
    let writeWindow = 10
    var resumesWriteStreams = false
    /// The first messages of Write streams.
    private(set) var handshakes: [WriteRequest] = []
    var listen: Link<ListenStreamEvent>?
    var write: Link<WriteStreamEvent>?
    private(set) var targets: [TargetID: ListenTargetRequest.Start] = [:]
    private(set) var batches: [[Write]] = []

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        targets = [:]
        let link = Link(self, receive)
        listen = link
        return link
    }

    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        batches = []
        let link = Link(self, receive)
        write = link
        return link
    }

    func invalidateCredentials() {}

    func takeBatch() -> [Write]? { batches.isEmpty ? nil : batches.removeFirst() }

    /// `@unchecked Sendable`: as its server.
    final class Link<Event>: @unchecked Sendable {
        fileprivate unowned let server: FakeServer
        private let receive: @Sendable (Event) -> Void

        fileprivate init(_ server: FakeServer, _ receive: @escaping @Sendable (Event) -> Void) {
            self.server = server
            self.receive = receive
        }

        func tell(_ event: Event) { receive(event) }

        func close() {}
    }
}

extension FakeServer.Link: ListenLink where Event == ListenStreamEvent {
    func tell(_ response: ListenResponse) { tell(.response(response)) }
    func send(_ request: ListenRequest) { server.take(request) }
}

extension FakeServer.Link: WriteLink where Event == WriteStreamEvent {
    func send(_ request: WriteRequest) { server.take(request) }
}

extension FakeServer {
    fileprivate func take(_ request: ListenRequest) {
        switch request.change {
        case .add(let add): targets[add.targetID] = add.start
        case .remove(let id):
            targets[id] = nil
            listen?.tell(.targetChange(TargetChange(.remove, targets: [id])))
        }
    }

    fileprivate func take(_ request: WriteRequest) {
        if request.writes.isEmpty { handshakes.append(request) } else { batches.append(request.writes) }
    }
}
