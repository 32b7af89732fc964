// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// A call as the client sees it.
///
/// `@unchecked Sendable`: the variables are accessed on the connection's loop only, after `init`. The constants are `Sendable`; `gate`
/// locks its state.
final class ClientStream: RPCClientCall, @unchecked Sendable {
    let connection: ClientConnection
    let path: String
    let metadata: RPCMetadata
    let deadline: ContinuousClock.Instant?
    /// Sent when the call is opened, together with the end of the request, so that a call with one message costs one post.
    let onlyMessage: [UInt8]?
    let gate: SendGate

    /// 0 until it is opened.
    var id: StreamID = 0
    var handler: (any RPCClientHandler)?
    var deframer: MessageDeframer
    var window: ReceiveWindow
    var isReading = true
    /// Sent before the connection existed. Bounded by senders that check `isWritable`, and by the limit of a stream.
    var early: [[UInt8]] = []
    var hasHeaders = false
    var requestEnded = false
    /// Whether the handler has been notified of the end.
    var isOver = false
    private var ending: (status: RPCStatus?, trailers: RPCMetadata)?
    private var isAdvancing = false

    init(
        _ connection: ClientConnection, path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?,
        onlyMessage: [UInt8]?, handler: any RPCClientHandler
    ) {
        self.connection = connection
        self.path = path
        self.metadata = metadata
        self.deadline = deadline
        self.onlyMessage = onlyMessage
        self.handler = handler
        gate = SendGate(limits: connection.limits)
        deframer = MessageDeframer(limit: connection.limits.messageSize, oversizedCode: .resourceExhausted)
        window = ReceiveWindow(size: connection.limits.streamWindow)
    }

    func send(_ message: [UInt8]) {
        guard gate.take(message.count) else { return }
        connection.post(.message(self, message))
    }

    var isWritable: Bool { gate.isWritable }
    func whenWritable() async throws(RPCStatus) { try await gate.whenWritable() }
    func halfClose() { connection.post(.halfClose(self)) }
    func cancel() { connection.post(.cancel(self)) }

    func setReading(_ isOn: Bool) {
        // From inside a handler's `receive`, it must apply to the very next message.
        if !isOn, connection.eventLoop.inEventLoop {
            isReading = false
        } else {
            connection.post(.reading(self, isOn))
        }
    }

    /// Delivers complete messages, then the end if it has been received.
    func advance() {
        guard !isAdvancing, !isOver else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        do throws(RPCStatus) {
            while isReading, !isOver, let message = try deframer.next() { handler?.receive(message) }
            deframer.keepRest()
            guard !isOver, let ending, isReading else { return }
            if ending.status == nil, !deframer.isEmpty {
                throw RPCStatus(.internal, "the answer ended in the middle of a message")
            }
            connection.tellEnd(self, ending.status, ending.trailers)
        } catch {
            connection.abort(self, error)
        }
    }

    /// The server has ended the stream; its earlier messages are delivered first.
    func receiveEnd(_ status: RPCStatus?, _ trailers: RPCMetadata) {
        guard ending == nil else { return }
        ending = (status, trailers)
        advance()
    }

    var hasEnding: Bool { ending != nil }
}
