// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// The messages of a call, taken one by one: the connection stops reading while too many wait.
final class ResponseReader: RPCClientHandler {
    private struct State {
        var call: (any RPCClientCall)?
        var waiting: [ByteSlice] = []
        /// The index of the first message not taken.
        var next = 0
        var bytes = 0
        var isReading = true
        var end: RPCStatus??
        var isCancelled = false
        var consumer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let isAsWhole: Bool
    private static let most = 2 << 20

    /// `asWhole`: the consumer is woken when all messages are there, not at each. Not only at the end: a long answer would have to be
    /// kept until then.
    init(asWhole: Bool = false) { isAsWhole = asWhole }

    func attach(_ call: any RPCClientCall) {
        let isCancelled = state.withLock { state in
            state.call = call
            return state.isCancelled
        }
        if isCancelled { call.cancel() }
    }

    /// Returns nil at the end. One caller at a time.
    func next() async throws(FirestoreError) -> ByteSlice? {
        while true {
            if let message = take() { return message }
            if let end = state.withLock({ $0.next == $0.waiting.count ? $0.end : nil }) {
                if let status = end { throw FirestoreError(status) }
                return nil
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        guard state.next == state.waiting.count, state.end == nil else { return true }
                        state.consumer = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    private func take() -> ByteSlice? {
        let (message, resumes) = state.withLock { state -> (ByteSlice?, (any RPCClientCall)?) in
            guard state.next < state.waiting.count else { return (nil, nil) }
            let message = state.waiting[state.next]
            state.next += 1
            state.bytes -= message.count
            if state.next == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: true)
                state.next = 0
            }
            guard !state.isReading, state.bytes < Self.most / 2 else { return (message, nil) }
            state.isReading = true
            return (message, state.call)
        }
        resumes?.setReading(true)
        return message
    }

    /// Cancels the call.
    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call
        }
        call?.cancel()
    }

    // MARK: RPCClientHandler

    func receive(_ message: ByteSlice) {
        let (stops, consumer) = state.withLock { state -> ((any RPCClientCall)?, CheckedContinuation<Void, Never>?) in
            state.waiting.append(message)
            state.bytes += message.count
            if isAsWhole, state.bytes <= Self.most / 2 { return (nil, nil) }
            defer { state.consumer = nil }
            guard state.isReading, state.bytes > Self.most, let call = state.call else { return (nil, state.consumer) }
            state.isReading = false
            return (call, state.consumer)
        }
        stops?.setReading(false)
        consumer?.resume()
    }

    func becameWritable() {}

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        let consumer = state.withLock { state in
            state.end = .some(status)
            state.call = nil
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume()
    }
}
