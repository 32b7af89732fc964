// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Waits for the one message of a call and for its end, then starts the method.
final class SingleRequestHandler: RPCStreamHandler {
    private enum State {
        case waiting(ByteSlice?)
        case running(Task<Void, Never>?)
        case over
    }

    private let call: any RPCStreamCall
    private let start: @Sendable (ByteSlice, SingleRequestHandler) -> Void
    private let state = Mutex(State.waiting(nil))

    /// `start` must not block; a task that answers the call is passed to `attach`.
    init(_ call: any RPCStreamCall, start: @escaping @Sendable (ByteSlice, SingleRequestHandler) -> Void) {
        self.call = call
        self.start = start
    }

    /// The task is cancelled when the call ends before it.
    func attach(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            guard case .running = state else { return true }
            state = .running(task)
            return false
        }
        if isOver { task.cancel() }
    }

    func receive(_ message: ByteSlice) {
        let isFirst = state.withLock { state in
            guard case .waiting(nil) = state else { return false }
            state = .waiting(message)
            return true
        }
        if !isFirst { refuse("this method takes one message, but received a second one") }
    }

    func halfClosed() {
        let message = state.withLock { state -> ByteSlice? in
            guard case .waiting(let message?) = state else { return nil }
            state = .running(nil)
            return message
        }
        guard let message else { return refuse("this method takes one message, but received none") }
        start(message, self)
    }

    private func refuse(_ reason: String) {
        end()
        call.finish(RPCStatus(.invalidArgument, reason))
    }

    private func end() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .over }
            guard case .running(let task) = state else { return nil }
            return task
        }
        task?.cancel()
    }

    /// Methods that send wait on the call itself.
    func becameWritable() {}

    func ended(_ status: RPCStatus?) { end() }

    /// Calls in flight finish without a notification.
    func drain() {}
}
