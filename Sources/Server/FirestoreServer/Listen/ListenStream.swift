// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// Runs one stream's `ListenState`: passes events to it, from any thread, and performs its actions on one of the threads that all streams
/// share. Batches of the service are merged on the service's thread, in a time proportional to their size.
final class ListenStream: Sendable {
    typealias Opening = @Sendable (DatabaseID) async throws(FirestoreError) -> any DocumentService

    private struct Inner {
        /// nil until the first message has named the database.
        var state: ListenState?
        var session: (any DocumentService)?
        /// The database of the session: it stays open while this stream holds the reference.
        var database: (any DocumentService)?
        var rounds: (any WatchHandle)?
        var handles: [Int: any WatchHandle] = [:]
        /// Requests that wait until the answers to earlier ones are sent.
        var inbox: [ListenRequest] = []
        var isHalfClosed = false
        var isReading = true
        var isRunning = false
        /// Whether an event has occurred since the current run began.
        var hasNews = false
        var hasEnded = false
    }

    private let inner = Mutex(Inner())
    private let outlet: any ListenOutlet
    private let context: RequestContext
    private let limits: ListenLimits
    private let open: Opening
    private let calm: CalmRunner
    private static let fullInbox = 64

    /// - Parameter calm: Runs single changes on the database's thread.
    init(
        to outlet: any ListenOutlet, context: RequestContext, limits: ListenLimits, calm: CalmRunner = CalmRunner(), open: @escaping Opening
    ) {
        self.outlet = outlet
        self.context = context
        self.limits = limits
        self.calm = calm
        self.open = open
    }

    // MARK: From the peer

    func receive(_ request: ListenRequest) {
        let (isFirst, stops) = inner.withLock { inner -> (Bool, Bool) in
            guard !inner.hasEnded else { return (false, false) }
            inner.inbox.append(request)
            let stops = inner.isReading && inner.inbox.count >= Self.fullInbox
            if stops { inner.isReading = false }
            guard inner.state == nil else { return (false, stops) }
            inner.state = ListenState(database: request.database, limits: limits)
            return (true, stops)
        }
        if stops { outlet.setReading(false) }
        if isFirst { openSession(request.database) } else { run() }
    }

    func halfClosed() {
        let isEmpty = inner.withLock { inner in
            inner.isHalfClosed = true
            return inner.state == nil
        }
        // No requests will come.
        if isEmpty { outlet.finish(nil) } else { run() }
    }

    /// There may be capacity again.
    func becameWritable() { run() }

    func drain() {
        let isIdle = inner.withLock { inner in
            inner.state?.drain()
            return inner.state == nil
        }
        if isIdle { outlet.finish(RPCStatus(.unavailable, "the server is shutting down")) } else { run() }
    }

    /// A tick of the timer.
    func tick() { change { $0.tick() } }

    /// The stream has ended: releases everything.
    func end() {
        let (session, rounds, handles) = inner.withLock { inner in
            defer { inner = Inner(isReading: false, hasEnded: true) }
            return (inner.session, inner.rounds, Array(inner.handles.values))
        }
        rounds?.cancel()
        for handle in handles { handle.cancel() }
        guard let session else { return }
        Task { await session.shutdown() }
    }

    // MARK: From the service

    private func openSession(_ database: DatabaseID) {
        Task {
            do throws(FirestoreError) {
                let database = try await open(database)
                let session = try database.session()
                let rounds = session.watchRounds(context: context) { [weak self] time in
                    self?.fold { $0.roundEnded(time) }
                    self?.run(mayStayHere: true)
                }
                let isWanted = inner.withLock { inner in
                    guard !inner.hasEnded else { return false }
                    inner.session = session
                    inner.state?.history = session.history
                    inner.database = database
                    inner.rounds = rounds
                    return true
                }
                guard isWanted else {
                    rounds.cancel()
                    return await session.shutdown()
                }
                run()
            } catch {
                refuse(error)
            }
        }
    }

    /// The database cannot be opened: its targets get the error. Client libraries would reopen a stream that ended with the error, and no
    /// listener would be notified. When the server stops, the stream ends instead, so that clients do try again.
    private func refuse(_ error: FirestoreError) {
        inner.withLock { inner in
            guard error.code != .unavailable else {
                inner.state?.fail(RPCStatus(error))
                return
            }
            for request in inner.inbox { inner.state?.refuse(request, error) }
            inner.inbox = []
            inner.state?.endBehindReplies()
        }
        run()
    }

    private final class Sink: WatchSink {
        private let id: Int
        private weak let stream: ListenStream?

        init(_ id: Int, of stream: ListenStream) {
            self.id = id
            self.stream = stream
        }

        /// The stream acts on it at the end of the round.
        func receive(_ batch: WatchBatch) { stream?.fold { $0.receive(batch, from: self.id) } }
        func fail(_ error: FirestoreError) { stream?.change { $0.fail(self.id, error) } }
    }

    private func fold(_ body: (inout ListenState) -> Void) {
        inner.withLock { inner in
            guard var state = inner.state.take() else { return }
            body(&state)
            inner.state = state
        }
    }

    private func change(_ body: (inout ListenState) -> Void) {
        fold(body)
        run()
    }

    // MARK: Running

    private enum Work {
        case action(ListenState.Action, (any DocumentService)?)
        case setReading(Bool)
        case handled
    }

    /// The maximum number of changes sent on the database's thread: it has other streams to serve.
    private static let fewChanges = 8

    /// Starts a run if there is something to do, on another thread; or on this one, if that is quicker.
    private func run(mayStayHere: Bool = false) {
        let (isIdle, isLittle) = inner.withLock { inner in
            inner.hasNews = true
            guard !inner.isRunning, !inner.hasEnded else { return (false, false) }
            inner.isRunning = true
            return (true, mayStayHere && inner.state?.hasFewChanges(Self.fewChanges) == true)
        }
        guard isIdle else { return }
        if isLittle, calm.run({ self.work() }) { return }
        WorkThreads.shared.run { self.work() }
    }

    private func work() {
        while let work = nextWork(isWritable: outlet.isWritable) {
            switch work {
            case .action(let action, let session): perform(action, session)
            case .setReading(let isOn): outlet.setReading(isOn)
            case .handled: break
            }
        }
    }

    /// Returns nil if there is nothing to do and no event has occurred since the check.
    private func nextWork(isWritable: Bool) -> Work? {
        inner.withLock { inner in
            let hadNews = inner.hasNews
            inner.hasNews = false
            if let work = Self.nextWork(&inner, isWritable: isWritable) {
                inner.hasNews = true
                return work
            }
            // Capacity for writing may have become available after the check.
            if hadNews { return .handled }
            inner.isRunning = false
            return nil
        }
    }

    private static func nextWork(_ inner: inout Inner, isWritable: Bool) -> Work? {
        guard !inner.hasEnded, inner.state != nil else { return nil }
        // A fail-over that lost nothing seen here does not end the stream.
        if let session = inner.session { inner.state?.history = session.history }
        if inner.inbox.isEmpty, inner.isHalfClosed { inner.state?.halfClosed() }
        if let action = inner.state?.next(isWritable: isWritable) { return .action(action, inner.session) }
        guard isWritable, inner.session != nil, inner.state?.takesRequests == true else { return nil }
        if !inner.inbox.isEmpty {
            inner.state?.receive(inner.inbox.removeFirst())
            return .handled
        }
        if !inner.isReading {
            inner.isReading = true
            return .setReading(true)
        }
        return nil
    }

    private func perform(_ action: ListenState.Action, _ session: (any DocumentService)?) {
        switch action {
        case .send(let responses): outlet.send(responses)
        case .finish(let status): outlet.finish(status)
        case .cancel(let id): inner.withLock { $0.handles.removeValue(forKey: id) }?.cancel()
        case .watch(let id, let target, let resumption):
            guard let session else { return }
            let handle = session.watch(target, from: resumption, context: context, sink: Sink(id, of: self))
            let isWanted = inner.withLock { inner in
                if !inner.hasEnded { inner.handles[id] = handle }
                return !inner.hasEnded
            }
            if !isWanted { handle.cancel() }
        case .askTime:
            guard let session else { return }
            Task {
                do throws(FirestoreError) {
                    let time = try await session.watchTime(context: context)
                    change { $0.timeArrived(time) }
                } catch {
                    change { $0.timeFailed(error) }
                }
            }
        }
    }
}
