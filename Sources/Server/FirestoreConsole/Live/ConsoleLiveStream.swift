// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import HearthBase

/// One stream to a page of the console (CO-12): to the Listen methods a call like one over gRPC, to HTTP lines of JSON.
///
/// Events of listeners are held back where they are made, while the page does not read (`isWritable`). Lines of topics are held here up to
/// a bound, and dropped beyond it.
final class ConsoleLiveStream: RPCStreamCall, WithoutReservation {
    private enum Output: Sendable {
        case write([UInt8])
        case waitForRoom
        case end
    }

    private struct State {
        var isOver = false
        /// nil without targets, and after the end.
        var handler: (any RPCStreamHandler)?
        /// Topics that buffer their lines themselves until they are taken.
        var sources: [@Sendable () -> [[UInt8]]] = []
        /// Ends what topics send.
        var unsubscribe: [@Sendable () -> Void] = []
        /// Bytes written since the peer was last known to read.
        var unread = 0
        var isWaiting = false
        /// Lines of topics that wait for the page.
        var held: [[UInt8]] = []
        var heldBytes = 0
        var dropped = 0
        var tail: Task<Void, Never>?
        var output = ActionQueue<Output>()
    }

    /// After so many bytes the stream waits until the connection takes more.
    private static let share = 64 << 10
    /// The most that is held for topics.
    static let mostHeld = 1 << 20
    private static let headers = RPCMetadata([
        ("content-type", "application/x-ndjson"), ("cache-control", "no-store"), ("x-accel-buffering", "no"),
    ])

    let info: RPCCallInfo
    private let exchange: any HTTPExchange
    private let ended: @Sendable (ConsoleLiveStream) -> Void
    private let state = Mutex(State())

    /// - Parameter ended: Called once, when the stream is over.
    init(_ exchange: any HTTPExchange, info: RPCCallInfo, ended: @escaping @Sendable (ConsoleLiveStream) -> Void) {
        self.exchange = exchange
        self.info = info
        self.ended = ended
    }

    /// Answers, and listens to the targets.
    func start(_ messages: [ByteSlice], _ listen: (any RPCStreamCall) -> any RPCStreamHandler) {
        exchange.begin(status: 200, headers: Self.headers)
        exchange.onCancel { [weak self] in self?.close(RPCStatus(.cancelled, "the page has gone")) }
        guard !messages.isEmpty else { return }
        let handler = listen(self)
        let isOver = state.withLock { state in
            if !state.isOver { state.handler = handler }
            return state.isOver
        }
        guard !isOver else { return handler.ended(RPCStatus(.cancelled, "the page has gone")) }
        for message in messages { handler.receive(message) }
    }

    /// - Parameter unsubscribe: Called once, when the stream is over.
    func keep(_ unsubscribe: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.unsubscribe.append(unsubscribe) }
            return state.isOver
        }
        if isOver { unsubscribe() }
    }

    // MARK: Lines

    /// Sends a line of a topic, or holds it until the page reads, or counts the entries dropped.
    ///
    /// - Parameter entries: The number of entries that the page is reported to have missed if the line does not fit.
    func offer(_ name: String, _ content: JSON, entries: Int = 1) {
        let line = Self.line(name, content.bytes())
        let isWritable = state.withLock { state in
            if !state.isWaiting { return !state.isOver }
            if state.heldBytes + line.count <= Self.mostHeld {
                state.held.append(line)
                state.heldBytes += line.count
            } else {
                state.dropped += entries
            }
            return false
        }
        if isWritable { write(line) }
    }

    /// Adds a topic that holds its lines itself, and reports them with `hasNews`. Lines come without their ends.
    func add(_ source: @escaping @Sendable () -> [[UInt8]]) {
        state.withLock { state in
            if !state.isOver { state.sources.append(source) }
        }
        hasNews()
    }

    /// A source has lines. They are taken when the page reads.
    func hasNews() {
        let sources = state.withLock { $0.isWaiting || $0.isOver ? [] : $0.sources }
        for source in sources { writeLines(source()) }
    }

    private func writeLines(_ lines: [[UInt8]]) {
        for line in lines { write(line + [UInt8(ascii: "\n")]) }
    }

    /// Shows the page, and proxies in between, that the stream is alive.
    func beat() {
        guard state.withLock({ !$0.isOver && !$0.isWaiting }) else { return }
        write([UInt8(ascii: "\n")])
    }

    private static func line(_ name: String, _ json: some Sequence<UInt8>) -> [UInt8] {
        Array("{\"\(name)\":".utf8) + json + Array("}\n".utf8)
    }

    private func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.output.append(.write(bytes))
            state.unread += bytes.count
            guard state.unread >= Self.share, !state.isWaiting else { return }
            state.isWaiting = true
            state.output.append(.waitForRoom)
        }
        performOutput()
    }

    /// Lines keep their order, and nothing follows the end.
    private func performOutput() {
        guard state.withLock({ $0.output.begin() }) else { return }
        while let output = state.withLock({ $0.output.next() }) {
            for action in output {
                switch action {
                case .write(let bytes): exchange.write(bytes)
                case .waitForRoom: waitForRoom()
                case .end: exchange.end()
                }
            }
        }
    }

    private func waitForRoom() {
        let task = Task { [weak self, exchange] in
            do throws(RPCStatus) {
                try await exchange.whenWritable()
            } catch {
                // The hook of the exchange ends the stream.
                return
            }
            self?.becameWritable()
        }
        state.withLock { $0.tail = task }
    }

    /// Held lines are sent first.
    private func becameWritable() {
        while let lines = takeHeld() {
            for line in lines { write(line) }
        }
        hasNews()
        state.withLock { $0.handler }?.becameWritable()
    }

    /// nil if nothing is held; from then on lines are written immediately.
    private func takeHeld() -> [[UInt8]]? {
        state.withLock { state -> [[UInt8]]? in
            guard !state.isOver, !state.held.isEmpty || state.dropped > 0 else {
                state.isWaiting = false
                state.unread = 0
                return nil
            }
            var lines = state.held
            if state.dropped > 0 { lines.append(Self.line("dropped", Array("\(state.dropped)".utf8))) }
            state.held = []
            state.heldBytes = 0
            state.dropped = 0
            return lines
        }
    }

    // MARK: RPCStreamCall

    func send(_ message: [UInt8]) {
        do throws(FirestoreError) {
            // A list of one.
            let json = try FirestoreMethod.listen.responseJSON(of: message)
            write(Self.line("listen", json.dropFirst().dropLast()))
        } catch {
            finish(RPCStatus(error))
        }
    }

    var isWritable: Bool { state.withLock { !$0.isWaiting && !$0.isOver } }

    func whenWritable() async throws(RPCStatus) { try await exchange.whenWritable() }

    /// Says why, and ends.
    func finish(_ status: RPCStatus?) {
        let error = status.map { status in
            let refusal = HTTPRefusal(FirestoreError(status))
            return JSON.object([
                ("code", .number(refusal.status)), ("message", .string(refusal.message)), ("status", .string(refusal.name)),
            ])
        }
        close(nil, saying: error.map { Self.line("error", $0.bytes()) })
    }

    /// All requests are there from the beginning.
    func setReading(_ isOn: Bool) {}

    // MARK: The end

    /// The server is stopping. Ends immediately: the page resumes from the last snapshot that it has received.
    func drain() { finish(RPCStatus(.unavailable, "the server is stopping")) }

    /// - Parameters:
    ///   - reason: Why it ends without having ended itself.
    ///   - line: The last one.
    private func close(_ reason: RPCStatus?, saying line: [UInt8]? = nil) {
        let last = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            let last = state
            if let line { state.output.append(.write(line)) }
            state.output.append(.end)
            state = State(isOver: true, output: state.output)
            return last
        }
        guard let last else { return }
        performOutput()
        last.tail?.cancel()
        for unsubscribe in last.unsubscribe { unsubscribe() }
        last.handler?.ended(reason)
        ended(self)
    }
}
