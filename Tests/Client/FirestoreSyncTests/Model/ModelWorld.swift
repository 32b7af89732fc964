// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport

@testable import FirestoreSync

/// Runs a history, and looks at the world after each action and at the end.
final class ModelWorld {
    static let database = DatabaseID(projectID: "demo")

    struct Failure: Error, CustomStringConvertible {
        let action: Int
        let description: String

        /// What is wrong, without the details: shrinking must not come from one mistake to another.
        var kind: String { String(description.split(separator: "|").dropFirst().first ?? "") }
    }

    private let history: ModelHistory
    private let server: ModelServer
    private var clients: [ModelClient] = []
    /// For watching a failure.
    private let trace: ((String) -> Void)?

    private init(_ history: ModelHistory, trace: ((String) -> Void)?) throws {
        self.history = history
        self.trace = trace
        server = ModelServer(history.setup.authority)
        clients = try history.setup.clients.indices.map { try ModelClient($0, history.setup, server) }
    }

    /// nil if nothing was wrong.
    static func run(_ history: ModelHistory, trace: ((String) -> Void)? = nil) throws -> Failure? {
        let world = try ModelWorld(history, trace: trace)
        defer { for client in world.clients { try? client.close() } }
        return try world.run()
    }

    private func run() throws -> Failure? {
        for (index, action) in history.actions.enumerated() {
            trace?("\(index): \(action.text)")
            try perform(action)
            if let finding = try finding(action.client.map { [clients[$0]] } ?? []) { return Failure(action: index, description: finding) }
        }
        var random = SeededGenerator(seed: history.setup.seed)
        trace?("the end")
        let end = history.actions.count
        server.refusesLookups = false
        for client in clients {
            client.setFailing(false)
            client.engine.setNetworkEnabled(true)
        }
        // What is still in flight from connections that are given up arrives first, or never.
        for client in clients {
            for user in client.users.sorted() + [client.user] where user != client.user || client.users.count > 1 {
                client.changeUser(user)
                guard settle(&random) else { return Failure(action: end, description: "client \(client.number) does not come to rest: \(rest)") }
                if let finding = try finding(clients) { return Failure(action: end, description: finding) }
            }
        }
        guard settle(&random) else { return Failure(action: end, description: "the clients do not come to rest: \(rest)") }
        return try (finding(clients) ?? finalFinding()).map { Failure(action: end, description: $0) }
    }

    // MARK: Actions

    private func perform(_ action: ModelAction) throws {
        switch action {
        case .write(let client, let writes): clients[client].write(writes)
        case .listen(let client, let query): clients[client].listen(query)
        case .unlisten(let client, let pick): clients[client].unlisten(pick)
        case .network(let client, let isEnabled): clients[client].engine.setNetworkEnabled(isEnabled)
        case .serve(let client, let stream, let count, let salt):
            var random = SeededGenerator(seed: salt)
            for _ in 0..<count { _ = serve(clients[client], stream, &random) }
        case .deliver(let client, let stream, let count):
            for _ in 0..<count {
                _ = stream == .listen ? clients[client].transport.listenLink?.deliver() : clients[client].transport.writeLink?.deliver()
                clients[client].drain()
            }
        case .publish(let client, let salt):
            var random = SeededGenerator(seed: salt)
            report(clients[client]) { $0.publish(&random) }
        case .breakStream(let client, let stream, let code, let salt): lose(clients[client], stream, code, salt)
        case .lateRequest(let salt):
            var random = SeededGenerator(seed: salt)
            let late = clients.flatMap(\.transport.lateLinks).filter { !$0.requests.isEmpty }
            if let link = late.randomElement(using: &random) { _ = link.session.take(link.requests.removeFirst(), &random) }
        case .fireTimer(let client, let pick):
            let due = clients[client].timers.due
            if !due.isEmpty { clients[client].fire(due[pick % due.count]) }
        case .pass(let client, let milliseconds): clients[client].pass(.milliseconds(milliseconds))
        case .crash(let client, let listensAgain): try clients[client].crash(listensAgain: listensAgain)
        case .changeUser(let client, let user): clients[client].changeUser(user)
        case .otherWrite(let writes):
            // No other client counts.
            let writes = writes.filter { !ModelSource.counters.contains($0.key.path) }
            if !writes.isEmpty { _ = try? server.commit(writes) }
        case .deny(let client, let pick): report(clients[client]) { $0.deny(pick) }
        case .reset(let client, let pick):
            var random = SeededGenerator(seed: UInt64(pick))
            report(clients[client]) { $0.reset(pick, &random) }
        case .refuseLookups(let isRefusing): server.refusesLookups = isRefusing
        case .collect(let client): clients[client].collect()
        case .wait(let client): clients[client].wait()
        case .cancel(let client, let pick): clients[client].cancel(pick)
        case .storeFails(let client, let isFailing): clients[client].setFailing(isFailing)
        case .settle(let salt):
            var random = SeededGenerator(seed: salt)
            _ = settle(&random)
        }
        for client in clients { client.drain() }
    }

    private func report(_ client: ModelClient, _ frames: (ModelListenSession) -> [ListenResponse]) {
        guard let link = client.transport.listenLink, link.isOpen else { return }
        link.frames += frames(link.session).map { .response($0) }
    }

    /// The server takes one request; false if there was none.
    private func serve(_ client: ModelClient, _ stream: ModelStream, _ random: inout SeededGenerator) -> Bool {
        switch stream {
        case .listen:
            guard let link = client.transport.listenLink, link.isOpen, !link.requests.isEmpty else { return false }
            link.frames += link.session.take(link.requests.removeFirst(), &random).map { .response($0) }
        case .write:
            guard let link = client.transport.writeLink, link.isOpen, !link.requests.isEmpty else { return false }
            link.frames += link.session.take(link.requests.removeFirst(), &random)
        }
        return true
    }

    private func lose(_ client: ModelClient, _ stream: ModelStream, _ code: FirestoreError.Code, _ salt: UInt64) {
        var random = SeededGenerator(seed: salt)
        let error = FirestoreError(code, "the history breaks the stream")
        switch stream {
        case .listen: client.transport.listenLink?.lose(error)
        case .write:
            // Some of what was in flight has arrived.
            guard let link = client.transport.writeLink, link.isOpen else { return }
            while !link.requests.isEmpty, Bool.random(using: &random) { _ = link.session.take(link.requests.removeFirst(), &random) }
            if Bool.random(using: &random) { link.requests = [] }
            link.lose(error)
        }
    }

    // MARK: Coming to rest

    /// Lets everything happen that can, in a random order. Returns false if it does not end.
    private func settle(_ random: inout SeededGenerator) -> Bool {
        for _ in 0..<4_000 {
            var hasMoved = false
            for client in clients.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
                client.drain()
                let isServed = serve(client, Bool.random(using: &random) ? .listen : .write, &random)
                let isDelivered = client.transport.listenLink?.deliver() ?? false
                let isAnswered = client.transport.writeLink?.deliver() ?? false
                if isServed || isDelivered || isAnswered { hasMoved = true }
                client.drain()
            }
            if hasMoved { continue }
            guard moveOn(&random) else { return true }
        }
        return false
    }

    /// Nothing happens by itself: what has to be waited for. False if there is nothing.
    private func moveOn(_ random: inout SeededGenerator) -> Bool {
        for client in clients {
            client.drain()
            for stream in [ModelStream.listen, .write] where serve(client, stream, &random) { return true }
            if client.transport.listenLink?.deliver() == true || client.transport.writeLink?.deliver() == true { return true }
            if let timer = client.timers.due.first(where: { [.listenBackoff, .writeBackoff, .storeRetry].contains($0) }), !client.isFailing {
                client.fire(timer)
                return true
            }
        }
        for client in clients {
            guard let link = client.transport.listenLink, link.isOpen, !link.session.isQuiet else { continue }
            let frames = link.session.publish(&random, isComplete: true)
            link.frames += frames.map { .response($0) }
            if !frames.isEmpty { return true }
        }
        return false
    }

    private var rest: String {
        clients.map { client in
            "client \(client.number): \(client.timers.due), requests \(client.transport.listenLink?.requests.count ?? 0), frames "
                + "\(client.transport.listenLink?.frames.count ?? 0), batches \((try? client.store.pendingBatches().map(\.id)) ?? [])"
        }.joined(separator: "; ")
    }

    // MARK: What must hold

    /// After each action. Caches are looked into where something has happened, because that takes most of the time.
    private func finding(_ touched: [ModelClient]) throws -> String? {
        if let violation = server.violations.first { return violation }
        for client in clients {
            if let finding = client.findings.first { return "client \(client.number): \(finding)" }
            if let call = client.calls.first(where: { $0.outcomes.count > 1 }) {
                return "client \(client.number): a call was answered \(call.outcomes.count) times: \(call.writes)"
            }
        }
        for client in touched where !client.isFailing {
            if let finding = try client.store.check().first { return "client \(client.number): \(finding)" }
        }
        return nil
    }

    /// When nothing moves any more.
    private func finalFinding() throws -> String? {
        for client in clients {
            if let finding = try finalFinding(client) { return "client \(client.number): \(finding)" }
        }
        let counted = ModelSource.counters.reduce(Int64(0)) { total, path in
            guard case .integer(let count)? = try? server.documents[DocumentKey(trusted: path)]?.fields.map["t"] else { return total }
            return total + count
        }
        var expected: Int64 = 0
        for client in clients {
            for call in client.calls where try isAcknowledged(call, client) { expected += call.countersTotal }
        }
        if history.setup.authority == .resumable, counted != expected {
            return "increments of \(expected) were acknowledged, and \(counted) were counted"
        }
        if counted < expected { return "increments of \(expected) were acknowledged, and only \(counted) were counted" }
        return nil
    }

    private func isAcknowledged(_ call: ModelCall, _ client: ModelClient) throws -> Bool {
        if case .success? = call.outcomes.first { return true }
        guard call.outcomes.isEmpty, let batch = call.batch else { return false }
        if case .acknowledged = try client.store.receiptState(of: batch) { return true }
        return false
    }

    private func finalFinding(_ client: ModelClient) throws -> String? {
        for call in client.calls where call.outcomes.isEmpty {
            guard call.isInEarlierLife, let batch = call.batch else { return "a call was never answered: \(call.writes)" }
            switch try client.store.receiptState(of: batch) {
            // A canceled batch is forgotten.
            case .acknowledged, .rejected, nil: break
            case .queued, .sent: return "batch \(batch) of an earlier process was not finished"
            }
        }
        if !(try client.store.pendingBatches()).isEmpty { return "the queue is not empty" }
        if client.waits.contains(where: { $0.answers != 1 }) { return "a wait for pending writes was not answered once" }
        for listener in client.listeners where !listener.hasFailed {
            let name = ModelSource.name(listener.target)
            let expected = server.result(of: listener.target)
            guard ModelListener.areEqual(listener.list, expected) else {
                return "\(name)| shows other documents|: \(ModelListener.text(listener.list)), the server has \(ModelListener.text(expected))"
                    + "; in sync \(client.engine.isSynced(listener.target)), lookups \(client.engine.activeLimboResolutions.keys.map(\.path))"
            }
            guard let last = listener.last else { return "\(name)| has no snapshot|" }
            if !client.engine.isSynced(listener.target) { return "\(name)| is not in sync|" }
            if !listener.sparesMetadata {
                if last.isFromCache { return "\(name)| is from the cache|" }
                if last.hasPendingWrites { return "\(name)| shows pending writes|: \(last.pendingKeys.map(\.path))" }
            }
            for local in try client.store.documents(listener.list.map(\.key)) where local.state != .synced || local.document?.fields == nil {
                return "\(name)| finds committed| \(local.key.path) as \(local.state)"
            }
        }
        return nil
    }
}
