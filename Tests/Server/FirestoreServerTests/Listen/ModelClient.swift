// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

@testable import FirestoreServer

/// A client that listens as official clients do (LS-31 … LS-34, LS-29), maintains the state of every target, and records all of
/// them at every global snapshot.
final class ModelClient: Sendable {
    /// What a target shows at a snapshot.
    struct View: Sendable {
        let id: Int32
        let target: ListenTargetRequest.Target
        let time: DocumentVersion
        let documents: [DocumentKey: Document]
    }

    struct Departure: Sendable {
        let key: DocumentKey
        let document: Document?
        let time: DocumentVersion
    }

    private struct Target {
        let request: ListenTargetRequest.Target
        /// Requests without an answer; until then what comes belongs to an earlier incarnation (LS-31).
        var outstanding = 1
        var isCurrent = false
        var documents: [DocumentKey: Document] = [:]
        /// What has come since the last snapshot: nil for gone.
        var pending: [DocumentKey: Document?] = [:]
        var isReset = false
        var becomesCurrent = false
        var token = ByteSlice.empty
        /// Of a CURRENT, taken with its snapshot.
        var nextToken = ByteSlice.empty
    }

    private struct State {
        var targets: [Int32: Target] = [:]
        var outlet: Outlet?
        var stream: ListenStream?
        var lastTime = DocumentVersion.none
        var views: [View] = []
        var departures: [Departure] = []
        var complaints: [String] = []
        var causes: [Int32: FirestoreError] = [:]
        var filters = 0
        var bloomRepairs = 0
        var resets = 0
        var snapshots = 0
        var received = 0
        var ending: RPCStatus?
        var hasEnded = false
        var again: [Int32] = []
    }

    /// The way from one stream: messages wait in it while the reader sleeps, and it is full at a few.
    private final class Outlet: ListenOutlet {
        private let client: ModelClient
        private let queue = Mutex<(messages: [ListenResponse], isAsleep: Bool, isClosed: Bool)>(([], false, false))
        private static let capacity = 100

        init(_ client: ModelClient) { self.client = client }

        var isWritable: Bool { queue.withLock { !$0.isAsleep || $0.messages.count < Self.capacity } }
        var isFull: Bool { !isWritable }
        var waiting: Int { queue.withLock { $0.messages.count } }

        func send(_ responses: [ListenResponse]) {
            let now = queue.withLock { queue -> [ListenResponse] in
                if queue.isClosed { return [] }
                queue.messages += responses
                if queue.isAsleep { return [] }
                defer { queue.messages = [] }
                return queue.messages
            }
            // Through bytes, as on the wire.
            for response in now { client.receive(response, through: self) }
        }

        func sleep() { queue.withLock { $0.isAsleep = true } }

        func wake() {
            while true {
                let now = queue.withLock { queue -> [ListenResponse] in
                    if queue.messages.isEmpty { queue.isAsleep = false }
                    defer { queue.messages = [] }
                    return queue.messages
                }
                if now.isEmpty { return }
                for response in now { client.receive(response, through: self) }
            }
        }

        func close() { queue.withLock { $0 = ([], false, true) } }
        func finish(_ status: RPCStatus?) { client.finished(status, self) }
        func setReading(_ isOn: Bool) {}
    }

    private let state = Mutex(State())
    private let service: any DocumentService
    private let limits: ListenLimits
    private let context = RequestContext(caller: .administrator)

    init(_ service: any DocumentService, limits: ListenLimits = ListenLimits()) {
        self.service = service
        self.limits = limits
        connect()
    }

    // MARK: What tests do with it

    /// Targets of a stream that is lost are asked for again on the next one, from where they were (LS-32).
    func connect() {
        let outlet = Outlet(self)
        let stream = ListenStream(to: outlet, context: context, limits: limits) { [service] _ in service }
        let requests = state.withLock { state -> [ListenTargetRequest] in
            state.outlet = outlet
            state.stream = stream
            state.lastTime = .none
            state.hasEnded = false
            state.ending = nil
            return state.targets.keys.sorted().compactMap { id in
                guard var target = state.targets[id] else { return nil }
                target.outstanding = 1
                target.pending = [:]
                target.isReset = false
                target.becomesCurrent = false
                target.isCurrent = false
                // Of a CURRENT whose snapshot got lost with the stream: what it represents was never taken.
                target.nextToken = .empty
                state.targets[id] = target
                return Self.request(id, target)
            }
        }
        for request in requests { stream.receive(ListenRequest(database: listenDatabase, change: .add(request))) }
    }

    func disconnect() {
        let (outlet, stream) = state.withLock { ($0.outlet, $0.stream) }
        outlet?.close()
        stream?.end()
    }

    private static func request(_ id: Int32, _ target: Target) -> ListenTargetRequest {
        let hasToken = !target.token.isEmpty
        return ListenTargetRequest(
            target: .success(target.request), targetID: id, start: hasToken ? .resumeToken(target.token) : .beginning,
            expectedCount: hasToken ? target.documents.count : nil)
    }

    func add(_ id: Int32, _ target: ListenTargetRequest.Target) {
        let (stream, request) = state.withLock { state in
            state.targets[id] = Target(request: target)
            return (state.stream, ListenTargetRequest(target: .success(target), targetID: id))
        }
        stream?.receive(ListenRequest(database: listenDatabase, change: .add(request)))
    }

    func remove(_ id: Int32) {
        let stream = state.withLock { state in
            state.targets[id] = nil
            return state.stream
        }
        stream?.receive(ListenRequest(database: listenDatabase, change: .remove(targetID: id)))
    }

    func sleep() { state.withLock { $0.outlet }?.sleep() }

    func wake() {
        let (outlet, stream) = state.withLock { ($0.outlet, $0.stream) }
        outlet?.wake()
        stream?.becameWritable()
    }

    /// Long enough for a heartbeat.
    func tick() {
        let stream = state.withLock { $0.stream }
        for _ in 0..<3 { stream?.tick() }
    }

    func drain() { state.withLock { $0.stream }?.drain() }
    func halfClose() { state.withLock { $0.stream }?.halfClosed() }

    var targetIDs: [Int32] { state.withLock { $0.targets.keys.sorted() } }
    /// For waits that time out.
    var story: String {
        state.withLock { state in
            let targets = state.targets.sorted { $0.key < $1.key }.map { id, target in
                "\(id): \(target.isCurrent ? "current" : "not current"), \(target.outstanding) outstanding, \(target.pending.count) pending"
            }
            return "at \(state.lastTime.microseconds), ended \(state.hasEnded), received \(state.received), filters \(state.filters); "
                + targets.joined(separator: "; ")
        }
    }
    var isAllCurrent: Bool { state.withLock { $0.targets.values.allSatisfy { $0.isCurrent && $0.outstanding == 0 } } }
    var lastTime: DocumentVersion { state.withLock { $0.lastTime } }
    var complaints: [String] { state.withLock { $0.complaints } }
    var causes: [Int32: FirestoreError] { state.withLock { $0.causes } }
    var figures: (filters: Int, bloomRepairs: Int, resets: Int, snapshots: Int, received: Int) {
        state.withLock { ($0.filters, $0.bloomRepairs, $0.resets, $0.snapshots, $0.received) }
    }
    var ending: (hasEnded: Bool, status: RPCStatus?) { state.withLock { ($0.hasEnded, $0.ending) } }

    /// Takes out what has been noted since the last call.
    func takeViews() -> (views: [View], departures: [Departure]) {
        state.withLock { state in
            defer { (state.views, state.departures) = ([], []) }
            return (state.views, state.departures)
        }
    }

    func documents(of id: Int32) -> [DocumentKey: Document] { state.withLock { $0.targets[id]?.documents ?? [:] } }

    // MARK: What it receives

    private func finished(_ status: RPCStatus?, _ outlet: Outlet) {
        state.withLock { state in
            guard state.outlet === outlet else { return }
            state.ending = status
            state.hasEnded = true
        }
    }

    private func receive(_ response: ListenResponse, through outlet: Outlet) {
        let (again, stream) = state.withLock { state -> ([Int32], ListenStream?) in
            guard state.outlet === outlet else { return ([], nil) }
            state.received += 1
            do {
                Self.apply(try ListenResponse(decoding: ByteSlice(response.encoded())), to: &state)
            } catch {
                state.complaints.append("a response that cannot be read: \(error)")
            }
            defer { state.again = [] }
            return (state.again, state.stream)
        }
        // LS-29: a target that went wrong is removed and asked for again, without a token.
        for id in again {
            let target = state.withLock { $0.targets[id] }
            guard let target else { continue }
            stream?.receive(ListenRequest(database: listenDatabase, change: .remove(targetID: id)))
            stream?.receive(ListenRequest(database: listenDatabase, change: .add(Self.request(id, target))))
        }
    }

    private static func apply(_ response: ListenResponse, to state: inout State) {
        switch response {
        case .targetChange(let change): apply(change, to: &state)
        case .documentChange(_, let document, let targets, let removed):
            for id in targets { note(document, at: document.key, id, &state) }
            for id in removed {
                note(nil, at: document.key, id, &state)
                state.departures.append(Departure(key: document.key, document: document, time: document.updateTime))
            }
            if targets.isEmpty, removed.isEmpty { state.complaints.append("a change that concerns nobody") }
        case .documentDelete(_, let key, let removed, let time), .documentRemove(_, let key, let removed, let time):
            for id in removed { note(nil, at: key, id, &state) }
            if let time { state.departures.append(Departure(key: key, document: nil, time: time)) }
        case .filter(let filter): apply(filter, to: &state)
        }
    }

    private static func note(_ document: Document?, at key: DocumentKey, _ id: Int32, _ state: inout State) {
        guard state.targets[id]?.outstanding == 0 else { return }
        state.targets[id]?.pending.updateValue(document, forKey: key)
    }

    private static func apply(_ change: TargetChange, to state: inout State) {
        switch change.kind {
        case .add:
            for id in change.targets { state.targets[id]?.outstanding -= 1 }
        case .remove:
            for id in change.targets {
                if let cause = change.cause {
                    state.causes[id] = cause
                    state.targets[id] = nil
                } else {
                    state.targets[id]?.outstanding -= 1
                }
            }
        case .reset:
            for id in change.targets where state.targets[id]?.outstanding == 0 {
                state.resets += 1
                state.targets[id]?.pending = [:]
                state.targets[id]?.isReset = true
                state.targets[id]?.becomesCurrent = false
            }
        case .current:
            for id in change.targets where state.targets[id]?.outstanding == 0 {
                state.targets[id]?.becomesCurrent = true
                state.targets[id]?.nextToken = change.resumeToken
            }
        case .noChange:
            guard change.targets.isEmpty, let time = change.readTime, time > .none else { return }
            snapshot(at: time, token: change.resumeToken, &state)
        }
    }

    private static func snapshot(at time: DocumentVersion, token: ByteSlice, _ state: inout State) {
        if time < state.lastTime { state.complaints.append("read times go backwards: \(state.lastTime) \(time)") }
        state.lastTime = time
        state.snapshots += 1
        for id in state.targets.keys {
            guard var target = state.targets.removeValue(forKey: id) else { continue }
            defer { state.targets[id] = target }
            guard target.outstanding == 0 else { continue }
            if target.isReset {
                target.documents = [:]
                target.isCurrent = false
            }
            for (key, document) in target.pending {
                if let document, document.updateTime > time { state.complaints.append("\(key) is from after its snapshot") }
                target.documents[key] = document
            }
            if target.becomesCurrent { target.isCurrent = true }
            target.pending = [:]
            target.isReset = false
            target.becomesCurrent = false
            // As the official clients do: whatever stage a target is in (LS-10).
            if !token.isEmpty { target.token = token } else if !target.nextToken.isEmpty { target.token = target.nextToken }
            target.nextToken = .empty
            guard target.isCurrent else { continue }
            state.views.append(View(id: id, target: target.request, time: time, documents: target.documents))
        }
    }

    private static func apply(_ filter: ExistenceFilter, to state: inout State) {
        guard var target = state.targets[filter.target], target.outstanding == 0 else { return }
        state.filters += 1
        var keys = target.isReset ? Set<DocumentKey>() : Set(target.documents.keys)
        for (key, document) in target.pending { if document == nil { keys.remove(key) } else { keys.insert(key) } }
        guard keys.count != filter.count else { return }
        if let names = filter.names, !names.bits.isEmpty {
            let gone = keys.subtracting(names.filter(keys, in: listenDatabase))
            if keys.count - gone.count == filter.count {
                state.bloomRepairs += 1
                for key in gone { target.pending.updateValue(nil, forKey: key) }
                state.targets[filter.target] = target
                return
            }
        }
        target = Target(request: target.request)
        target.outstanding = 2
        state.targets[filter.target] = target
        state.again.append(filter.target)
    }
}
