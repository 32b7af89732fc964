// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// A unary call without a connection: holds the answer until it is requested.
package final class FakeUnaryCall: RPCUnaryCall, WithoutReservation {
    private struct State {
        var result: Result<[UInt8], RPCStatus>?
        var waiter: CheckedContinuation<Result<[UInt8], RPCStatus>, Never>?
        var onCancel: (@Sendable () -> Void)?
    }

    package let info: RPCCallInfo
    package let request: ByteSlice
    private let state = Mutex(State())

    package init(_ request: ByteSlice, info: RPCCallInfo) {
        self.request = request
        self.info = info
    }

    package func respond(_ result: Result<[UInt8], RPCStatus>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<[UInt8], RPCStatus>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    package func onCancel(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = body } }

    package func cancel() { state.withLock { $0.onCancel }?() }

    /// Answered already, on the thread that handed the call over.
    package var isAnswered: Bool { state.withLock { $0.result != nil } }

    package func result() async -> Result<[UInt8], RPCStatus> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<[UInt8], RPCStatus>? in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}

/// A call with streams without a connection.
package final class FakeStreamCall: RPCStreamCall, WithoutReservation {
    private struct State {
        var messages: [ByteSlice] = []
        var end: RPCStatus??
        var isReading = true
        var isWritable = true
        /// The maximum queued without a reader.
        var writers: [CheckedContinuation<Bool, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    package let info: RPCCallInfo
    /// Messages after which the call has no more capacity until `read` is called.
    private let room: Int
    private let state = Mutex(State())

    package init(info: RPCCallInfo, room: Int = .max) {
        self.info = info
        self.room = room
    }

    package func send(_ message: [UInt8]) {
        change { state in
            guard state.end == nil else { return }
            state.messages.append(ByteSlice(message))
            if state.messages.count % room == 0 { state.isWritable = false }
        }
    }

    package var isWritable: Bool { state.withLock { $0.isWritable } }

    package func whenWritable() async throws(RPCStatus) {
        let isOpen = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let answer = state.withLock { state -> Bool? in
                if state.end != nil { return false }
                if state.isWritable { return true }
                state.writers.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) } else { change { _ in } }
        }
        if !isOpen { throw RPCStatus(.cancelled, "the call is over") }
    }

    package func finish(_ status: RPCStatus?) {
        change { state in if state.end == nil { state.end = .some(status) } }
        let writers = state.withLock { state in
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.resume(returning: false) }
    }

    package func setReading(_ isOn: Bool) { change { $0.isReading = isOn } }

    // MARK: For tests

    package var isReading: Bool { state.withLock { $0.isReading } }
    package var messages: [ByteSlice] { state.withLock { $0.messages } }

    /// Releases capacity for as many messages as before.
    package func read() {
        let writers = state.withLock { state in
            state.isWritable = true
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.resume(returning: true) }
    }

    /// Returns once the call has said `count` messages or has ended.
    package func until(messages count: Int) async {
        await until { $0.messages.count >= count || $0.end != nil }
    }

    /// Returns once the call has no more capacity, or has ended.
    package func untilFull() async {
        await until { !$0.writers.isEmpty || $0.end != nil }
    }

    /// Everything that was said; throws how the call ended if not well.
    package func outcome() async throws(RPCStatus) -> [ByteSlice] {
        await until { $0.end != nil }
        let (messages, end) = state.withLock { ($0.messages, $0.end) }
        if case .some(.some(let status)) = end { throw status }
        return messages
    }

    package var status: RPCStatus? { state.withLock { $0.end ?? nil } }

    private func until(_ condition: (State) -> Bool) async {
        while !state.withLock({ condition($0) }) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isDone = state.withLock { state in
                    if condition(state) { return true }
                    state.watchers.append(continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let watchers = state.withLock { state in
            body(&state)
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }
}

/// A request over HTTP without a connection.
package final class FakeExchange: HTTPExchange, WithoutReservation {
    package struct Response: Sendable {
        package var status: Int
        package var headers: RPCMetadata
        package var body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private struct State {
        var response: Response?
        var isOver = false
        var pieces = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    package let request: HTTPRequest
    private let state = Mutex(State())

    package init(_ request: HTTPRequest) { self.request = request }

    package func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        begin(status: status, headers: headers)
        write(body)
        end()
    }

    package func begin(status: Int, headers: RPCMetadata) {
        state.withLock { $0.response = Response(status: status, headers: headers, body: []) }
    }

    package func write(_ piece: [UInt8]) {
        state.withLock { state in
            state.response?.body += piece
            state.pieces += 1
        }
    }

    /// How many times something was written.
    package var pieces: Int { state.withLock { $0.pieces } }

    package func end() {
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    package func whenWritable() async throws(RPCStatus) {}
    package func onCancel(_ body: @escaping @Sendable () -> Void) {}

    package func response() async -> Response {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiter = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { $0.response } ?? Response(status: 0, headers: RPCMetadata(), body: [])
    }
}
