// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// Splits a stream of bytes into messages: a flag, a length of four bytes, that many bytes.
///
/// Messages and DATA frames do not align: a frame may hold several messages or a part of one. Complete messages are copied once,
/// out of the frame's buffer; the rest is stored in a separate buffer that grows with the bytes received, not with the announced
/// length.
struct MessageDeframer {
    static let prefixSize = 5

    let limit: Int
    let oversizedCode: FirestoreError.Code
    /// Whether `grpc-encoding: gzip` was announced.
    var inflates = false
    private var buffer = ByteBuffer()
    /// Whether `buffer` is a part of the socket's read buffer, which must not be retained.
    private var isBorrowed = false

    init(limit: Int, oversizedCode: FirestoreError.Code) {
        self.limit = limit
        self.oversizedCode = oversizedCode
    }

    /// Bytes that do not form a complete message yet, or were not asked for.
    var bufferedCount: Int { buffer.readableBytes }
    var isEmpty: Bool { buffer.readableBytes == 0 }

    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
            isBorrowed = true
        } else {
            keepRest()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next complete message; nil if more bytes are needed.
    mutating func next() throws(RPCStatus) -> ByteSlice? {
        let readable = buffer.readableBytes
        guard readable >= Self.prefixSize else { return nil }
        let start = buffer.readerIndex
        guard let flag: UInt8 = buffer.getInteger(at: start), let announced: UInt32 = buffer.getInteger(at: start + 1) else {
            return nil
        }
        // Before anything is collected: four bytes from the peer must not determine how much memory is allocated.
        let length = Int(announced)
        guard length <= limit else {
            throw RPCStatus(oversizedCode, "a message of \(length) bytes is larger than the limit of \(limit) bytes")
        }
        guard flag <= 1 else { throw RPCStatus(.internal, "the compressed flag of a message is \(flag)") }
        guard readable >= Self.prefixSize + length else { return nil }
        buffer.moveReaderIndex(forwardBy: Self.prefixSize)
        let message = buffer.withUnsafeReadableBytes { ByteSlice(copying: UnsafeRawBufferPointer(rebasing: $0[..<length])) }
        buffer.moveReaderIndex(forwardBy: length)
        guard flag == 1 else { return message }
        guard inflates else {
            throw RPCStatus(.unimplemented, "a message is compressed, but grpc-encoding names no encoding known here (gzip)")
        }
        return try GzipInflater.inflate(message, limit: limit, oversizedCode: oversizedCode)
    }

    /// Call it when a frame has been processed: releases the socket's buffer.
    mutating func keepRest() {
        guard isBorrowed else { return }
        isBorrowed = false
        guard buffer.readableBytes > 0 else {
            buffer = ByteBuffer()
            return
        }
        var own = ByteBuffer()
        own.reserveCapacity(max(256, buffer.readableBytes))
        own.writeBuffer(&buffer)
        buffer = own
    }

    mutating func clear() {
        buffer = ByteBuffer()
        isBorrowed = false
    }
}

extension ByteBuffer {
    /// A message as it is written into DATA frames.
    init(framing message: [UInt8]) {
        self.init()
        reserveCapacity(MessageDeframer.prefixSize + message.count)
        writeFramed(message)
    }

    mutating func writeFramed(_ message: [UInt8]) {
        writeInteger(0, as: UInt8.self)
        writeInteger(UInt32(clamping: message.count))
        writeBytes(message)
    }
}
