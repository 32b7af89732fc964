// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Messages of one call that wait one behind the other and leave as one piece: a frame for each costs more than a small
/// message does.
struct JoinedMessages {
    let stream: StreamingServerStream
    private(set) var bytes: ByteBuffer
    /// Without their prefixes.
    private(set) var messageBytes: Int

    /// Two frames of the usual size.
    private static let enough = 32 << 10

    init(_ stream: StreamingServerStream, _ message: [UInt8]) {
        self.stream = stream
        bytes = ByteBuffer(framing: message)
        messageBytes = message.count
    }

    var isFull: Bool { bytes.readableBytes >= Self.enough }

    mutating func append(_ message: [UInt8]) {
        // Once, and not step by step.
        if bytes.writableBytes < MessageDeframer.prefixSize + message.count {
            bytes.reserveCapacity(minimumWritableBytes: max(Self.enough, MessageDeframer.prefixSize + message.count))
        }
        bytes.writeFramed(message)
        messageBytes += message.count
    }
}
