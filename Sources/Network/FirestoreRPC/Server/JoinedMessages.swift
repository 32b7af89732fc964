// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Messages of one call that wait behind each other and are sent as one piece: a separate frame costs more than a small message.
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
        // Once, and not in steps.
        if bytes.writableBytes < MessageDeframer.prefixSize + message.count {
            bytes.reserveCapacity(minimumWritableBytes: max(Self.enough, MessageDeframer.prefixSize + message.count))
        }
        bytes.writeFramed(message)
        messageBytes += message.count
    }
}
