// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// The watches of one session, all on one Listen stream, which is opened for the first and closed after the last.
///
/// Everything runs on one queue: the server's messages in order, the calls to watchers, and new requests.
final class ListenSession: Sendable {
    private struct State {
        var watches: [Int32: RemoteWatch] = [:]
        var targets: [Int32: RemoteTarget] = [:]
        /// Even numbers (LS-36).
        var lastID: Int32 = 0
        var stream: ListenCall?
        /// The number of failures since the last message from the server.
        var failures = 0
        var lastFailure: FirestoreError.Code?
        var isWaiting = false
        var isOver = false
        /// The time of the last global snapshot.
        var reported = DocumentVersion.none
        var rounds: [Int: @Sendable (DocumentVersion) -> Void] = [:]
        var lastRound = 0
    }

    private let connection: RemoteConnection
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.remote.listen", qos: .userInitiated)

    init(_ connection: RemoteConnection) {
        self.connection = connection
        connection.whenCallerChanges { [weak self] isSameUser in
            guard let self else { return false }
            callerChanged(isSameUser: isSameUser)
            return true
        }
    }

    // MARK: From any thread

    func register(_ target: WatchTarget, from resumption: WatchResumption?, sink: any WatchSink) -> RemoteWatch {
        let id = state.withLock { state in
            state.lastID += 2
            return state.lastID
        }
        return RemoteWatch(id: id, target: target, resumption: resumption, sink: sink, session: self)
    }

    func start(_ watch: RemoteWatch) {
        queue.async { [self] in
            guard !watch.isCancelled else { return }
            let isOver = state.withLock { state in
                guard !state.isOver else { return true }
                state.watches[watch.id] = watch
                state.targets[watch.id] = RemoteTarget(watch.target, from: watch.resumption)
                return false
            }
            if isOver { watch.end(.hasShutDown) } else { ask(for: watch.id) }
        }
    }

    func reject(_ watch: RemoteWatch, _ error: FirestoreError) { queue.async { watch.end(error) } }

    func remove(_ id: Int32) {
        queue.async { [self] in
            let (call, isLast) = state.withLock { state -> (ListenCall?, Bool) in
                state.watches[id] = nil
                guard state.targets.removeValue(forKey: id) != nil else { return (nil, false) }
                let call = state.stream
                if state.targets.isEmpty { state.stream = nil }
                return (call, state.targets.isEmpty)
            }
            if isLast { call?.cancel() } else { call?.send(ListenRequest(database: connection.database, change: .remove(targetID: id))) }
        }
    }

    func observeRounds(_ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        let id = state.withLock { state in
            state.lastRound += 1
            state.rounds[state.lastRound] = body
            return state.lastRound
        }
        return RoundHandle { [weak self] in self?.state.withLock { _ = $0.rounds.removeValue(forKey: id) } }
    }

    /// The time of the last global snapshot, which has been delivered when this returns.
    func time() async -> DocumentVersion {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: state.withLock { $0.reported }) }
        }
    }

    /// Returns when no watch will be called any more.
    func end() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let (watches, call) = state.withLock { state in
                    state.isOver = true
                    defer { (state.watches, state.targets, state.stream, state.rounds) = ([:], [:], nil, [:]) }
                    return (Array(state.watches.values), state.stream)
                }
                for watch in watches { watch.cancel() }
                call?.cancel()
                continuation.resume()
            }
        }
    }

    /// The stream opens again with the token of now, and all targets resume.
    ///
    /// A new token of the same user does not reset the backoff. The client fetches a new token after each rejection, so a reset would let
    /// it retry without pause on a server that rejects every token.
    private func callerChanged(isSameUser: Bool) {
        queue.async { [self] in
            let call = state.withLock { state -> ListenCall? in
                if !isSameUser { (state.failures, state.lastFailure) = (0, nil) }
                guard let call = state.stream else { return nil }
                state.stream = nil
                for id in state.targets.keys { state.targets[id]?.disconnected() }
                return call
            }
            guard let call else { return }
            call.cancel()
            connect()
        }
    }

    // MARK: On the queue: asking

    private func ask(for id: Int32) {
        let (stream, isWaiting) = state.withLock { ($0.stream, $0.isWaiting) }
        if let stream { send(id, on: stream) } else if !isWaiting { connect() }
    }

    private func send(_ id: Int32, on stream: ListenCall) {
        guard let request = state.withLock({ $0.targets[id]?.request(id) }) else { return }
        stream.send(ListenRequest(database: connection.database, change: .add(request)))
    }

    private func connect() {
        guard state.withLock({ !$0.isOver && !$0.targets.isEmpty && $0.stream == nil }) else { return }
        let stream = ListenCall(
            on: queue,
            receive: { [weak self] call, message in self?.receive(message, on: call) },
            end: { [weak self] call, status in self?.ended(status, call) })
        let ids = state.withLock { state in
            state.stream = stream
            return state.targets.keys.sorted()
        }
        stream.open(connection)
        for id in ids { send(id, on: stream) }
    }

    private func ended(_ status: RPCStatus?, _ call: ListenCall) {
        let error = FirestoreError(status ?? RPCStatus(.unavailable, "the server has ended the stream"))
        var isOver = false
        let failed = state.withLock { state -> [RemoteWatch]? in
            guard state.stream === call else { return nil }
            state.stream = nil
            for id in state.targets.keys { state.targets[id]?.disconnected() }
            // A server that accepted neither the token nor the next one will not accept any.
            isOver = error.code.isPermanent || error.code == .unauthenticated && state.lastFailure == .unauthenticated
            guard isOver else {
                state.failures += 1
                state.lastFailure = error.code
                state.isWaiting = true
                return []
            }
            defer { (state.watches, state.targets) = ([:], [:]) }
            return Array(state.watches.values)
        }
        guard let failed else { return }
        for watch in failed { watch.end(connection.explained(error, FirestoreMethod.listen.effect)) }
        guard !isOver else { return }
        let delay = state.withLock { connection.backoff.delay(afterFailures: $0.failures, because: error.code) }
        Task { [weak self, connection] in
            await connection.backoff.sleep(delay)
            guard let self else { return }
            queue.async {
                self.state.withLock { $0.isWaiting = false }
                self.connect()
            }
        }
    }

    // MARK: On the queue: listening

    private func receive(_ message: ByteSlice, on call: ListenCall) {
        guard state.withLock({ $0.stream === call }) else { return }
        do throws(FirestoreError) {
            try receive(try ListenResponse(decoding: message))
        } catch {
            // Later messages cannot be trusted.
            call.cancel()
            ended(RPCStatus(.unavailable, error.message), call)
        }
    }

    private func receive(_ response: ListenResponse) throws(FirestoreError) {
        state.withLock { ($0.failures, $0.lastFailure) = (0, nil) }
        switch response {
        case .targetChange(let change): receive(change)
        case .documentChange(_, let document, let targets, let removedFrom):
            state.withLock { state in
                for id in targets { state.targets[id]?.matched(document) }
                for id in removedFrom { state.targets[id]?.left(document.key, document) }
            }
        case .documentDelete(_, let key, let removedFrom, _), .documentRemove(_, let key, let removedFrom, _):
            state.withLock { state in for id in removedFrom { state.targets[id]?.left(key, nil) } }
        case .filter(let filter):
            let agrees = state.withLock { $0.targets[filter.target]?.agrees(with: filter, in: connection.database) }
            if agrees == false { restart(filter.target) }
        }
    }

    private func receive(_ change: TargetChange) {
        let ids = change.targets.isEmpty ? state.withLock { Array($0.targets.keys) } : change.targets
        for id in ids {
            let (meaning, watch) = state.withLock { state -> (TargetProgress.Meaning?, RemoteWatch?) in
                let meaning = state.targets[id]?.changed(change)
                guard case .failed = meaning else { return (meaning, nil) }
                state.targets[id] = nil
                return (meaning, state.watches.removeValue(forKey: id))
            }
            switch meaning {
            case .failed(let cause): watch?.end(cause)
            case .dropped: requestAgain(id)
            default: break
            }
        }
        if let time = change.snapshotTime { snapshot(time) }
    }

    /// The server has removed a target that is wanted, without a reason: resumes it from the last snapshot.
    private func requestAgain(_ id: Int32) {
        let stream = state.withLock { state in
            state.targets[id]?.disconnected()
            return state.stream
        }
        if let stream { send(id, on: stream) }
    }

    /// Adds a target again, without a token, because its documents are not those that the server counts (LS-29).
    private func restart(_ id: Int32) {
        guard let stream = state.withLock({ $0.stream }) else { return }
        stream.send(ListenRequest(database: connection.database, change: .remove(targetID: id)))
        send(id, on: stream)
    }

    /// A global snapshot: everything received so far is complete and can be delivered (LS-11).
    private func snapshot(_ time: DocumentVersion) {
        let (deliveries, rounds) = state.withLock { state -> ([(RemoteWatch, WatchBatch)], [@Sendable (DocumentVersion) -> Void]) in
            // A snapshot older than the last one is ignored (LS-34).
            guard time >= state.reported else { return ([], []) }
            state.reported = time
            var deliveries: [(RemoteWatch, WatchBatch)] = []
            for id in state.targets.keys.sorted() {
                if let batch = state.targets[id]?.batch(at: time), let watch = state.watches[id] { deliveries.append((watch, batch)) }
            }
            return (deliveries, deliveries.isEmpty ? [] : Array(state.rounds.values))
        }
        for (watch, batch) in deliveries { watch.deliver(batch) }
        for round in rounds { round(time) }
    }
}

/// The handle of an observer of rounds.
private final class RoundHandle: WatchHandle {
    private let onCancel: @Sendable () -> Void

    init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    func cancel() { onCancel() }
}

extension FirestoreError {
    static let hasShutDown = FirestoreError(
        .failedPrecondition, "the connection to the database has been shut down; open it again before using it")
}
