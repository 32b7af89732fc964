// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// A call with streams that is kept: one that lasts from its beginning, the others when they end.
final class CollectedStreamCall: RPCStreamCall {
    private struct State {
        var figures = ConsoleRequestRecord.Figures()
        /// The first request that is about documents.
        var request: (bytes: ByteSlice?, outline: RequestOutline?)?
        /// The requests of the targets of a Listen stream, for those that are denied.
        var targets: [Int32: ByteSlice] = [:]
        var record: ConsoleRequestRecord?
        /// Whether it is kept, or about to be.
        var isKept = false
        var isOver = false
    }

    private let call: any RPCStreamCall
    private let begin: ConsoleCallBegin
    private let requests: ConsoleRequests
    private let state = Mutex(State())
    private static let mostTargets = 100
    private static let mostKeptTargets = 20

    init(_ call: any RPCStreamCall, _ begin: ConsoleCallBegin, _ requests: ConsoleRequests) {
        self.call = call
        self.begin = begin
        self.requests = requests
    }

    // MARK: RPCStreamCall

    var info: RPCCallInfo { begin.info }
    var isWritable: Bool { call.isWritable }
    func whenWritable() async throws(RPCStatus) { try await call.whenWritable() }
    func setReading(_ isOn: Bool) { call.setReading(isOn) }

    func send(_ message: [UInt8]) {
        sent(message)
        call.send(message)
    }

    func send(contentsOf messages: [[UInt8]]) {
        for message in messages { sent(message) }
        call.send(contentsOf: messages)
    }

    private func sent(_ message: [UInt8]) {
        let method = begin.method
        let change = method == .listen ? FirestoreMethod.targetChange(in: message) : nil
        state.withLock { state in
            state.figures.sent += message.count
            state.figures.documents += method.documentCount(of: message)
            guard method == .listen else { return }
            for id in FirestoreMethod.targets(ofChange: message) ?? [] {
                Self.change(&state, id) { target in
                    target.documents += 1
                    target.hasNews = true
                }
            }
            if let change { Self.take(change, &state) }
        }
        if let change, change.cause?.code == .permissionDenied { denied(change.targets) }
    }

    private func denied(_ targets: [Int32]) {
        let (record, request) = state.withLock { state in (state.record, targets.compactMap { state.targets[$0] }.first) }
        guard let record else { return }
        if let request { record.set(figures, request: request, outline: nil) }
        requests.wantsDecision(record)
    }

    func finish(_ status: RPCStatus?) {
        ended(status)
        call.finish(status)
    }

    // MARK: What arrives

    func received(_ message: ByteSlice) {
        let method = begin.method
        let outline = method == .listen ? RequestOutline(message, of: method, showsValues: requests.settings.showsValues) : nil
        let isFirst = state.withLock { state in
            state.figures.received += message.count
            if let target = outline?.target {
                if target.isAdded {
                    Self.add(&state, target.id, outline?.path ?? "")
                } else {
                    state.figures.targets.removeAll { $0.id == target.id }
                }
            }
            return state.request == nil
        }
        // The first message of a Write stream says only which database it is for.
        guard isFirst ? method != .write || !isHandshake(message) : outline?.target?.isAdded == true else { return }
        let digest = requests.digest(message, method)
        state.withLock { state in
            if state.request == nil { state.request = (digest.0, digest.1) }
            guard let id = outline?.target?.id, state.targets.count < Self.mostKeptTargets else { return }
            state.targets[id] = digest.0
        }
        if isFirst, method.isLasting { keep() }
    }

    private func isHandshake(_ message: ByteSlice) -> Bool { RequestOutline(message, of: .write).path.utf8.isEmpty }

    func ended(_ status: RPCStatus?) {
        let duration = requests.settings.now() - begin.began
        let (isFirst, record) = state.withLock { state -> (Bool, ConsoleRequestRecord?) in
            defer { state.isOver = true }
            guard !state.isOver else { return (false, nil) }
            state.figures.isOpen = false
            state.figures.code = status?.code ?? .ok
            state.figures.message = status?.message ?? ""
            state.figures.duration = duration
            return (true, state.record)
        }
        guard isFirst else { return }
        if let record { update(record) } else { keep() }
    }

    private func update(_ record: ConsoleRequestRecord) {
        record.set(figures, request: nil, outline: nil)
        requests.changed(record)
    }

    /// What has become of the call so far.
    var figures: ConsoleRequestRecord.Figures {
        let duration = requests.settings.now() - begin.began
        return state.withLock { state in
            if !state.isOver { state.figures.duration = duration }
            return state.figures
        }
    }

    private func keep() {
        let (isFirst, request) = state.withLock { state in
            defer { state.isKept = true }
            state.figures.isOpen = !state.isOver
            return (!state.isKept, state.request)
        }
        guard isFirst else { return }
        let record = requests.keep(begin, figures, request?.bytes, request?.outline) { [weak self] in self?.figures }
        let isOver = state.withLock { state in
            state.record = record
            return state.isOver
        }
        // It may have ended on another thread meanwhile.
        if isOver, record.figures.isOpen { update(record) }
    }

    // MARK: Targets

    private static func add(_ state: inout State, _ id: Int32, _ path: String) {
        if let index = state.figures.targets.firstIndex(where: { $0.id == id }) {
            state.figures.targets[index].path = path
        } else if state.figures.targets.count < mostTargets {
            state.figures.targets.append(ConsoleRequestRecord.Target(id: id, path: path))
        }
    }

    private static func change(_ state: inout State, _ id: Int32, _ body: (inout ConsoleRequestRecord.Target) -> Void) {
        // A client that lets the server choose the id adds the target as 0.
        let index = state.figures.targets.firstIndex { $0.id == id } ?? state.figures.targets.firstIndex { $0.id == 0 }
        if let index { body(&state.figures.targets[index]) }
    }

    private static func take(_ change: TargetChange, _ state: inout State) {
        switch change.kind {
        case .noChange where change.targets.isEmpty && change.readTime != nil:
            for index in state.figures.targets.indices where state.figures.targets[index].hasNews {
                state.figures.targets[index].hasNews = false
                state.figures.targets[index].snapshots += 1
            }
        case .remove:
            if change.cause == nil { state.figures.targets.removeAll { change.targets.contains($0.id) } }
        case .add, .current, .reset: for id in change.targets { Self.change(&state, id) { $0.hasNews = true } }
        case .noChange: break
        }
    }
}

/// The server's side of a call that is kept.
final class CollectedStreamHandler: RPCStreamHandler {
    private let handler: any RPCStreamHandler
    private let call: CollectedStreamCall

    init(_ handler: any RPCStreamHandler, _ call: CollectedStreamCall) {
        self.handler = handler
        self.call = call
    }

    func receive(_ message: ByteSlice) {
        call.received(message)
        handler.receive(message)
    }

    func halfClosed() { handler.halfClosed() }
    func becameWritable() { handler.becameWritable() }
    func drain() { handler.drain() }

    func ended(_ status: RPCStatus?) {
        handler.ended(status)
        call.ended(status)
    }
}
