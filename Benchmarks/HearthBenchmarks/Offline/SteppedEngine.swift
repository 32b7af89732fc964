// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire

/// A sync engine on the calling thread, with a server that a case plays: what the engine itself costs, without threads or wires.
struct SteppedEngine {
    let store: LocalStore
    let server: PlayedServer
    let engine: SyncEngine
    private let jobs = PostedJobs()

    init(_ store: LocalStore, window: Int = 256) {
        self.store = store
        server = PlayedServer(window: window)
        let jobs = jobs
        engine = SyncEngine(
            store: store, transport: server, timers: NoTimers(), post: { jobs.add($0) })
        engine.start()
        run()
    }

    /// Runs what was posted.
    func run() { while let job = jobs.next() { job(engine) } }

    func close() throws {
        engine.shutdown()
        try store.close()
    }
}

private final class PostedJobs: Sendable {
    typealias Job = @Sendable (SyncEngine) -> Void
    private let jobs = Mutex<(list: [Job], first: Int)>(([], 0))

    func add(_ job: @escaping Job) { jobs.withLock { $0.list.append(job) } }

    func next() -> Job? {
        jobs.withLock { jobs in
            guard jobs.first < jobs.list.count else {
                jobs = ([], 0)
                return nil
            }
            jobs.first += 1
            return jobs.list[jobs.first - 1]
        }
    }
}

private struct NoTimers: SyncTimers {
    func start(_ timer: SyncTimer, after delay: Duration) {}
    func cancelAll() {}
    func cancel(_ timer: SyncTimer) {}
}

/// A scripted server: it accepts targets and handshakes, and sends what a case wants.
final class PlayedServer: SyncTransport {
    let writeWindow: Int
    /// Like `hearth serve`.
    let resumesWriteStreams = true

    private struct State {
        var listening: PlayedLink?
        var writing: PlayedLink?
        var unanswered = 0
        var stream = ""
        var answered: Int64 = 0
        var firstBatch: ContinuousClock.Instant?
        var version: Int64 = 2_000_000_000_000_000
    }

    private let state = Mutex(State())
    private let onTarget = Mutex<(@Sendable (ListenTargetRequest) -> Void)?>(nil)

    init(window: Int) { writeWindow = window }

    /// When the first batch of writes was sent.
    var firstBatch: ContinuousClock.Instant? { state.withLock { $0.firstBatch } }

    /// Batches that were sent and not answered.
    var unanswered: Int { state.withLock { $0.unanswered } }

    // MARK: The client's side

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        let link = PlayedLink(self, hear: receive)
        state.withLock { $0.listening = link }
        return link
    }

    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        let link = PlayedLink(self, answer: receive)
        state.withLock { state in
            state.writing = link
            state.unanswered = 0
        }
        return link
    }

    func invalidateCredentials() {}

    fileprivate func take(_ request: ListenRequest) {
        switch request.change {
        case .add(let add):
            tell(.targetChange(TargetChange(.add, targets: [add.targetID])))
            onTarget.withLock { $0 }?(add)
        case .remove(let id): tell(.targetChange(TargetChange(.remove, targets: [id])))
        }
    }

    fileprivate func take(_ request: WriteRequest) {
        guard !request.writes.isEmpty else { return begin(request) }
        state.withLock { state in
            state.unanswered += 1
            if state.firstBatch == nil { state.firstBatch = .now }
        }
    }

    // MARK: The server's side

    /// What happens for each target, after it was added.
    func whenAsked(_ body: @escaping @Sendable (ListenTargetRequest) -> Void) { onTarget.withLock { $0 = body } }

    /// A time after all others.
    func nextVersion() -> DocumentVersion {
        state.withLock { state in
            state.version += 1
            return DocumentVersion(microseconds: state.version)
        }
    }

    func tell(_ response: ListenResponse) { state.withLock { $0.listening }?.hear?(.response(response)) }

    /// A target is complete, and with it everything else.
    func complete(_ id: Int32, at version: DocumentVersion) {
        let token = ByteSlice([UInt8]("token\(version.microseconds)".utf8))
        tell(.targetChange(TargetChange(.current, targets: [id], resumeToken: token, readTime: version)))
        tell(.targetChange(TargetChange(.noChange, resumeToken: token, readTime: version)))
    }

    /// Acknowledges the oldest batch, of one write. Returns its version.
    @discardableResult
    func acknowledge() -> DocumentVersion {
        let version = nextVersion()
        let (link, token) = state.withLock { state in
            state.unanswered -= 1
            state.answered += 1
            return (state.writing, WriteStreamToken(number: state.answered).bytes(of: state.stream))
        }
        link?.answer?(
            .response(
                WriteResponse(streamID: "", streamToken: token, results: [WriteResult(updateTime: version)], commitTime: version)))
        return version
    }

    private func begin(_ request: WriteRequest) {
        let (link, id, token) = state.withLock { state in
            state.stream = request.streamID.isEmpty ? WriteStreamResumption.makeStreamID() : request.streamID
            return (state.writing, state.stream, WriteStreamToken(number: state.answered).bytes(of: state.stream))
        }
        link?.answer?(.response(WriteResponse(streamID: id, streamToken: token)))
    }
}

private final class PlayedLink: ListenLink, WriteLink {
    private unowned let server: PlayedServer
    let hear: (@Sendable (ListenStreamEvent) -> Void)?
    let answer: (@Sendable (WriteStreamEvent) -> Void)?

    init(
        _ server: PlayedServer, hear: (@Sendable (ListenStreamEvent) -> Void)? = nil,
        answer: (@Sendable (WriteStreamEvent) -> Void)? = nil
    ) {
        self.server = server
        self.hear = hear
        self.answer = answer
    }

    func send(_ request: ListenRequest) { server.take(request) }
    func send(_ request: WriteRequest) { server.take(request) }
    func close() {}
}
