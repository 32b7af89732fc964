// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Methods by path, independent of connections.
package protocol RPCService: Sendable {
    /// nil if the call is to be answered with `unimplemented`. Called on a connection's loop: must return quickly.
    func method(at path: String) -> RPCMethod?
}

/// How a service answers the calls of one method.
package enum RPCMethod: Sendable {
    /// One request message and one answer. Receives all calls of the method that one connection has read together, off its loop, so
    /// that a batch costs one hop. It must not block for long, since batches of one connection wait for each other.
    case unary(@Sendable ([any RPCUnaryCall]) -> Void)
    /// All other methods: any number of messages in both directions. Called on the connection's loop: must not block.
    case stream(@Sendable (any RPCStreamCall) -> any RPCStreamHandler)
}

/// The properties of a call that are known before its first message.
package struct RPCCallInfo: Sendable {
    /// `/google.firestore.v1.Firestore/Commit`
    package var path: String
    package var metadata: RPCMetadata
    package var deadline: ContinuousClock.Instant?
    /// The peer's address, for logs.
    package var peer: String
    /// Whether it came as a plain HTTP request, as pages send them, and not over gRPC.
    package var isPlain: Bool
    /// The memory of the connection that it came through; nil for calls that are examined by themselves.
    package var memory: ConnectionMemory?

    package init(
        path: String, metadata: RPCMetadata = RPCMetadata(), deadline: ContinuousClock.Instant? = nil, peer: String = "",
        isPlain: Bool = false, memory: ConnectionMemory? = nil
    ) {
        self.path = path
        self.metadata = metadata
        self.deadline = deadline
        self.peer = peer
        self.isPlain = isPlain
        self.memory = memory
    }
}

/// A call with one request message and one answer, as the server sees it. All members may be used from any thread.
package protocol RPCUnaryCall: AnyObject, AnswerReservation {
    var info: RPCCallInfo { get }
    var request: ByteSlice { get }

    /// Answers the call. Later answers, and those to a call that has ended, are ignored.
    func respond(_ result: Result<[UInt8], RPCStatus>)

    /// Runs `body` once if the call ends before it is answered: cancelled, past its deadline, or connection lost. Runs it
    /// immediately if that has happened. Replaces an earlier `body`.
    func onCancel(_ body: @escaping @Sendable () -> Void)
}

/// A streaming call, as the server sees it. All members may be used from any thread.
package protocol RPCStreamCall: AnyObject, AnswerReservation {
    var info: RPCCallInfo { get }

    /// Queues a message; dropped once the call has ended. Never blocks: check `isWritable` before sending much.
    func send(_ message: [UInt8])

    /// Queues messages that belong together: they are sent immediately, without waiting for more.
    func send(contentsOf messages: [[UInt8]])

    /// False while more than a certain number of bytes is not yet written to the socket.
    var isWritable: Bool { get }

    /// Returns when there is room; throws when the call has ended.
    func whenWritable() async throws(RPCStatus)

    /// Ends the call after everything sent before; nil for `ok`. Later calls are ignored.
    func finish(_ status: RPCStatus?)

    /// Pauses or resumes the delivery of messages; the receive window then stops the peer. On at first.
    func setReading(_ isOn: Bool)
}

extension RPCStreamCall {
    package func send(contentsOf messages: [[UInt8]]) {
        for message in messages { send(message) }
    }
}

/// The server's side of a streaming call. Called on the connection's loop, one call at a time: must not block.
package protocol RPCStreamHandler: AnyObject, Sendable {
    func receive(_ message: ByteSlice)

    /// The peer has ended its half of the stream.
    func halfClosed()

    /// There is room again after `isWritable` was false.
    func becameWritable()

    /// The last call to the handler, made once: nil after `finish`, or the reason why the call ended without it (cancelled,
    /// deadline, connection lost).
    func ended(_ status: RPCStatus?)

    /// The server is stopping: send the remaining messages and finish soon.
    func drain()
}
