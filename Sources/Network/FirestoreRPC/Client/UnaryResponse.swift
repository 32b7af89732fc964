// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Waits for one message and the status.
final class UnaryResponse: RPCClientHandler {
    private struct State {
        var message: ByteSlice?
        var hasTooMany = false
        var result: Result<ByteSlice, RPCStatus>?
        var continuation: CheckedContinuation<Result<ByteSlice, RPCStatus>, Never>?
    }

    private let state = Mutex(State())

    func receive(_ message: ByteSlice) {
        state.withLock { state in
            state.hasTooMany = state.message != nil
            state.message = message
        }
    }

    func becameWritable() {}

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        let waiter: (CheckedContinuation<Result<ByteSlice, RPCStatus>, Never>, Result<ByteSlice, RPCStatus>)? = state.withLock { state in
            let result: Result<ByteSlice, RPCStatus> =
                if let status {
                    .failure(status)
                } else if let message = state.message, !state.hasTooMany {
                    .success(message)
                } else {
                    .failure(
                        RPCStatus(
                            .unimplemented, "the answer has \(state.hasTooMany ? "several messages" : "no message") instead of one"))
                }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation.map { ($0, result) }
        }
        if let (continuation, result) = waiter { continuation.resume(returning: result) }
    }

    func value() async -> Result<ByteSlice, RPCStatus> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
