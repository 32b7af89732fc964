// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NetworkFaults
import TestSupport
import Testing

@testable import FirestoreSync

/// Random writes of several clients to a real server on a socket, over connections that are cut at random, in the middle of frames and
/// behind what the server has applied and not answered (SY-D30, SY-D32).
@Suite(.serialized, .timeLimit(.minutes(20))) struct ServedModelTests {
    private static let seeds = Array(1...TestScale.pick(quick: 2, full: 40) as ClosedRange<UInt64>)
    private static let steps = TestScale.pick(quick: 50, full: 150)

    @Test(arguments: seeds)
    func `however connections break, every batch is applied once, every call is answered, and every client equals the server`(
        seed: UInt64
    ) async throws {
        try await ServedWorld.with(seed: seed) { world in
            for _ in 0..<Self.steps { try await world.step() }
            try await world.settle()
            for problem in try await world.problems() { Issue.record("seed \(seed): \(problem)") }
        }
    }
}

/// One server, some clients with caches in files, each behind a proxy of its own.
private final class ServedWorld {
    private static let users = [SyncUser.unauthenticated, SyncUser(uid: "bob")]
    /// What the batches write, besides counting.
    private static let paths = (0..<6).map { "c/d\($0)" }

    private let server: SharedCacheFixture
    private var clients: [ServedClient] = []
    private var random: SeededGenerator
    private let calls = ServedCalls()

    static func with(seed: UInt64, _ body: (ServedWorld) async throws -> Void) async throws {
        try await SharedCacheFixture.with { server in
            let world = try await ServedWorld(server, seed: seed)
            do { try await body(world) } catch {
                await world.close()
                throw error
            }
            await world.close()
        }
    }

    private init(_ server: SharedCacheFixture, seed: UInt64) async throws {
        self.server = server
        random = SeededGenerator(seed: seed)
        for number in 0..<3 { clients.append(try await ServedClient(server, file: server.folder.file("client\(number).sqlite"))) }
    }

    private func close() async { for client in clients { await client.close() } }

    private func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    // MARK: What happens

    func step() async throws {
        let client = clients[number(0...clients.count - 1)]
        let end = FaultProxy.End.allCases[number(0...1)]
        switch number(0...19) {
        case 0..<9: for _ in 0..<number(1...12) { write(client) }
        case 9: client.proxy.cut(end)
        case 10: client.proxy.loseAnswer(end)
        case 11: client.proxy.cut(after: number(0...3_000), .toServer, end)
        case 12: client.proxy.cut(after: number(0...2_000), .toClient, end)
        case 13: client.isRefused.toggle()
        case 14: try await client.setNetworkEnabled(!client.isEnabled)
        case 15:
            if number(0...2) == 0 { try await client.restart() }
        case 16: client.changeUser(to: Self.users[number(0...1)])
        case 17: try await server.change(.set(Self.paths[number(0...5)], ("other", .integer(Int64(number(0...99))))))
        case 18: try await server.change(.delete(Self.paths[number(0...5)]))
        // Everything continues meanwhile.
        default: for _ in 0..<number(1...200) { await Task.yield() }
        }
    }

    private func write(_ client: ServedClient) {
        let path = Self.paths[number(0...5)]
        let amount = Int64(number(1...9))
        let write: Write =
            switch number(0...3) {
            case 0: .set(path, ("n", .integer(amount)))
            case 1: .increment(path)
            case 2: .delete(path)
            // Refused where the document is missing at the server, with everything in its batch.
            default: .patch(path, "m", .integer(amount), precondition: .exists(true))
            }
        let call = calls.begin(amount: amount)
        client.write(
            [.increment("counts/all", by: amount), .increment("marks/w\(call)"), write], user: client.user, number: call, calls: calls)
    }

    /// The network is there, and everything is sent.
    func settle() async throws {
        for client in clients {
            client.isRefused = false
            try await client.setNetworkEnabled(true)
            for user in Self.users {
                client.changeUser(to: user)
                try await client.drain()
            }
        }
    }

    // MARK: What must be true

    func problems() async throws -> [String] {
        var problems: [String] = []
        var (marks, others): ([Int: Int64], [String: FieldBytes]) = ([:], [:])
        for document in try await server.all("marks") {
            guard let number = Int(document.key.id.dropFirst()), case .integer(let count)? = try document.fields.map["n"] else { continue }
            marks[number] = count
        }
        for (call, amount) in calls.amounts.enumerated() {
            let times = marks[call] ?? 0
            switch try await outcome(of: call) {
            case .acknowledged: if times != 1 { problems.append("write \(call) was acknowledged, and applied \(times) times") }
            case .rejected(let error):
                if times != 0 { problems.append("write \(call) was rejected, and applied \(times) times") }
                if error.code != .notFound { problems.append("write \(call) was rejected: \(error)") }
            case nil: problems.append("write \(call) of \(amount) was never answered")
            }
            for answer in calls.problems(of: call) { problems.append("write \(call) \(answer)") }
        }
        let total = calls.amounts.enumerated().reduce(0) { $0 + (marks[$1.offset] == nil ? 0 : $1.element) }
        let counted = try await server.truth("counts/all")
        if counted ?? 0 != total { problems.append("the server has counted \(counted ?? 0) of \(total)") }
        if calls.acknowledged == 0 { problems.append("no call was answered while its client lived") }
        for document in try await server.all("c") { others[document.key.path] = document.fields }
        for (number, client) in clients.enumerated() {
            await client.comes(to: others)
            if client.shown != others { problems.append("client \(number) shows \(client.text), the server has \(others.keys.sorted())") }
        }
        return problems
    }

    private enum Outcome {
        case acknowledged
        case rejected(FirestoreError)
    }

    /// As it was reported to the call, or as the cache has kept it for the process after.
    private func outcome(of call: Int) async throws -> Outcome? {
        let told = calls.outcome(of: call)
        switch told.result {
        case .success?: return .acknowledged
        case .failure(let error)? where error.code != .cancelled: return .rejected(error)
        default: break
        }
        guard let (client, id) = told.receipt else { return nil }
        switch try await client.state(of: id) {
        case .acknowledged?: return .acknowledged
        case .rejected(let error)?: return .rejected(error)
        case .queued?, .sent?, nil: return nil
        }
    }
}

/// A client that can be restarted.
private final class ServedClient: Sendable {
    private struct State {
        var client: SyncClient
        var listener: (any ListenHandle)?
        var user = SyncUser.unauthenticated
        var isEnabled = true
        var isRefused = false
        var shown: ViewSnapshot?
    }

    let proxy: FaultProxy
    private let port: Int
    private let server: SharedCacheFixture
    private let file: String
    private let state: Mutex<State>

    init(_ server: SharedCacheFixture, file: String) async throws {
        self.server = server
        self.file = file
        proxy = FaultProxy(to: server.port)
        port = try await proxy.start()
        state = Mutex(State(client: try server.client(file: file, port: port, backoff: .milliseconds(1))))
        listen()
    }

    var user: SyncUser { state.withLock { $0.user } }
    var isEnabled: Bool { state.withLock { $0.isEnabled } }
    private var client: SyncClient { state.withLock { $0.client } }

    var isRefused: Bool {
        get { state.withLock { $0.isRefused } }
        set {
            state.withLock { $0.isRefused = newValue }
            proxy.refuse(newValue)
            if newValue { proxy.cut() }
        }
    }

    private func listen() {
        let handle = client.listen(
            to: .query(ClientQuery(StructuredQuery.collection("c"))), options: ListenOptions(includeMetadataChanges: true),
            schedule: { $0() },
            onEvent: { [weak self] event in self?.state.withLock { $0.shown = try? event.get() } })
        state.withLock { $0.listener = handle }
    }

    func write(_ writes: [Write], user: SyncUser, number: Int, calls: ServedCalls) {
        client.write(
            writes, saved: { [self] in calls.saved(number, self, $0) }, completion: { calls.answered(number, $0.map { _ in }) })
    }

    func changeUser(to user: SyncUser) {
        state.withLock { $0.user = user }
        client.changeUser(to: user)
    }

    func setNetworkEnabled(_ isEnabled: Bool) async throws {
        state.withLock { $0.isEnabled = isEnabled }
        try await client.setNetworkEnabled(isEnabled)
    }

    /// Another client over the same file continues with its queue.
    func restart() async throws {
        await client.terminate()
        let next = try server.client(file: file, user: user, port: port, backoff: .milliseconds(1))
        state.withLock { state in
            state.client = next
            state.isEnabled = true
            state.shown = nil
        }
        listen()
    }

    func drain() async throws { try await client.waitForPendingWrites() }

    func state(of id: Int64) async throws -> QueuedWriteState? { try await client.queue?.state(of: id, in: client.cacheID) }

    /// Waits until the listener shows these documents, from the server.
    func comes(to documents: [String: FieldBytes]) async { await eventually("a client shows what the server has") { shown == documents } }

    var shown: [String: FieldBytes]? {
        guard let shown = state.withLock({ $0.shown }), !shown.isFromCache, !shown.hasPendingWrites else { return nil }
        return Dictionary(uniqueKeysWithValues: shown.documents.map { ($0.key.path, $0.fields) })
    }

    var text: String { state.withLock { $0.shown.map(SharedView.text) } ?? "nothing" }

    func close() async {
        state.withLock { $0.listener }?.remove()
        await client.terminate()
        await proxy.stop()
    }
}

/// The outcomes of the calls.
private final class ServedCalls: Sendable {
    private struct Call {
        let amount: Int64
        var receipt: (client: ServedClient, id: Int64)?
        var answers: [Result<Void, FirestoreError>] = []
        var saves = 0
    }

    private let calls = Mutex<[Call]>([])

    /// Returns its number.
    func begin(amount: Int64) -> Int {
        calls.withLock { calls in
            calls.append(Call(amount: amount))
            return calls.count - 1
        }
    }

    func saved(_ call: Int, _ client: ServedClient, _ id: Int64) {
        calls.withLock { calls in
            calls[call].receipt = (client, id)
            calls[call].saves += 1
        }
    }

    func answered(_ call: Int, _ answer: Result<Void, FirestoreError>) { calls.withLock { $0[call].answers.append(answer) } }

    var amounts: [Int64] { calls.withLock { $0.map(\.amount) } }

    var acknowledged: Int { calls.withLock { $0.count { if case .success? = $0.answers.first { true } else { false } } } }

    func outcome(of call: Int) -> (result: Result<Void, FirestoreError>?, receipt: (client: ServedClient, id: Int64)?) {
        calls.withLock { ($0[call].answers.first, $0[call].receipt) }
    }

    /// Each call is saved once and answered at most once, also by a client that ends.
    func problems(of call: Int) -> [String] {
        calls.withLock { calls in
            var problems: [String] = []
            if calls[call].saves != 1 { problems.append("was saved \(calls[call].saves) times") }
            if calls[call].answers.count != 1 { problems.append("was answered \(calls[call].answers.count) times") }
            return problems
        }
    }
}
