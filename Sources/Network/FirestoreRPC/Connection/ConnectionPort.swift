// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

/// An HTTP/2 stream's number; 0 is the connection.
typealias StreamID = Int

/// The interface from a connection's core to the framing below it, which can be exchanged: HTTP/2 on a socket, another core in the
/// same process, or a recorder in tests.
protocol ConnectionPort: AnyObject {
    func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd)
    /// Unless `confirms` is 0, the core's `confirmed` is called with that number once the bytes are written.
    func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int)
    /// Ends a response; `alone` if no headers were sent before. Unless the request has ended too, the peer is asked to stop.
    func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool)
    /// Takes effect immediately: data not yet written to the socket is discarded.
    func reset(_ stream: StreamID, _ code: HTTP2ErrorCode)
    func windowUpdate(_ stream: StreamID, _ increment: Int)
    /// Call it once per turn: sends everything queued.
    func flush()
    /// Closes the connection.
    func close()
}

/// Whether this side's half of a stream ends with a frame.
enum StreamEnd {
    case no
    case yes
    /// Yes, and once the frame is written, the peer, which is still sending, is asked to stop.
    case yesAndStop

    /// The end of a response.
    static func response(requestEnded: Bool) -> StreamEnd { requestEnded ? .yes : .yesAndStop }
}

/// The header blocks that a core sends. The one that every call sends is a separate case, so that framing need not build it.
enum OutboundHeaders {
    case grpcResponse
    case fields(HPACKHeaders)
}

/// The interface from the framing to a core. All calls are on the connection's loop.
protocol ConnectionCore: AnyObject {
    func receiveHeaders(_ stream: StreamID, _ headers: HPACKHeaders, end: Bool)
    /// `length` is what the frame takes from the windows, padding included.
    func receiveData(_ stream: StreamID, _ bytes: ByteBuffer, length: Int, end: Bool)
    func receiveReset(_ stream: StreamID, _ code: HTTP2ErrorCode)
    func receiveGoAway(lastStream: StreamID)
    func confirmed(_ stream: StreamID, _ bytes: Int)
    /// Both sides have ended the stream, or one has reset it: nothing more is sent or received.
    func streamClosed(_ stream: StreamID)
    /// Data is about to be received.
    func beginTurn()
    /// All data that was read together has been delivered: act on it and flush.
    func endTurn()
    /// Also ends the turn, if there is one. Otherwise later posts would stay in the mailbox for the lifetime of the process and keep
    /// the connection alive.
    func connectionLost(_ reason: RPCStatus)
    /// Calls in flight may finish; new ones are not accepted.
    func drain()
    var openStreams: Int { get }
    /// The calls whose streams are closed, and which are still being carried out: they count as open.
    var lingeringCalls: Int { get }
    /// So many bytes more, or fewer, wait for the socket without belonging to a stream.
    func socketHolds(_ change: Int)
    /// Nothing of a stream was sent for too long, although something waits. The stream ends with a reset.
    func stalled(_ stream: StreamID)
    /// The framing ends the connection, and why.
    func shed(_ reason: ShedReason)
    /// The highest stream opened by the peer.
    var highestStream: StreamID { get }
}

extension ConnectionCore {
    var lingeringCalls: Int { 0 }
    func socketHolds(_ change: Int) {}
    func stalled(_ stream: StreamID) {}
    func shed(_ reason: ShedReason) {}
}
