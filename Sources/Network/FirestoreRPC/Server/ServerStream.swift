// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// One stream of a server's connection. Its subclasses are the calls that handlers see.
///
/// `@unchecked Sendable`, this class and its subclasses: every mutable property is accessed on the connection's loop only, except
/// for those marked *shared*, which are accessed under the lock of the connection's mailbox.
class ServerStream: @unchecked Sendable {
    let id: StreamID
    let connection: ServerConnection
    var window: ReceiveWindow
    /// Whether the peer has ended its half of the stream.
    var requestEnded = false
    var responseStarted = false
    var responseEnded = false
    /// Bytes sent and possibly not yet written.
    var unconfirmed = 0
    /// What its headers and its state take.
    let overhead: Int
    /// The address behind a proxy that it counts for.
    var client: String?
    /// Bytes of the request of a caller that has gone, while the request is being carried out; nil if it is not.
    var lingering: Int?
    /// Bytes of the request that are complete and not yet answered, or not yet taken.
    var held = 0
    /// Bytes of an incomplete message.
    var collecting = 0

    init(id: StreamID, connection: ServerConnection, metadata: RPCMetadata) {
        self.id = id
        self.connection = connection
        overhead = metadata.entries.reduce(1024) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        window = ReceiveWindow(size: connection.limits.streamWindow)
    }

    /// Whether the service has the request, and has not answered it.
    var isBeingAnswered: Bool { false }

    /// Whether the peer should be slowed down.
    var isPaused: Bool { false }

    /// Takes the content of a DATA frame.
    func receive(_ bytes: ByteBuffer) {}

    /// Processes the received data, including `requestEnded`.
    func advance() {}

    /// The stream has ended without an answer of the handler: notifies it, once.
    func abandon(_ reason: RPCStatus) {}

    func confirmed(_ bytes: Int) {}
}

/// A stream that is a gRPC call.
///
/// `@unchecked Sendable` as its superclass: the variables are accessed on the connection's loop only; `info` and `start` are constants.
class ServerCallStream: ServerStream, @unchecked Sendable {
    let info: RPCCallInfo
    let start: NIODeadline?
    var deframer: MessageDeframer
    var receivedBytes = 0
    var sentBytes = 0

    init(id: StreamID, connection: ServerConnection, info: RPCCallInfo, inflates: Bool) {
        self.info = info
        start = connection.observer == nil ? nil : connection.eventLoop.now
        deframer = MessageDeframer(limit: connection.limits.messageSize, oversizedCode: connection.limits.oversizedCode)
        deframer.inflates = inflates
        super.init(id: id, connection: connection, metadata: info.metadata)
    }

    override func receive(_ bytes: ByteBuffer) { deframer.append(bytes) }

    /// Sends the headers of the response, once.
    func startResponse() {
        guard !responseStarted else { return }
        responseStarted = true
        connection.port?.headers(id, .grpcResponse, end: .no)
    }
}
