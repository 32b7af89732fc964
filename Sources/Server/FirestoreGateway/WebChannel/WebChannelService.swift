// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import HearthBase

/// Listen and Write for browsers, whose SDK has no gRPC: WebChannel, on the server's one port (WC-1, WC-72).
///
/// A session is a call of the same stream handlers that gRPC uses; this type contains the HTTP part only, and the table of the sessions.
final class WebChannelService: Sendable {
    private struct State {
        var sessions: [String: WebChannelSession] = [:]
        var pages: [String: Int] = [:]
        var timer: (any DispatchSourceTimer)?
        var isStopping = false
    }

    private let service: FirestoreService
    private let observer: ServerObserver
    private let limits: WebChannelMachine.Limits
    private let mostSessions: Int
    private let mostOfPage: Int
    private let budget: WebChannelBudget
    private let lane: DecodingLane
    private let tickInterval: DispatchTimeInterval?
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())
    /// Names this process to balancers; drawn at its start.
    private let route = makeID()

    /// `tickInterval` nil: ticks come from calls of `tick`. `now`: milliseconds of a clock that never goes back.
    init(
        _ service: FirestoreService, observer: ServerObserver, limits: WebChannelMachine.Limits = WebChannelMachine.Limits(),
        heldBytes: Int = 32 << 20, lane: DecodingLane = DecodingLane(), tickInterval: DispatchTimeInterval? = .seconds(1),
        now: @escaping @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
    ) {
        self.service = service
        self.observer = observer
        self.limits = limits
        // Other calls, and pages of other origins, have capacity beside sessions that are opened and left.
        mostSessions = max(1, service.admission.maximum / 10 * 9)
        mostOfPage = max(1, service.admission.maximum / 4 * 3)
        budget = WebChannelBudget(limit: heldBytes)
        self.lane = lane
        self.tickInterval = tickInterval
        self.now = now
    }

    /// The bytes that all sessions hold together.
    var heldBytes: Int { budget.bytes }

    /// The method whose channel is at a path (WC-4); nil if there is none.
    static func method(at path: String) -> FirestoreMethod? { methods[path] }

    private static let methods: [String: FirestoreMethod] = Dictionary(
        uniqueKeysWithValues: [FirestoreMethod.listen, .write].map { ($0.path + "/channel", $0) })

    static let verbs = ["GET", "POST"]

    /// A form is up to three times as large as its JSON; the message in it is checked like every other (WC-73).
    static let bodySizes = methods.mapValues { _ in 4 * Limits.requestBytes }

    static let streamHeaders = RPCMetadata(answerHeaders.entries + [(name: "x-accel-buffering", value: "no")])

    private static let answerHeaders = RPCMetadata([
        (name: "content-type", value: "text/plain; charset=utf-8"), (name: "cache-control", value: "no-store"),
        (name: "x-content-type-options", value: "nosniff"),
        (name: "access-control-expose-headers", value: "x-client-wire-protocol, x-http-session-id, x-http-initial-response"),
    ])

    /// Over HTTP/2 the client may have several POSTs in flight, whatever the page itself came over (WC-37). A client that asks for it names
    /// the route in every later request (`gsessionid`), so that a balancer can bring those to this process (DN-6.2).
    private func greetingHeaders(of request: HTTPRequest) -> RPCMetadata {
        var entries = Self.answerHeaders.entries
        if request.isHTTP2 { entries.append((name: "x-client-wire-protocol", value: "h2")) }
        if request.query.contains(where: { $0.name == "X-HTTP-Session-Id" && $0.value == "gsessionid" }) {
            entries.append((name: "x-http-session-id", value: route))
        }
        return RPCMetadata(entries)
    }

    /// The number of sessions.
    var count: Int { state.withLock { $0.sessions.count } }

    // MARK: Requests

    /// Answers a request whose body is this form.
    func handle(
        _ exchange: any HTTPExchange, _ method: FirestoreMethod, _ form: Result<WebChannelForm, WebChannelProblem>
    ) throws(HTTPRefusal) {
        let request = exchange.request
        if request.method == "OPTIONS" { return exchange.respond(allowing: Self.verbs) }
        guard Self.verbs.contains(request.method) else { throw .notAllowed(request, verbs: Self.verbs) }
        do throws(WebChannelProblem) {
            switch try WebChannelRequest(method: request.method, query: request.query) {
            case .handshake(let greeting):
                try open(method, greeting, exchange, form)
            case .back(let id, let acknowledged, let wait):
                try session(id, method).answer(exchange, after: acknowledged, pollsFor: wait)
            case .forward(let id):
                let session = try session(id, method)
                let reply = try session.take(try form.get().maps)
                exchange.respond(status: 200, headers: Self.answerHeaders, body: reply)
                session.deliverTaken()
            case .terminate(let id):
                try session(id, method).terminate()
                exchange.respond(status: 200, headers: Self.answerHeaders, body: [])
            }
        } catch {
            throw HTTPRefusal(400, .invalidArgument, "INVALID_ARGUMENT", error.message)
        }
    }

    /// The SDK looks for the words *Unknown SID* (WC-48), and opens another session.
    private func session(_ id: String, _ method: FirestoreMethod) throws(WebChannelProblem) -> WebChannelSession {
        guard let session = state.withLock({ $0.sessions[id] }), session.method == method else {
            throw WebChannelProblem("the session has ended, or has never been here (Unknown SID); open another one")
        }
        return session
    }

    private func open(
        _ method: FirestoreMethod, _ greeting: WebChannelGreeting, _ exchange: any HTTPExchange,
        _ form: Result<WebChannelForm, WebChannelProblem>
    ) throws(WebChannelProblem) {
        let request = exchange.request
        guard case .stream(let makeHandler)? = service.method(at: method.path, over: .webChannel) else {
            return exchange.respond(.unavailable)
        }
        guard let database = request.query.first(where: { $0.name == "database" })?.value, !database.utf8.isEmpty else {
            throw WebChannelProblem("the URL does not name the database (database=projects/…/databases/…)")
        }
        let form = try form.get()
        // A proxy's headers about the connection are in the request itself; the page writes the form.
        let ofProxies = ["forwarded", "x-forwarded-for"]
        let metadata = RPCMetadata(
            form.headers.entries.filter { !ofProxies.contains($0.name) } + request.headers.entries.filter { ofProxies.contains($0.name) })
        let info = RPCCallInfo(path: method.path, metadata: metadata, peer: request.peer)
        let session = WebChannelSession(
            id: Self.makeID(), method: method, database: database, info: info, page: request.page ?? "", limits: limits, budget: budget,
            lane: lane, now: now, streamEnded: { [observer] in observer.callEnded($0, over: .webChannel) },
            forgotten: { [weak self] in self?.forget($0) })
        _ = try session.take(form.maps)
        do throws(HTTPRefusal) {
            try admit(session)
        } catch {
            observer.requestRefused(error.code, over: .webChannel)
            return exchange.respond(error)
        }
        observer.callStarted(method.path, over: .webChannel)
        exchange.respond(status: 200, headers: greetingHeaders(of: request), body: greeting.answer(session: session.id))
        session.start(makeHandler)
    }

    /// 192 bits that cannot be guessed: with them the stream can be read (WC-7).
    private static func makeID() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64.encodeForURL((0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    // MARK: The table

    private func admit(_ session: WebChannelSession) throws(HTTPRefusal) {
        do throws(FirestoreError) { try service.admission.enter() } catch { throw .tooManySessions }
        let refusal: HTTPRefusal? = state.withLock { state in
            if state.isStopping { return .unavailable }
            guard state.sessions.count < mostSessions, state.pages[session.page, default: 0] < mostOfPage else { return .tooManySessions }
            state.sessions[session.id] = session
            state.pages[session.page, default: 0] += 1
            if state.timer == nil { state.timer = startTimer() }
            return nil
        }
        guard let refusal else { return }
        service.admission.leave()
        throw refusal
    }

    private func forget(_ session: WebChannelSession) {
        let wasThere = state.withLock { state in
            guard state.sessions.removeValue(forKey: session.id) != nil else { return false }
            let left = state.pages[session.page, default: 1] - 1
            state.pages[session.page] = left > 0 ? left : nil
            if state.sessions.isEmpty {
                state.timer?.cancel()
                state.timer = nil
            }
            return true
        }
        if wasThere { service.admission.leave() }
    }

    /// Call it about once a second.
    func tick() { for session in all { session.tick() } }

    private var all: [WebChannelSession] { state.withLock { Array($0.sessions.values) } }

    private func startTimer() -> (any DispatchSourceTimer)? {
        guard let tickInterval else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + tickInterval, repeating: tickInterval, leeway: .milliseconds(200))
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.resume()
        return timer
    }

    // MARK: Stopping

    /// Makes no more sessions, and ends those that there are as the streams of connections end (WC-59).
    func drain() {
        state.withLock { $0.isStopping = true }
        for session in all { session.drain() }
    }

    /// Ends the remaining sessions.
    func close() { for session in all { session.terminate() } }
}

extension HTTPRefusal {
    fileprivate static let unavailable = HTTPRefusal(503, .unavailable, "UNAVAILABLE", "the server is stopping; try again later")

    fileprivate static let tooManySessions = HTTPRefusal(
        503, .unavailable, "UNAVAILABLE", "too many open sessions; try again later")
}
