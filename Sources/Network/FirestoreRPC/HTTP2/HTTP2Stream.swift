// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

/// The state of one open stream.
struct HTTP2Stream {
    /// What is sent once the windows, or the number of open streams, allow it.
    enum Queued {
        case fields(HPACKHeaders, end: StreamEnd)
        case data(ByteBuffer, end: StreamEnd, confirms: Int)
    }

    /// How much may still be sent, and received. A smaller INITIAL_WINDOW_SIZE can make the first one negative.
    var sendWindow: Int
    var receiveWindow: Int
    var hasReceivedHead = false
    var isRemoteEnded = false
    var isLocalEnded = false
    /// Whether it counts for the peer's MAX_CONCURRENT_STREAMS: a stream of the client that waits for its turn does not yet.
    var isOpened: Bool
    /// How much of the length that the peer has announced is missing.
    var missing: Int?
    /// Whether it waits for the connection's window.
    var isWaiting = false
    /// When the client has opened it.
    var openedAt = NIODeadline.uptimeNanoseconds(0)
    /// Whether data was sent, or began to wait, since it was looked at last.
    var hasMoved = true
    /// When it was first seen not to move.
    var stillSince = NIODeadline.uptimeNanoseconds(0)
    private(set) var queue: CircularBuffer<Queued>?

    init(sendWindow: Int, receiveWindow: Int, isOpened: Bool) {
        self.sendWindow = sendWindow
        self.receiveWindow = receiveWindow
        self.isOpened = isOpened
    }

    var hasQueue: Bool { queue != nil }

    /// Whether the first item of the queue waits for a window.
    var needsWindow: Bool {
        guard isOpened, !isLocalEnded, case .data? = queue?.first else { return false }
        return true
    }

    mutating func enqueue(_ item: Queued) {
        if queue == nil { hasMoved = true }
        if queue == nil { queue = CircularBuffer(initialCapacity: 4) }
        queue?.append(item)
    }

    mutating func dequeue() -> Queued? {
        let item = queue?.popFirst()
        if queue?.isEmpty == true { queue = nil }
        return item
    }

    /// What of the first item is left.
    mutating func putBack(_ item: Queued) {
        if queue == nil { queue = CircularBuffer(initialCapacity: 4) }
        queue?.prepend(item)
    }
}

/// Streams that this side has reset. Frames that the peer has sent before it learned of that are ignored.
struct HTTP2ResetStreams {
    private let limit: Int
    private var numbers: Set<StreamID> = []
    private var order: CircularBuffer<StreamID> = []

    init(limit: Int) { self.limit = limit }

    func contains(_ stream: StreamID) -> Bool { numbers.contains(stream) }

    /// The oldest one is forgotten when there are too many.
    mutating func insert(_ stream: StreamID) {
        guard numbers.insert(stream).inserted else { return }
        order.append(stream)
        if order.count > limit { numbers.remove(order.removeFirst()) }
    }
}

/// How often something may happen in half a minute.
struct HTTP2Rate {
    let limit: Int
    private var start = NIODeadline.uptimeNanoseconds(0)
    private var count = 0
    private var excused = 0

    init(limit: Int) { self.limit = limit }

    /// Returns false if that is too often.
    mutating func count(_ number: Int = 1, at now: NIODeadline) -> Bool {
        if now - start >= .seconds(30) { (start, count, excused) = (now, 0, 0) }
        count += number
        return count <= limit + excused
    }

    /// So many more may happen, for a good reason.
    mutating func excuse(_ number: Int) { excused += number }
}
