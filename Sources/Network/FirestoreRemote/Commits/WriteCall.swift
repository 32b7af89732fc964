// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// One Write stream: forwards what it receives, on the connection's loop.
final class WriteCall: RPCClientHandler {
    enum Event: Sendable {
        case message(ByteSlice)
        case ended(RPCStatus?)
    }

    private struct State {
        var call: (any RPCClientCall)?
        var isCancelled = false
    }

    private let onEvent: @Sendable (WriteCall, Event) -> Void
    private let state = Mutex(State())

    init(_ onEvent: @escaping @Sendable (WriteCall, Event) -> Void) { self.onEvent = onEvent }

    /// Opens the stream. The first request must name the database (LS-38).
    func open(_ connection: RemoteConnection) {
        let call = connection.open(.write, handler: self)
        let isCancelled = state.withLock { state in
            state.call = call
            return state.isCancelled
        }
        if isCancelled { call.cancel() }
    }

    func send(_ request: WriteRequest) { state.withLock { $0.call }?.send(request.encoded()) }

    /// A message without writes ends the stream (LS-38).
    func close(_ database: DatabaseID, _ token: ByteSlice) {
        guard let call = state.withLock({ $0.call }) else { return cancel() }
        call.send(WriteRequest(database: database, streamToken: token).encoded())
        call.halfClose()
    }

    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call
        }
        call?.cancel()
    }

    // MARK: RPCClientHandler

    /// At most one answer per sent batch is accepted.
    func receive(_ message: ByteSlice) { onEvent(self, .message(message)) }

    func becameWritable() {}

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        state.withLock { $0.call = nil }
        onEvent(self, .ended(status))
    }
}
