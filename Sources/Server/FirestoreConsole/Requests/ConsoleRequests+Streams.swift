// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// A call with streams that is collected: as one row when it ends, or, if it lasts, as a row for each of its writes or targets.
final class CollectedStreamCall: RPCStreamCall {
    private struct State {
        var figures = ConsoleRequestRecord.Figures()
        /// The first message.
        var request: (bytes: ByteSlice?, outline: RequestOutline?)?
        var isOver = false
    }

    private let call: any RPCStreamCall
    private let begin: ConsoleCallBegin
    private let requests: ConsoleRequests
    private let rows: (any ConsoleStreamRows)?
    private let state = Mutex(State())

    init(_ call: any RPCStreamCall, _ begin: ConsoleCallBegin, _ requests: ConsoleRequests) {
        self.call = call
        self.begin = begin
        self.requests = requests
        rows =
            switch begin.method {
            case .listen: ConsoleTargetRows(begin, requests)
            case .write: ConsoleWriteRows(begin, requests)
            default: nil
            }
    }

    // MARK: RPCStreamCall

    var info: RPCCallInfo { begin.info }
    var isWritable: Bool { call.isWritable }
    func whenWritable() async throws(RPCStatus) { try await call.whenWritable() }
    func reserve(_ bytes: Int) async throws(RPCStatus) { try await call.reserve(bytes) }
    func giveBackReserved() { call.giveBackReserved() }
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
        if let rows { return rows.sent(message) }
        state.withLock { state in
            state.figures.sent += message.count
            state.figures.documents += begin.method.documentCount(of: message)
        }
    }

    func finish(_ status: RPCStatus?) {
        ended(status?.code ?? .ok, status?.message ?? "")
        call.finish(status)
    }

    // MARK: What arrives

    func received(_ message: ByteSlice) {
        let isFirst = state.withLock { state in
            state.figures.received += message.count
            return state.request == nil
        }
        if isFirst {
            let digest = requests.digest(message, begin.method)
            state.withLock { $0.request = digest }
        }
        rows?.received(message)
    }

    /// The peer has ended the call, or has gone, which is not a failure.
    func abandoned(_ status: RPCStatus?) { ended(status == nil ? .ok : .cancelled, status?.message ?? "") }

    private func ended(_ code: FirestoreError.Code, _ message: String) {
        let (isFirst, figures, request) = state.withLock { state in
            defer { state.isOver = true }
            (state.figures.code, state.figures.message) = (code, message)
            state.figures.duration = requests.settings.now() - begin.began
            return (!state.isOver, state.figures, state.request)
        }
        guard isFirst else { return }
        if let rows {
            // A stream that has ended before its first row is a row itself.
            guard !rows.ended(code, message), requests.admit(1) > 0 else { return }
        }
        requests.keep(begin, figures, request?.bytes, request?.outline)
    }
}

/// The server's side of a call that is collected.
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
        call.abandoned(status)
    }
}
