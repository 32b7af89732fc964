// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import TestSupport
import Testing

/// A stream to a server, message by message, as no client hides it.
final class RawStream: RPCClientHandler {
    private struct State {
        var messages: [ByteSlice] = []
        var hasEnded = false
        var status: RPCStatus?
    }

    private let state = Mutex(State())
    private let call = Mutex<(any RPCClientCall)?>(nil)

    init(_ channel: any RPCChannel, _ method: FirestoreMethod, metadata: RPCMetadata) {
        let opened = channel.open(method.path, metadata: metadata, deadline: nil, handler: self)
        call.withLock { $0 = opened }
    }

    func send(_ message: some WireMessage) { call.withLock { $0 }?.send(message.encoded()) }
    func cancel() { call.withLock { $0 }?.cancel() }

    var messages: [ByteSlice] { state.withLock { $0.messages } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    /// How the stream has ended; nil while it lasts.
    var end: FirestoreError.Code? { state.withLock { $0.hasEnded ? $0.status?.code ?? .ok : nil } }

    /// Waits until there are so many messages or the stream has ended.
    func until(messages count: Int) async {
        await eventually("message \(count)") { messages.count >= count || hasEnded }
    }

    // MARK: RPCClientHandler

    func receive(_ message: ByteSlice) { state.withLock { $0.messages.append(message) } }
    func becameWritable() {}

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        state.withLock { state in
            state.hasEnded = true
            state.status = status
        }
    }
}
