// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

/// The frames that are written next, in one piece.
struct HTTP2Output {
    private typealias Kind = HTTP2FrameHead.Kind
    private typealias Flag = HTTP2FrameHead.Flag

    private var bytes = ByteBuffer()
    /// The data among them, as its sender counts it, for `ConnectionCore.confirmed`.
    private var confirmations: [(stream: StreamID, bytes: Int)] = []
    /// The size of the piece before, which the next one is likely to have. An idle connection keeps no memory for it.
    private var usualSize = 0
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var block = ByteBuffer()
    /// Whether the next header block has to begin with the size of the table.
    private var hasNewTableSize = false
    /// The largest payload that the peer accepts.
    var largestPayload = HTTP2FrameHead.usualPayload

    /// Takes the bytes to write, and what is confirmed once they are written; nil if there are none.
    mutating func take() -> (bytes: ByteBuffer, confirmations: [(stream: StreamID, bytes: Int)])? {
        guard bytes.readableBytes > 0 else { return nil }
        defer {
            usualSize = min(bytes.readableBytes, 64 << 10)
            bytes = ByteBuffer()
            confirmations = []
        }
        return (bytes, confirmations)
    }

    private mutating func write(_ kind: UInt8, _ stream: StreamID, flags: UInt8 = 0, length: Int) {
        if bytes.capacity == 0 { bytes.reserveCapacity(usualSize) }
        bytes.write(HTTP2FrameHead(length: length, kind: kind, flags: flags, stream: stream))
    }

    // MARK: Messages

    /// In as many frames as the peer's limit asks for.
    mutating func data(_ stream: StreamID, _ content: ByteBuffer, isEnd: Bool) {
        let count = content.readableBytes
        var offset = 0
        repeat {
            let length = min(largestPayload, count - offset)
            let isLast = offset + length == count
            write(Kind.data, stream, flags: isLast && isEnd ? Flag.endStream : 0, length: length)
            content.withUnsafeReadableBytes { _ = bytes.writeBytes(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length])) }
            offset += length
        } while offset < count
    }

    /// The data before is confirmed, once it is written, as so many bytes.
    mutating func confirm(_ stream: StreamID, _ count: Int) {
        if count > 0 { confirmations.append((stream, count)) }
    }

    mutating func headers(_ stream: StreamID, _ fields: HPACKHeaders, isEnd: Bool) throws {
        block.clear()
        try encoder.encode(headers: fields, to: &block)
        hasNewTableSize = false
        var (kind, flags) = (Kind.headers, isEnd ? Flag.endStream : 0)
        repeat {
            let length = min(largestPayload, block.readableBytes)
            if length == block.readableBytes { flags |= Flag.endHeaders }
            write(kind, stream, flags: flags, length: length)
            if let part = block.readSlice(length: length) { bytes.writeImmutableBuffer(part) }
            (kind, flags) = (Kind.continuation, 0)
        } while block.readableBytes > 0
    }

    /// A header block that does not refer to the table. Returns false if the fields must be encoded: the table has a new size.
    mutating func headers(_ stream: StreamID, encoded: [UInt8], isEnd: Bool) -> Bool {
        guard !hasNewTableSize else { return false }
        write(Kind.headers, stream, flags: Flag.endHeaders | (isEnd ? Flag.endStream : 0), length: encoded.count)
        bytes.writeBytes(encoded)
        return true
    }

    /// The peer's decoder has a table of this size.
    mutating func setTableSize(_ size: Int) {
        // A larger table would cost memory for nothing. The encoder refuses a size only while it encodes.
        try? encoder.setDynamicTableSize(min(size, HPACKEncoder.defaultDynamicTableSize))
        hasNewTableSize = true
    }

    // MARK: Control

    mutating func preface() { bytes.writeStaticString(HTTP2Framing.preface) }

    mutating func settings(_ parameters: [(name: UInt16, value: Int)]) {
        write(Kind.settings, 0, length: 6 * parameters.count)
        for (name, value) in parameters { bytes.writeMultipleIntegers(name, UInt32(value)) }
    }

    mutating func settingsAcknowledgement() { write(Kind.settings, 0, flags: Flag.ack, length: 0) }

    mutating func ping(_ data: UInt64, ack: Bool) {
        write(Kind.ping, 0, flags: ack ? Flag.ack : 0, length: 8)
        bytes.writeInteger(data)
    }

    mutating func windowUpdate(_ stream: StreamID, _ increment: Int) {
        write(Kind.windowUpdate, stream, length: 4)
        bytes.writeInteger(UInt32(increment))
    }

    mutating func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) {
        write(Kind.reset, stream, length: 4)
        bytes.writeInteger(code.rawValue)
    }

    mutating func goAway(last: StreamID, _ code: HTTP2ErrorCode) {
        write(Kind.goAway, 0, length: 8)
        bytes.writeMultipleIntegers(UInt32(last), code.rawValue)
    }
}
