// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK
import NIOHTTP2

/// An HTTP/2 stream's number; 0 is the connection.
typealias StreamID = Int

/// What a connection's core says to the framing below it, which can be exchanged: HTTP/2 on a socket, another core in
/// the same process, a test's notebook.
protocol ConnectionPort: AnyObject {
    func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd)
    /// Unless `confirms` is 0, the core hears `confirmed` with that number once the bytes have gone.
    func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int)
    /// The end of a response; `alone` if no headers went before. Unless the request has ended, too, the peer is told to stop.
    func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool)
    /// At once: what has not gone to the socket never will.
    func reset(_ stream: StreamID, _ code: HTTP2ErrorCode)
    func windowUpdate(_ stream: StreamID, _ increment: Int)
    /// Once per turn: what was said goes out.
    func flush()
    /// Closes the connection.
    func close()
}

/// Whether this side's half of a stream ends with a frame.
enum StreamEnd {
    case no
    case yes
    /// Yes, and once it has gone the peer, who is still talking, is told that nobody listens.
    case yesAndStop

    /// The end of a response.
    static func response(requestEnded: Bool) -> StreamEnd { requestEnded ? .yes : .yesAndStop }
}

/// The header blocks that a core sends. The one that every call sends has a name, so that framing need not build it.
enum OutboundHeaders {
    case grpcResponse
    case fields(HPACKHeaders)
}

/// What the framing says to a core. All of it on the connection's loop.
protocol ConnectionCore: AnyObject {
    func receiveHeaders(_ stream: StreamID, _ headers: HPACKHeaders, end: Bool)
    /// `length` is what the frame takes from the windows, padding included.
    func receiveData(_ stream: StreamID, _ bytes: ByteBuffer, length: Int, end: Bool)
    func receiveReset(_ stream: StreamID, _ code: HTTP2ErrorCode)
    func receiveGoAway(lastStream: StreamID)
    func confirmed(_ stream: StreamID, _ bytes: Int)
    /// Both sides have ended, or one has reset it: nothing more will come or go, nothing is left to be sent.
    func streamClosed(_ stream: StreamID)
    /// Something is about to be received…
    func beginTurn()
    /// …and all that was read together has been: time to act on it and to flush.
    func endTurn()
    /// Also ends the turn, if there is one: nobody else would, and what is posted from then on would lie in the mailbox for
    /// ever, and hold the connection.
    func connectionLost(_ reason: RPCStatus)
    /// Calls shall come to their end; nothing new is wanted.
    func drain()
    var openStreams: Int { get }
    /// The highest stream the peer has opened.
    var highestStream: StreamID { get }
}
