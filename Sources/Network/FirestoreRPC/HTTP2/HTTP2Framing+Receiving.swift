// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

/// What the peer sends.
extension HTTP2Framing {
    private typealias Kind = HTTP2FrameHead.Kind
    private typealias Flag = HTTP2FrameHead.Flag

    mutating func receive(_ bytes: ByteBuffer) {
        guard !isFailed else { return }
        guard input.readableBytes > 0 else {
            input = bytes
            return
        }
        if input.readerIndex > 64 << 10 { input.discardReadBytes() }
        input.writeImmutableBuffer(bytes)
    }

    /// The next event of what was received and sent; nil if there is none until more is.
    mutating func next(at now: NIODeadline) -> Event? {
        while true {
            if let event = events.popFirst() { return event }
            if greeting == .preface { readPreface() }
            guard !isFailed, greeting != .preface else {
                if events.isEmpty { return nil }
                continue
            }
            guard let head = HTTP2FrameHead(peekingAt: input) else {
                // A connection that is silent keeps no memory for what it has read.
                if input.readableBytes == 0 { input = ByteBuffer() }
                return nil
            }
            guard head.length <= HTTP2FrameHead.usualPayload else {
                fail(.frameSizeError, "a frame of \(head.length) bytes")
                continue
            }
            guard input.readableBytes >= HTTP2FrameHead.size + head.length else { return nil }
            input.moveReaderIndex(forwardBy: HTTP2FrameHead.size)
            guard let payload = input.readSlice(length: head.length) else { return nil }
            take(head, payload, at: now)
        }
    }

    private mutating func readPreface() {
        let size = Self.preface.utf8CodeUnitCount
        let isRight = input.withUnsafeReadableBytes { bytes in
            bytes.prefix(size).elementsEqual(
                UnsafeBufferPointer(start: Self.preface.utf8Start, count: min(size, bytes.count)))
        }
        guard isRight else {
            return fail(.protocolError, "the connection does not begin with the preface of HTTP/2")
        }
        guard input.readableBytes >= size else { return }
        input.moveReaderIndex(forwardBy: size)
        greeting = .settings
    }

    private mutating func take(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        if greeting == .settings {
            guard head.kind == Kind.settings, !head.has(Flag.ack) else { return fail(.protocolError, "the first frame is not SETTINGS") }
            greeting = .complete
        }
        if block != nil { return takeContinuation(head, payload, at: now) }
        switch head.kind {
        case Kind.data: takeData(head, payload, at: now)
        case Kind.headers: takeHeaders(head, payload, at: now)
        case Kind.reset: takeReset(head, payload, at: now)
        case Kind.windowUpdate: takeWindowUpdate(head, payload, at: now)
        case Kind.continuation: fail(.protocolError, "CONTINUATION without HEADERS")
        case Kind.pushPromise: fail(.protocolError, "PUSH_PROMISE, which is switched off")
        default: takeControl(head, payload, at: now)
        }
    }

    /// Frames that do not carry messages, whose number is limited.
    private mutating func takeControl(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        guard isExpected(head) || controls.count(at: now) else { return fail(.controlFrames, "too many control frames") }
        switch head.kind {
        case Kind.settings: takeSettings(head, payload, at: now)
        case Kind.ping: takePing(head, payload)
        case Kind.priority:
            guard head.stream != 0 else { return fail(.protocolError, "PRIORITY for the connection") }
            if head.length != 5 { fail(.frameSizeError, "PRIORITY of \(head.length) bytes") }
        case Kind.goAway: takeGoAway(head, payload)
        default: break
        }
    }

    /// Whether what this side has sent explains the frame: an acknowledgement, or a ping that measures how fast something arrives. Clients
    /// of gRPC send one such ping at a time.
    private mutating func isExpected(_ head: HTTP2FrameHead) -> Bool {
        if head.kind == Kind.ping || head.kind == Kind.settings, head.has(Flag.ack), unacknowledged > 0 {
            unacknowledged -= 1
            return true
        }
        guard head.kind == Kind.ping, hasSentSincePing else { return false }
        hasSentSincePing = false
        return true
    }

    /// Without its padding; nil after an error.
    private mutating func unpadded(_ head: HTTP2FrameHead, _ payload: ByteBuffer) -> ByteBuffer? {
        guard head.has(Flag.padded) else { return payload }
        var content = payload
        guard let padding = content.readInteger(as: UInt8.self), Int(padding) <= content.readableBytes,
            let rest = content.readSlice(length: content.readableBytes - Int(padding))
        else {
            fail(.protocolError, "more padding than payload")
            return nil
        }
        return rest
    }

    /// Resets a stream whose peer has broken a rule.
    private mutating func reject(_ id: StreamID, _ code: HTTP2ErrorCode, at now: NIODeadline) {
        guard resets.count(at: now) else { return fail(.resets, "too many errors of streams") }
        abandon(id, code)
    }

    /// Whether nothing was sent on a stream yet. Those with even numbers would be a server's, which opens none.
    private func isIdle(_ id: StreamID) -> Bool { id > highest || id % 2 == 0 }

    // MARK: Data

    private mutating func takeData(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        let id = head.stream
        guard !isIdle(id) else { return fail(.protocolError, "DATA for stream \(id), which is not open") }
        guard let bytes = unpadded(head, payload) else { return }
        receiveWindow -= head.length
        guard receiveWindow >= 0 else { return fail(.flowControlError, "DATA beyond the window of the connection") }
        let end = head.has(Flag.endStream)
        guard let index = streams.index(forKey: id) else {
            guard ignored.contains(id) else { return fail(.streamClosed, "DATA for stream \(id), which is closed") }
            // It counts for the window of the connection.
            if head.length > 0 { events.append(.data(id, ByteBuffer(), length: head.length, end: false)) }
            return
        }
        streams.values[index].receiveWindow -= head.length
        let stream = streams.values[index]
        let error: HTTP2ErrorCode? =
            if stream.isRemoteEnded {
                .streamClosed
            } else if stream.receiveWindow < 0 {
                .flowControlError
            } else if !stream.hasReceivedHead || !Self.fits(bytes.readableBytes, end, stream.missing) {
                .protocolError
            } else {
                nil
            }
        if let error {
            if head.length > 0 { events.append(.data(id, ByteBuffer(), length: head.length, end: false)) }
            return reject(id, error, at: now)
        }
        if bytes.readableBytes == 0, !end, !controls.count(at: now) { return fail(.controlFrames, "too many empty frames") }
        if let missing = stream.missing { streams.values[index].missing = missing - bytes.readableBytes }
        events.append(.data(id, bytes, length: head.length, end: end))
        if end { endRemotely(id, index) }
    }

    /// Whether the data is as long as `content-length` says.
    private static func fits(_ count: Int, _ end: Bool, _ missing: Int?) -> Bool {
        guard let missing else { return true }
        return end ? count == missing : count <= missing
    }

    private mutating func endRemotely(_ id: StreamID, _ index: Dictionary<StreamID, HTTP2Stream>.Index) {
        if streams.values[index].isLocalEnded { close(id) } else { streams.values[index].isRemoteEnded = true }
    }

    // MARK: Headers

    private mutating func takeHeaders(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        let id = head.stream
        guard id % 2 == 1, role == .server || id <= highest else { return fail(.protocolError, "HEADERS for stream \(id)") }
        guard var bytes = unpadded(head, payload) else { return }
        if head.has(Flag.priority) {
            guard bytes.readableBytes >= 5 else { return fail(.frameSizeError, "HEADERS without the priority they announce") }
            bytes.moveReaderIndex(forwardBy: 5)
        }
        let end = head.has(Flag.endStream)
        if head.has(Flag.endHeaders) { return takeBlock(id, bytes, end: end, at: now) }
        block = Block(stream: id, end: end, bytes: bytes)
    }

    private mutating func takeContinuation(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        guard var block, head.kind == Kind.continuation, head.stream == block.stream else {
            return fail(.protocolError, "another frame within a header block")
        }
        block.continuations += 1
        // Compressed fields are hardly longer than the fields, each of which counts for at least 32 bytes.
        guard block.bytes.readableBytes + payload.readableBytes <= limits.headerListSize, block.continuations <= limits.continuations
        else {
            return fail(.headers, "a header block that is too long, or has too many parts")
        }
        block.bytes.writeImmutableBuffer(payload)
        self.block = block
        guard head.has(Flag.endHeaders) else { return }
        self.block = nil
        takeBlock(block.stream, block.bytes, end: block.end, at: now)
    }

    private mutating func takeBlock(_ id: StreamID, _ bytes: ByteBuffer, end: Bool, at now: NIODeadline) {
        var bytes = bytes
        let fields: HPACKHeaders
        do {
            fields = try decoder.decodeHeaders(from: &bytes)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            return fail(.headers, "header fields of more than \(limits.headerListSize) bytes")
        } catch {
            return fail(.compressionError, "header fields that cannot be decoded: \(error)")
        }
        if let index = streams.index(forKey: id) {
            takeFields(id, index, fields, end: end, at: now)
        } else if id > highest {
            open(id, fields, end: end, at: now)
        } else if !ignored.contains(id) {
            fail(.streamClosed, "HEADERS for stream \(id), which is closed")
        }
    }

    /// A request.
    private mutating func open(_ id: StreamID, _ fields: HPACKHeaders, end: Bool, at now: NIODeadline) {
        highest = id
        guard id <= lastAccepted else { return ignored.insert(id) }
        let content = HTTP2Fields(fields, of: .request)
        let isWithin = openCount + lingering < limits.concurrentStreams
        guard isWithin, let content, !end || content.length ?? 0 == 0 else {
            return reject(id, isWithin ? .protocolError : .refusedStream, at: now)
        }
        var stream = HTTP2Stream(sendWindow: peer.initialWindow, receiveWindow: initialReceiveWindow, isOpened: true)
        stream.openedAt = now
        stream.hasReceivedHead = true
        stream.isRemoteEnded = end
        stream.missing = content.length
        streams[id] = stream
        openCount += 1
        events.append(.headers(id, fields, end: end))
    }

    /// Trailers, or a response.
    private mutating func takeFields(
        _ id: StreamID, _ index: Dictionary<StreamID, HTTP2Stream>.Index, _ fields: HPACKHeaders, end: Bool, at now: NIODeadline
    ) {
        let stream = streams.values[index]
        guard !stream.isRemoteEnded else { return reject(id, .streamClosed, at: now) }
        guard stream.isOpened else { return fail(.protocolError, "HEADERS for stream \(id), which is not open") }
        if stream.hasReceivedHead {
            guard end, HTTP2Fields(fields, of: .trailers) != nil, stream.missing ?? 0 == 0 else {
                return reject(id, .protocolError, at: now)
            }
        } else {
            guard let status = HTTP2Fields(fields, of: .response)?.status, status >= 200 || !end else {
                return reject(id, .protocolError, at: now)
            }
            if status >= 200 { streams.values[index].hasReceivedHead = true }
        }
        events.append(.headers(id, fields, end: end))
        if end { endRemotely(id, index) }
    }

    // MARK: Control

    /// A stream that is reset within this time counts as reset rapidly.
    static let youth = TimeAmount.seconds(1)

    private mutating func takeReset(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        let id = head.stream
        guard !isIdle(id) else { return fail(.protocolError, "RST_STREAM for stream \(id), which is not open") }
        guard head.length == 4, let code = payload.getInteger(at: payload.readerIndex, as: UInt32.self) else {
            return fail(.frameSizeError, "RST_STREAM of \(head.length) bytes")
        }
        guard let stream = streams[id] else {
            // It has crossed with the end of the stream, at the latest at a deadline that both sides know.
            if endedFirst > 0 { return endedFirst -= 1 }
            if !resets.count(at: now) { fail(.resets, "too many resets") }
            return
        }
        // A call that was cancelled after a while has been one like others.
        guard now - stream.openedAt >= Self.youth || resets.count(at: now) else { return fail(.resets, "too many resets") }
        events.append(.reset(id, HTTP2ErrorCode(rawValue: code)))
        close(id)
        // The peer has ended this one.
        endedFirst -= 1
    }

    private mutating func takeSettings(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        guard head.stream == 0 else { return fail(.protocolError, "SETTINGS for a stream") }
        guard head.length % 6 == 0, !head.has(Flag.ack) || head.length == 0 else {
            return fail(.frameSizeError, "SETTINGS of \(head.length) bytes")
        }
        guard !head.has(Flag.ack) else { return settingsAcknowledged() }
        var payload = payload
        var settings = peer
        while let (name, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
            if let error = settings.set(name, Int(value)) { return fail(error) }
        }
        // Another window costs a walk over the streams.
        if settings.initialWindow != peer.initialWindow, !controls.count(streams.count / 100, at: now) {
            return fail(.controlFrames, "too many changes of INITIAL_WINDOW_SIZE")
        }
        adopt(settings)
        output.settingsAcknowledgement()
    }

    /// From now on the peer uses this side's initial window.
    private mutating func settingsAcknowledged() {
        let change = limits.streamWindow - initialReceiveWindow
        guard change != 0 else { return }
        initialReceiveWindow = limits.streamWindow
        for id in streams.keys { streams[id]?.receiveWindow += change }
    }

    private mutating func takePing(_ head: HTTP2FrameHead, _ payload: ByteBuffer) {
        guard head.stream == 0 else { return fail(.protocolError, "PING for a stream") }
        guard head.length == 8, let data = payload.getInteger(at: payload.readerIndex, as: UInt64.self) else {
            return fail(.frameSizeError, "PING of \(head.length) bytes")
        }
        if head.has(Flag.ack) { events.append(.pong(data)) } else { ping(data, ack: true) }
    }

    private mutating func takeGoAway(_ head: HTTP2FrameHead, _ payload: ByteBuffer) {
        guard head.stream == 0 else { return fail(.protocolError, "GOAWAY for a stream") }
        guard head.length >= 8, let last = payload.getInteger(at: payload.readerIndex, as: UInt32.self) else {
            return fail(.frameSizeError, "GOAWAY of \(head.length) bytes")
        }
        events.append(.goAway(last: Int(last & 0x7FFF_FFFF)))
        if role == .client { endStreams(after: Int(last & 0x7FFF_FFFF)) }
    }

    /// The server takes no more streams: those after the last one end, and those that wait for their turn are refused.
    private mutating func endStreams(after last: StreamID) {
        for id in unopened where streams[id] != nil && id <= last { events.append(.reset(id, .refusedStream)) }
        let ended = Set(unopened).union(streams.keys.filter { $0 > last })
        unopened = []
        for id in ended.sorted() { close(id) }
    }

    private mutating func takeWindowUpdate(_ head: HTTP2FrameHead, _ payload: ByteBuffer, at now: NIODeadline) {
        guard head.length == 4, let word = payload.getInteger(at: payload.readerIndex, as: UInt32.self) else {
            return fail(.frameSizeError, "WINDOW_UPDATE of \(head.length) bytes")
        }
        guard updates.count(at: now) else { return fail(.windowUpdates, "too many updates of windows") }
        let (id, increment) = (head.stream, Int(word & 0x7FFF_FFFF))
        if id == 0 {
            guard increment > 0 else { return fail(.protocolError, "WINDOW_UPDATE of nothing") }
            sendWindow += increment
            guard sendWindow <= HTTP2Settings.largestWindow else {
                return fail(.flowControlError, "the window of the connection exceeds \(HTTP2Settings.largestWindow) bytes")
            }
            return serve()
        }
        guard !isIdle(id) else { return fail(.protocolError, "WINDOW_UPDATE for stream \(id), which is not open") }
        guard let index = streams.index(forKey: id) else { return }
        guard increment > 0 else { return reject(id, .protocolError, at: now) }
        streams.values[index].sendWindow += increment
        guard streams.values[index].sendWindow <= HTTP2Settings.largestWindow else { return reject(id, .flowControlError, at: now) }
        wait(id, index)
        serve()
    }
}
