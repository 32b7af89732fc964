// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// One Listen stream: moves what it receives to a queue, and stops the server while too much is waiting.
final class ListenCall: RPCClientHandler {
    private struct State {
        var call: (any RPCClientCall)?
        var isCancelled = false
        var waiting = 0
        var isReading = true
    }

    private let queue: DispatchQueue
    private let onMessage: @Sendable (ListenCall, ByteSlice) -> Void
    private let onEnd: @Sendable (ListenCall, RPCStatus?) -> Void
    private let state = Mutex(State())
    private static let most = 4 << 20

    init(
        on queue: DispatchQueue, receive: @escaping @Sendable (ListenCall, ByteSlice) -> Void,
        end: @escaping @Sendable (ListenCall, RPCStatus?) -> Void
    ) {
        self.queue = queue
        onMessage = receive
        onEnd = end
    }

    func open(_ connection: RemoteConnection) {
        let call = connection.open(.listen, handler: self)
        let isCancelled = state.withLock { state in
            state.call = call
            return state.isCancelled
        }
        if isCancelled { call.cancel() }
    }

    func send(_ request: ListenRequest) { state.withLock { $0.call }?.send(request.encoded()) }

    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call
        }
        call?.cancel()
    }

    // MARK: RPCClientHandler

    func receive(_ message: ByteSlice) {
        let stops = state.withLock { state -> (any RPCClientCall)? in
            state.waiting += message.count
            guard state.isReading, state.waiting > Self.most, let call = state.call else { return nil }
            state.isReading = false
            return call
        }
        stops?.setReading(false)
        queue.async { [self] in
            onMessage(self, message)
            let continues = state.withLock { state -> (any RPCClientCall)? in
                state.waiting -= message.count
                guard !state.isReading, state.waiting < Self.most / 2 else { return nil }
                state.isReading = true
                return state.call
            }
            continues?.setReading(true)
        }
    }

    func becameWritable() {}

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        queue.async { [self] in
            state.withLock { $0.call = nil }
            onEnd(self, status)
        }
    }
}
