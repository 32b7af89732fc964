// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A client's handler that records what it receives.
final class Collector: RPCClientHandler {
    private struct State {
        var messages: [[UInt8]] = []
        var end: (status: RPCStatus?, trailers: RPCMetadata)?
        var writable = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var messages: [[UInt8]] { state.withLock { $0.messages } }
    /// How the call has ended; nil while it has not.
    var end: (status: RPCStatus?, trailers: RPCMetadata)? { state.withLock { $0.end } }
    var texts: [String] { messages.map { String(decoding: $0, as: UTF8.self) } }

    func receive(_ message: ByteSlice) { change { $0.messages.append(message.array) } }
    func becameWritable() { change { $0.writable += 1 } }
    func ended(_ status: RPCStatus?, trailers: RPCMetadata) { change { $0.end = (status, trailers) } }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        waiters.forEach { $0.resume() }
    }

    /// Returns once so many messages have come.
    func messages(_ count: Int) async -> [[UInt8]] {
        await wait { $0.messages.count >= count || $0.end != nil }
        return messages
    }

    /// How the call ended.
    func status() async -> RPCStatus? {
        await wait { $0.end != nil }
        return state.withLock { $0.end?.status }
    }

    private func wait(until isDone: (borrowing State) -> Bool) async {
        while !state.withLock({ isDone($0) }) {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if isDone(state) { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isNow { continuation.resume() }
            }
        }
    }
}
