// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

/// What this side sends. What is meant for a stream that is closed is dropped: its end is among the events.
extension HTTP2Framing {
    private typealias Index = Dictionary<StreamID, HTTP2Stream>.Index

    // MARK: Messages

    mutating func headers(_ id: StreamID, _ fields: HPACKHeaders, end: StreamEnd) {
        guard !isFailed else { return }
        if role == .client, id > highest { begin(id) }
        guard let index = streams.index(forKey: id), !streams.values[index].isLocalEnded else { return }
        if streams.values[index].hasQueue || !streams.values[index].isOpened {
            return streams.values[index].enqueue(.fields(fields, end: end))
        }
        writeFields(id, index, fields, end: end)
    }

    /// Fields whose header block is the same for every call.
    mutating func headers(_ id: StreamID, encoded: [UInt8], fields: @autoclosure () -> HPACKHeaders, end: StreamEnd) {
        guard !isFailed, let index = streams.index(forKey: id), !streams.values[index].hasQueue, streams.values[index].isOpened,
            !streams.values[index].isLocalEnded, output.headers(id, encoded: encoded, isEnd: end != .no)
        else { return headers(id, fields(), end: end) }
        endLocally(id, index, end)
    }

    mutating func data(_ id: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int) {
        guard !isFailed, let index = streams.index(forKey: id), !streams.values[index].isLocalEnded else { return }
        let count = bytes.readableBytes
        // A few for what is sent together, and more for what is long.
        updates.excuse(4 + count >> 10)
        guard !streams.values[index].hasQueue, streams.values[index].isOpened,
            count <= min(streams.values[index].sendWindow, sendWindow, room) || count == 0
        else {
            mayHaveQueue = true
            streams.values[index].enqueue(.data(bytes, end: end, confirms: confirms))
            wait(id, index)
            return serve()
        }
        finish(id, index, bytes, end, confirms)
    }

    /// Writes the rest of what was sent together.
    private mutating func finish(_ id: StreamID, _ index: Index, _ bytes: ByteBuffer, _ end: StreamEnd, _ confirms: Int) {
        writeData(id, index, bytes, isEnd: end != .no)
        output.confirm(id, confirms)
        endLocally(id, index, end)
    }

    mutating func reset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard !isFailed, streams[id] != nil else { return }
        abandon(id, code)
    }

    /// The peer may send more: on a stream, or with 0 on the connection.
    mutating func windowUpdate(_ id: StreamID, _ increment: Int) {
        guard !isFailed else { return }
        if id == 0 {
            receiveWindow += increment
        } else {
            guard let index = streams.index(forKey: id), !streams.values[index].isRemoteEnded else { return }
            streams.values[index].receiveWindow += increment
        }
        output.windowUpdate(id, increment)
    }

    mutating func ping(_ data: UInt64, ack: Bool = false) {
        guard !isFailed else { return }
        if !ack { unacknowledged += 1 }
        output.ping(data, ack: ack)
    }

    /// Streams of the peer after the last one are ignored from now on.
    mutating func goAway(last: StreamID) {
        guard !isFailed else { return }
        lastAccepted = min(lastAccepted, last)
        output.goAway(last: last, .noError)
    }

    // MARK: Streams of the client

    /// A new stream. It waits if the peer allows no more.
    private mutating func begin(_ id: StreamID) {
        highest = id
        let isOpened = openCount < peer.concurrentStreams && unopened.isEmpty
        streams[id] = HTTP2Stream(sendWindow: peer.initialWindow, receiveWindow: initialReceiveWindow, isOpened: isOpened)
        if isOpened { openCount += 1 } else { unopened.append(id) }
    }

    /// Opens streams that have waited, as many as the peer allows.
    mutating func openNext() {
        while openCount < peer.concurrentStreams, let id = unopened.popFirst() {
            // It may have been reset meanwhile.
            guard let index = streams.index(forKey: id) else { continue }
            streams.values[index].isOpened = true
            openCount += 1
            drain(id)
        }
        serve()
    }

    // MARK: Windows

    /// The peer's SETTINGS hold.
    mutating func adopt(_ settings: HTTP2Settings) {
        let change = settings.initialWindow - peer.initialWindow
        if settings.headerTableSize != peer.headerTableSize { output.setTableSize(settings.headerTableSize) }
        output.largestPayload = settings.framePayload
        peer = settings
        if change != 0 {
            for id in streams.keys {
                guard let index = streams.index(forKey: id) else { continue }
                streams.values[index].sendWindow += change
                guard streams.values[index].sendWindow <= HTTP2Settings.largestWindow else {
                    return fail(.flowControlError, "the window of stream \(id) exceeds \(HTTP2Settings.largestWindow) bytes")
                }
                wait(id, index)
            }
        }
        openNext()
    }

    /// Lets a stream wait for the connection's window, if it has data that fits its own.
    mutating func wait(_ id: StreamID, _ index: Dictionary<StreamID, HTTP2Stream>.Index) {
        guard streams.values[index].needsWindow, !streams.values[index].isWaiting, streams.values[index].sendWindow > 0 else { return }
        streams.values[index].isWaiting = true
        waiting.append(id)
        // Streams that were closed meanwhile are left in it.
        if waiting.count > 2 * streams.count + 64 { waiting = CircularBuffer(waiting.filter { streams[$0] != nil }) }
    }

    /// Sends what has waited for a window, a frame of each stream in turn.
    mutating func serve() {
        while sendWindow > 0, room > 0, let id = waiting.popFirst() {
            guard let index = streams.index(forKey: id) else { continue }
            streams.values[index].isWaiting = false
            guard case .data(let bytes, let end, let confirms)? = streams.values[index].dequeue() else { continue }
            let count = min(bytes.readableBytes, streams.values[index].sendWindow, sendWindow, room, peer.framePayload)
            guard count == bytes.readableBytes else {
                var rest = bytes
                guard count > 0, let part = rest.readSlice(length: count) else {
                    streams.values[index].putBack(.data(bytes, end: end, confirms: confirms))
                    continue
                }
                writeData(id, index, part, isEnd: false)
                streams.values[index].putBack(.data(rest, end: end, confirms: confirms))
                wait(id, index)
                continue
            }
            finish(id, index, bytes, end, confirms)
            drain(id)
        }
    }

    /// Sends what needs no window from the front of a stream's queue.
    private mutating func drain(_ id: StreamID) {
        while let index = streams.index(forKey: id), !streams.values[index].isLocalEnded, let item = streams.values[index].dequeue() {
            switch item {
            case .fields(let fields, let end): writeFields(id, index, fields, end: end)
            case .data(let bytes, let end, let confirms) where bytes.readableBytes == 0:
                finish(id, index, bytes, end, confirms)
            case .data:
                streams.values[index].putBack(item)
                return wait(id, index)
            }
        }
    }

    /// The socket takes so many bytes more. Returns whether data that has waited was written.
    mutating func refill(_ bytes: Int) -> Bool {
        room = bytes
        guard bytes > 0, sendWindow > 0, !waiting.isEmpty, !isFailed else { return false }
        serve()
        return room < bytes
    }

    // MARK: Data that does not move

    /// The streams of which nothing was sent for so long although something waits. Call it regularly.
    mutating func stalled(at now: NIODeadline, after patience: TimeAmount) -> [StreamID] {
        guard mayHaveQueue else { return [] }
        mayHaveQueue = false
        // What the connection is slow with is not the fault of a stream that the peer would let send.
        let moves = hasWritten
        hasWritten = false
        var stalled: [StreamID] = []
        for id in streams.keys {
            guard let index = streams.index(forKey: id), streams.values[index].isOpened, streams.values[index].hasQueue else { continue }
            mayHaveQueue = true
            if streams.values[index].hasMoved || moves && streams.values[index].sendWindow > 0 {
                streams.values[index].hasMoved = false
                streams.values[index].stillSince = now
            } else if now - streams.values[index].stillSince >= patience {
                stalled.append(id)
            }
        }
        return stalled.sorted()
    }

    // MARK: Frames

    private mutating func writeData(_ id: StreamID, _ index: Index, _ bytes: ByteBuffer, isEnd: Bool) {
        streams.values[index].sendWindow -= bytes.readableBytes
        streams.values[index].hasMoved = true
        (hasSentSincePing, hasWritten) = (true, true)
        sendWindow -= bytes.readableBytes
        room -= bytes.readableBytes
        output.data(id, bytes, isEnd: isEnd)
    }

    private mutating func writeFields(_ id: StreamID, _ index: Index, _ fields: HPACKHeaders, end: StreamEnd) {
        do {
            try output.headers(id, fields, isEnd: end != .no)
        } catch {
            return fail(.internalError, "header fields cannot be encoded: \(error)")
        }
        endLocally(id, index, end)
    }
}
