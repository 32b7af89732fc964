// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

/// The framing of one HTTP/2 connection (RFC 9113): bytes and events, windows and the states of streams. Header compression is
/// swift-nio-http2's.
///
/// Pure: it takes what arrives and what the core sends, and returns events and the bytes to write. `next` returns the events, one at
/// a time, so that everything may be called between two of them. After an error of the connection it does nothing more.
struct HTTP2Framing {
    enum Role {
        case client
        case server
    }

    enum Event {
        case headers(StreamID, HPACKHeaders, end: Bool)
        /// `length` is what the frame takes from the windows. Without bytes if it is for a stream that is reset.
        case data(StreamID, ByteBuffer, length: Int, end: Bool)
        case reset(StreamID, HTTP2ErrorCode)
        /// Both sides have ended the stream, or one has reset it.
        case closed(StreamID)
        case goAway(last: StreamID)
        case pong(UInt64)
        /// The connection is to be closed once the output is written.
        case failed(HTTP2ConnectionError)
    }

    /// A header block of which a part is missing.
    struct Block {
        let stream: StreamID
        let end: Bool
        var bytes: ByteBuffer
        var continuations = 0
    }

    enum Greeting {
        case preface
        case settings
        case complete
    }

    let role: Role
    let limits: RPCLimits

    // What arrives.
    var input = ByteBuffer()
    var greeting: Greeting
    var block: Block?
    var decoder: HPACKDecoder
    var events: CircularBuffer<Event> = CircularBuffer(initialCapacity: 8)
    var isFailed = false
    var resets: HTTP2Rate
    /// Streams that this side has ended and the peer may not know of yet: its resets of them are no signs of abuse.
    var endedFirst = 0
    var controls: HTTP2Rate
    var updates: HTTP2Rate
    /// SETTINGS and PING of this side that the peer has to acknowledge.
    var unacknowledged = 1
    /// Whether something was sent since the last ping: clients measure with pings how fast it arrives.
    var hasSentSincePing = false
    /// What the peer may send: the initial window of streams grows when it acknowledges this side's SETTINGS.
    var receiveWindow = 65_535
    var initialReceiveWindow = 65_535

    // What is sent.
    /// Taken by the handler, which writes it.
    var output = HTTP2Output()
    var peer = HTTP2Settings()
    var sendWindow = 65_535
    /// Streams with data that fits their own window, in the order in which they are served.
    var waiting: CircularBuffer<StreamID> = []
    /// How many bytes of data may be written before `refill`: the socket takes them piece by piece.
    var room = Int.max
    /// Whether data of any stream was written since the last look at streams that do not move.
    var hasWritten = false
    /// Whether data may wait in a stream.
    var mayHaveQueue = false
    /// Streams of the client beyond the peer's MAX_CONCURRENT_STREAMS.
    var unopened: CircularBuffer<StreamID> = []

    var streams: [StreamID: HTTP2Stream] = [:]
    /// How many of them count for MAX_CONCURRENT_STREAMS.
    var openCount = 0
    /// Streams that are closed, and whose calls are still being carried out: they count, too.
    var lingering = 0
    /// The highest stream of the client.
    var highest: StreamID = 0
    /// The last stream that this side's GOAWAY names.
    var lastAccepted = HTTP2Settings.largestWindow
    var ignored: HTTP2ResetStreams

    init(_ role: Role, limits: RPCLimits) {
        self.role = role
        self.limits = limits
        greeting = role == .server ? .preface : .settings
        decoder = HPACKDecoder(allocator: ByteBufferAllocator(), maxDynamicTableSize: 4096, maxHeaderListSize: limits.headerListSize)
        // A server that resets many streams has reasons; a client trusts it.
        let isServer = role == .server
        resets = HTTP2Rate(limit: isServer ? limits.resetsPerHalfMinute : 10_000)
        controls = HTTP2Rate(limit: isServer ? limits.controlFramesPerHalfMinute : 10_000)
        updates = HTTP2Rate(limit: isServer ? limits.windowUpdatesPerHalfMinute : 1_000_000)
        ignored = HTTP2ResetStreams(limit: 2 * limits.concurrentStreams)
    }

    static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    /// Writes this side's greeting.
    mutating func start() {
        if role == .client { output.preface() }
        output.settings(
            [
                (HTTP2Settings.Name.concurrentStreams, limits.concurrentStreams), (HTTP2Settings.Name.initialWindow, limits.streamWindow),
                (HTTP2Settings.Name.headerListSize, limits.headerListSize),
            ] + (role == .client ? [(HTTP2Settings.Name.enablePush, 0)] : []))
        // SETTINGS cannot set the connection's window.
        if limits.connectionWindow > receiveWindow { windowUpdate(0, limits.connectionWindow - receiveWindow) }
    }

    /// Ends the connection with a GOAWAY.
    mutating func fail(_ error: HTTP2ConnectionError) {
        guard !isFailed else { return }
        isFailed = true
        output.goAway(last: role == .server ? min(highest, lastAccepted) : 0, error.code)
        input = ByteBuffer()
        block = nil
        events.append(.failed(error))
    }

    mutating func fail(_ code: HTTP2ErrorCode, _ reason: String) { fail(HTTP2ConnectionError(code: code, reason: reason)) }

    /// The peer does too much of something that costs more than it brings.
    mutating func fail(_ shed: ShedReason, _ reason: String) {
        fail(HTTP2ConnectionError(code: .enhanceYourCalm, reason: reason, shed: shed))
    }

    // MARK: Streams

    /// This side has ended the stream; it is closed if the other one has, too.
    mutating func endLocally(_ id: StreamID, _ index: Dictionary<StreamID, HTTP2Stream>.Index, _ end: StreamEnd) {
        guard end != .no else { return }
        if streams.values[index].isRemoteEnded { return close(id) }
        streams.values[index].isLocalEnded = true
        // The peer still sends: it is asked to stop.
        if end == .yesAndStop { abandon(id, .noError) }
    }

    /// Resets a stream.
    mutating func abandon(_ id: StreamID, _ code: HTTP2ErrorCode) {
        if streams[id]?.isOpened != false { output.reset(id, code) }
        ignored.insert(id)
        close(id)
    }

    mutating func close(_ id: StreamID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        endedFirst = min(endedFirst + 1, limits.concurrentStreams)
        events.append(.closed(id))
        guard stream.isOpened else { return }
        openCount -= 1
        if !unopened.isEmpty { openNext() }
    }
}
