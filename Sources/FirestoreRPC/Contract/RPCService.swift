// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Methods by path. Knows nothing of connections.
package protocol RPCService: Sendable {
    /// nil: the call is answered with `unimplemented`. Asked on a connection's loop: must be quick.
    func method(at path: String) -> RPCMethod?
}

/// How a service answers the calls of one method.
package enum RPCMethod: Sendable {
    /// One message in, one out. Gets all calls of the method that one connection has read together, off its loop, so
    /// that a batch costs one hop; it must not block for long, since batches of one connection wait for each other.
    case unary(@Sendable ([any RPCUnaryCall]) -> Void)
    /// Everything else: any number of messages in and out. Called on the connection's loop: must not block.
    case stream(@Sendable (any RPCStreamCall) -> any RPCStreamHandler)
}

/// What is known about a call before its first message.
package struct RPCCallInfo: Sendable {
    /// `/google.firestore.v1.Firestore/Commit`
    package var path: String
    package var metadata: RPCMetadata
    package var deadline: ContinuousClock.Instant?
    /// The other side's address, for logs.
    package var peer: String

    package init(
        path: String, metadata: RPCMetadata = RPCMetadata(), deadline: ContinuousClock.Instant? = nil, peer: String = ""
    ) {
        self.path = path
        self.metadata = metadata
        self.deadline = deadline
        self.peer = peer
    }
}

/// A call with one message in and one out, as the server sees it. Everything may be used from any thread.
package protocol RPCUnaryCall: AnyObject, Sendable {
    var info: RPCCallInfo { get }
    var request: ByteSlice { get }

    /// Answers. Once: later answers, and those to a call that is gone, are dropped.
    func respond(_ result: Result<[UInt8], RPCStatus>)

    /// Runs `body` once if the call ends before it is answered: cancelled, past its deadline, connection lost. At once
    /// if that has happened. One at most; the latest wins.
    func onCancel(_ body: @escaping @Sendable () -> Void)
}

/// A call with streams, as the server sees it. Everything may be used from any thread.
package protocol RPCStreamCall: AnyObject, Sendable {
    var info: RPCCallInfo { get }

    /// Queues a message; dropped once the call has ended. Never blocks: who sends much asks `isWritable` first.
    func send(_ message: [UInt8])

    /// False while more than a set number of bytes has not gone to the socket.
    var isWritable: Bool { get }

    /// Returns when there is room; throws when the call has ended.
    func whenWritable() async throws(RPCStatus)

    /// Ends the call, nil for `ok`, after everything sent before. Once; later ones are dropped.
    func finish(_ status: RPCStatus?)

    /// Stops taking messages from the peer, whom the window will stop; and goes on. On at first.
    func setReading(_ isOn: Bool)
}

/// The server's side of a call with streams. Called by the connection's loop, one call at a time: must not block.
package protocol RPCStreamHandler: AnyObject, Sendable {
    func receive(_ message: ByteSlice)

    /// The peer has said all it has to say.
    func halfClosed()

    /// There is room again after `isWritable` was false.
    func becameWritable()

    /// The last thing it hears, once: nil after `finish`, or why the call has ended without it (cancelled, deadline,
    /// connection lost).
    func ended(_ status: RPCStatus?)

    /// The server wants to stop: say what is left to say and finish soon.
    func drain()
}
