// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The head of a frame (RFC 9113, section 4.1).
struct HTTP2FrameHead: Equatable {
    static let size = 9
    /// The largest payload before SETTINGS allow more. Hearth accepts no larger ones.
    static let usualPayload = 16_384

    var length: Int
    var kind: UInt8
    var flags: UInt8
    var stream: StreamID

    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let pushPromise: UInt8 = 5
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    enum Flag {
        static let endStream: UInt8 = 0x1
        static let ack: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
        static let padded: UInt8 = 0x8
        static let priority: UInt8 = 0x20
    }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// nil if there are fewer than nine bytes. Does not move the reader.
    init?(peekingAt bytes: borrowing ByteBuffer) {
        guard bytes.readableBytes >= Self.size else { return nil }
        self = bytes.withUnsafeReadableBytes { raw in
            HTTP2FrameHead(
                length: Int(raw[0]) << 16 | Int(raw[1]) << 8 | Int(raw[2]), kind: raw[3], flags: raw[4],
                stream: Int(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 5, as: UInt32.self)) & 0x7FFF_FFFF))
        }
    }

    init(length: Int, kind: UInt8, flags: UInt8 = 0, stream: StreamID) {
        self.length = length
        self.kind = kind
        self.flags = flags
        self.stream = stream
    }
}

extension ByteBuffer {
    mutating func write(_ head: HTTP2FrameHead) {
        let first = UInt64(head.length) << 40 | UInt64(head.kind) << 32 | UInt64(head.flags) << 24 | UInt64(head.stream) >> 8
        writeMultipleIntegers(first, UInt8(truncatingIfNeeded: head.stream))
    }
}
