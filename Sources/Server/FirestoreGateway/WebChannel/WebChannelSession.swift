// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import HearthBase

/// One session of WebChannel: to its stream's handler a call like one over gRPC, to HTTP any number of requests on any connections.
///
/// Events are reported to a `WebChannelMachine` under the lock. What it wants done is performed outside of the lock: answers to GETs are
/// written in the order of the decisions, and the stream is called one call at a time.
///
/// It reserves nothing: its answers to GETs are charged when they are written.
final class WebChannelSession: RPCStreamCall, WithoutReservation {
    /// Events of the stream apart from messages.
    private enum Signal: Sendable {
        case becameWritable
        case drain
        case ended(RPCStatus?)
    }

    /// Actions to perform after releasing the lock, apart from calls of the stream.
    private enum Output: Sendable {
        case begin(any HTTPExchange)
        case write(any HTTPExchange, [UInt8])
        case end(any HTTPExchange)
        case streamEnded(RPCCallRecord)
    }

    private struct State {
        var machine: WebChannelMachine
        /// The answers to GETs that have not ended, by their numbers: one, or two for the moment in which one replaces another.
        var answers: [Int: any HTTPExchange] = [:]
        var lastNumber = 0
        var output = ActionQueue<Output>()
        /// nil before the stream is made, and after its end.
        var handler: (any RPCStreamHandler)?
        var messages: [[UInt8]] = []
        var signals: [Signal] = []
        var isReading = true
        var isDelivering = false
        /// Whether `flush` will run.
        var willFlush = false
        var hasEnded = false
        var isForgotten = false
        var isStopping = false
        var received = 0
        var sent = 0
        /// The bytes that were reported to the budget.
        var reported = 0
        var waiters: [CheckedContinuation<RPCStatus?, Never>] = []
    }

    let id: String
    let method: FirestoreMethod
    let info: RPCCallInfo
    /// The origin of the page, for the bound on sessions of one; empty for other clients.
    let page: String
    /// `projects/P/databases/D`, as in the URL of the handshake.
    private let database: String
    private let budget: WebChannelBudget
    private let lane: DecodingLane
    private let now: @Sendable () -> Int64
    private let began = ContinuousClock.now
    private let streamEnded: @Sendable (RPCCallRecord) -> Void
    private let forgotten: @Sendable (WebChannelSession) -> Void
    private let state: Mutex<State>

    /// `streamEnded` is called once, when the stream has ended; `forgotten` once after it, when the session is over.
    init(
        id: String, method: FirestoreMethod, database: String, info: RPCCallInfo, page: String, limits: WebChannelMachine.Limits,
        budget: WebChannelBudget, lane: DecodingLane, now: @escaping @Sendable () -> Int64,
        streamEnded: @escaping @Sendable (RPCCallRecord) -> Void, forgotten: @escaping @Sendable (WebChannelSession) -> Void
    ) {
        self.id = id
        self.method = method
        self.database = database
        self.info = info
        self.page = page
        self.budget = budget
        self.lane = lane
        self.now = now
        self.streamEnded = streamEnded
        self.forgotten = forgotten
        state = Mutex(State(machine: WebChannelMachine(limits: limits, now: now())))
    }

    // MARK: From HTTP

    /// Makes the stream, after the messages of the handshake were taken.
    func start(_ open: @Sendable (any RPCStreamCall) -> any RPCStreamHandler) {
        let handler = open(self)
        state.withLock { $0.handler = handler }
        deliver()
    }

    deinit {
        // A session that was never admitted gives back what its handshake brought.
        state.withLock { budget.report(&$0.reported, 0) }
    }

    /// A POST; returns its answer.
    func take(_ maps: [WebChannelForm.Map]) throws(WebChannelProblem) -> [UInt8] {
        let time = now()
        return try state.withLock { (state) throws(WebChannelProblem) -> [UInt8] in
            state.machine.setTight(budget.isTight)
            apply(try state.machine.take(maps), &state)
            return state.machine.reply(now: time)
        }
    }

    /// Passes on the messages taken.
    func deliverTaken() { deliver() }

    /// A GET.
    func answer(_ exchange: any HTTPExchange, after acknowledged: Int, pollsFor wait: Int64?) {
        let time = now()
        let number = state.withLock { state in
            state.lastNumber += 1
            state.answers[state.lastNumber] = exchange
            apply(state.machine.open(state.lastNumber, after: acknowledged, pollsFor: wait, now: time), &state)
            return state.lastNumber
        }
        exchange.onCancel { [weak self] in self?.lost(number) }
        settle()
    }

    private func lost(_ number: Int) {
        let time = now()
        let answer = state.withLock { state in
            state.machine.lost(number, now: time)
            return state.answers.removeValue(forKey: number)
        }
        // Nothing is sent: the connection learns that the request is no longer worked on.
        answer?.cut()
    }

    /// Ends the session, because the client wants it or the server is about to go.
    func terminate() {
        let time = now()
        state.withLock { state in
            guard !state.isForgotten else { return }
            apply(state.machine.terminate(now: time), &state)
        }
        settle()
    }

    func tick() {
        let time = now()
        let isQuiet = state.withLock { state in
            let actions = state.machine.tick(now: time)
            apply(actions, &state)
            return actions.isEmpty
        }
        if !isQuiet { settle() }
    }

    /// The server stops: the stream sends its last messages, and GETs end.
    func drain() {
        let time = now()
        state.withLock { state in
            state.isStopping = true
            if state.hasEnded { apply(state.machine.endAnswer(now: time), &state) } else { state.signals.append(.drain) }
        }
        settle()
    }

    // MARK: RPCStreamCall

    func send(_ message: [UInt8]) {
        do throws(FirestoreError) {
            let json = try method.responseJSON(of: message)
            let flushes = state.withLock { state in
                state.sent += message.count
                state.machine.send(json)
                defer { state.willFlush = true }
                return !state.willFlush
            }
            // Later, so that messages that are sent one after the other become one frame.
            if flushes { WorkThreads.shared.run { self.flush() } }
        } catch {
            finish(RPCStatus(error))
        }
    }

    func send(contentsOf messages: [[UInt8]]) {
        do throws(FirestoreError) {
            var texts: [[UInt8]] = []
            texts.reserveCapacity(messages.count)
            for message in messages { texts.append(try method.responseJSON(of: message)) }
            let time = now()
            // Writing causes no event for the stream: only a GET releases capacity, and only the client ends the session.
            state.withLock { state in
                for message in messages { state.sent += message.count }
                for text in texts { state.machine.send(text) }
                apply(state.machine.flush(now: time), &state)
            }
            performOutput()
        } catch {
            finish(RPCStatus(error))
        }
    }

    var isWritable: Bool { state.withLock { $0.machine.isWritable } }

    func whenWritable() async throws(RPCStatus) {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<RPCStatus?, Never>) in
            let isSettled = state.withLock { state in
                if state.hasEnded || state.machine.isWritable { return true }
                state.waiters.append(continuation)
                return false
            }
            if isSettled { continuation.resume(returning: state.withLock { $0.hasEnded } ? Self.gone : nil) }
        }
        if let failure { throw failure }
    }

    func finish(_ status: RPCStatus?) {
        let time = now()
        let isFirst = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.machine.finish(status.map(Self.content), endsAnswer: state.isStopping, now: time)
            end(nil, code: status?.code ?? .ok, &state)
            return true
        }
        guard isFirst else { return }
        performOutput()
        WorkThreads.shared.run {
            self.flush()
            self.settle()
        }
    }

    func setReading(_ isOn: Bool) {
        let resumes = state.withLock { state in
            defer { state.isReading = isOn }
            return isOn && !state.isReading
        }
        // Messages are decoded on this thread, and the caller's may be the database's.
        if resumes { WorkThreads.shared.run { self.deliver() } }
    }

    private static let gone = RPCStatus(.cancelled, "the session is over")

    /// An error as the web SDK reads it: `[{"error":{"status":"INVALID_ARGUMENT","message":"…"}}]`.
    // WC-45
    private static func content(_ status: RPCStatus) -> [UInt8] {
        JSON.array([
            .object([("error", .object([("status", .string(status.code.canonicalName)), ("message", .string(status.message))]))])
        ]).bytes()
    }

    // MARK: The machine's actions

    private func flush() {
        let time = now()
        state.withLock { state in
            state.willFlush = false
            apply(state.machine.flush(now: time), &state)
        }
        settle()
    }

    /// Under the lock.
    private func apply(_ actions: [WebChannelMachine.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .receive(let text):
                state.received += text.count
                state.messages.append(text)
            case .begin(let number): if let answer = state.answers[number] { state.output.append(.begin(answer)) }
            case .write(let number, let bytes): if let answer = state.answers[number] { state.output.append(.write(answer, bytes)) }
            case .end(let number): if let answer = state.answers.removeValue(forKey: number) { state.output.append(.end(answer)) }
            case .becameWritable: state.signals.append(.becameWritable)
            case .forget:
                state.isForgotten = true
                end(Self.gone, code: .cancelled, &state)
            }
        }
        budget.report(&state.reported, state.machine.heldBytes)
        state.machine.setTight(budget.isTight)
    }

    /// Under the lock: the stream has ended, with a reason if it has not ended itself.
    private func end(_ reason: RPCStatus?, code: FirestoreError.Code, _ state: inout State) {
        guard !state.hasEnded else { return }
        state.hasEnded = true
        state.messages = []
        state.signals.append(.ended(reason))
        let record = RPCCallRecord(
            path: info.path, code: code, duration: ContinuousClock.now - began, received: state.received, sent: state.sent,
            metadata: info.metadata)
        state.output.append(.streamEnded(record))
    }

    private func performOutput() {
        guard state.withLock({ $0.output.begin() }) else { return }
        while let output = state.withLock({ $0.output.next() }) {
            for action in output {
                switch action {
                case .begin(let answer): answer.begin(status: 200, headers: WebChannelService.streamHeaders)
                case .write(let answer, let bytes): answer.write(bytes)
                case .end(let answer): answer.end()
                case .streamEnded(let record): streamEnded(record)
                }
            }
        }
    }

    /// Runs after every event: writes answers, notifies the handler, resumes suspended senders, and unregisters a finished session.
    private func settle() {
        performOutput()
        deliver()
        let (waiters, result, isForgotten) = state.withLock { state in
            let isSettled = state.hasEnded || state.machine.isWritable
            defer { if isSettled { state.waiters = [] } }
            return (isSettled ? state.waiters : [], state.hasEnded ? Self.gone : nil, state.isForgotten)
        }
        for waiter in waiters { waiter.resume(returning: result) }
        if isForgotten { forgotten(self) }
    }

    // MARK: The stream

    /// Calls the stream until it has received everything, unless another thread does.
    private func deliver() {
        let isFree = state.withLock { state in
            guard state.handler != nil, !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        if isFree { goOn() }
    }

    /// Continues on another thread behind a large message, which is decoded on the lane of large bodies.
    private func goOn() {
        while let step = nextStep() {
            switch step {
            case .signal(let signal, let handler): Self.pass(signal, to: handler)
            case .message(let text, let handler) where text.count <= lane.small: pass(decoded(text), to: handler)
            case .message(let text, let handler):
                do throws(FirestoreError) {
                    return try lane.decode(bytes: text.count, of: DecodingLane.caller(nil, at: info.peer)) { [self] in
                        state.withLock { $0.hasEnded } ? .failure(FirestoreError(.cancelled, "the session is over")) : decoded(text)
                    } then: { [self] in
                        pass($0, to: handler)
                        goOn()
                    }
                } catch {
                    finish(RPCStatus(error))
                }
            }
        }
    }

    private enum Step: Sendable {
        case signal(Signal, any RPCStreamHandler)
        case message([UInt8], any RPCStreamHandler)
    }

    /// The next call of the stream; nil, and from then on another thread may deliver, if there is none.
    private func nextStep() -> Step? {
        state.withLock { state in
            guard let handler = state.handler else {
                state.isDelivering = false
                return nil
            }
            if !state.signals.isEmpty {
                let signal = state.signals.removeFirst()
                if case .ended = signal { state.handler = nil }
                return .signal(signal, handler)
            }
            // A stream that cannot send is asked for nothing: its answers would pile up.
            guard state.isReading, state.machine.isWritable, !state.messages.isEmpty else {
                state.isDelivering = false
                return nil
            }
            let text = state.messages.removeFirst()
            state.machine.taken(text.count)
            budget.report(&state.reported, state.machine.heldBytes)
            return .message(text, handler)
        }
    }

    private static func pass(_ signal: Signal, to handler: any RPCStreamHandler) {
        switch signal {
        case .becameWritable: handler.becameWritable()
        case .drain: handler.drain()
        case .ended(let status): handler.ended(status)
        }
    }

    private func decoded(_ text: [UInt8]) -> Result<ByteSlice, FirestoreError> {
        Result { () throws(FirestoreError) in
            let request = try method.requestBytes(ofJSON: text)
            // WC-74
            if let named = request.database, !equalUTF8(named, database) {
                throw .invalidArgument("the channel is for \(database), and this message for \(named)")
            }
            guard request.message.count <= Limits.requestBytes else {
                throw .invalidArgument(
                    "the message takes \(request.message.count) bytes and exceeds the maximum of \(Limits.requestBytes); split it")
            }
            return request.message
        }
    }

    private func pass(_ message: Result<ByteSlice, FirestoreError>, to handler: any RPCStreamHandler) {
        do throws(FirestoreError) { handler.receive(try message.get()) } catch { finish(RPCStatus(error)) }
    }
}

/// How many bytes all sessions hold together.
final class WebChannelBudget: Sendable {
    private let limit: Int
    private let process: MemoryBudget
    private let total = Mutex(0)

    init(limit: Int, of process: MemoryBudget = .process) {
        self.limit = limit
        self.process = process
    }

    /// Records the size that a session holds now, instead of the earlier one.
    func report(_ before: inout Int, _ bytes: Int) {
        guard before != bytes else { return }
        total.withLock { $0 += bytes - before }
        if bytes > before { process.charge(bytes - before) } else { process.release(before - bytes) }
        before = bytes
    }

    var bytes: Int { total.withLock { $0 } }
    var isTight: Bool { bytes > limit || process.isTight }
}
