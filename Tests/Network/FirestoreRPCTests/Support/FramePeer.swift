// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

@testable import FirestoreRPC

/// Makes the bytes of frames, also of forbidden ones.
enum Frames {
    typealias Kind = HTTP2FrameHead.Kind
    typealias Flag = HTTP2FrameHead.Flag

    static let preface = ByteBuffer(staticString: HTTP2Framing.preface)

    static func frame(_ kind: UInt8, _ stream: StreamID, flags: UInt8 = 0, _ payload: [UInt8] = []) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write(HTTP2FrameHead(length: payload.count, kind: kind, flags: flags, stream: stream))
        bytes.writeBytes(payload)
        return bytes
    }

    static func data(_ stream: StreamID, _ count: Int, end: Bool = false) -> ByteBuffer {
        frame(Kind.data, stream, flags: end ? Flag.endStream : 0, [UInt8](repeating: 7, count: count))
    }

    /// Header fields without a table, so that no block depends on another.
    static func headers(_ stream: StreamID, _ fields: [(String, String)], end: Bool = false, complete: Bool = true) -> ByteBuffer {
        frame(Kind.headers, stream, flags: (end ? Flag.endStream : 0) | (complete ? Flag.endHeaders : 0), block(fields))
    }

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value -> [UInt8] in [0] + text(name) + text(value) }
    }

    private static func text(_ text: String) -> [UInt8] {
        var length = text.utf8.count
        guard length >= 127 else { return [UInt8(length)] + Array(text.utf8) }
        var bytes: [UInt8] = [127]
        length -= 127
        while length >= 128 {
            bytes.append(UInt8(length & 127) | 128)
            length >>= 7
        }
        return bytes + [UInt8(length)] + Array(text.utf8)
    }

    static let request = [(":method", "POST"), (":scheme", "http"), (":path", "/test.Echo/Hang"), (":authority", "localhost")]
    static let call = request + [("content-type", "application/grpc")]

    static func settings(_ parameters: [(UInt16, UInt32)] = [], ack: Bool = false) -> ByteBuffer {
        frame(Kind.settings, 0, flags: ack ? Flag.ack : 0, parameters.flatMap { bigEndian($0) + bigEndian($1) })
    }

    static func windowUpdate(_ stream: StreamID, _ increment: UInt32) -> ByteBuffer { frame(Kind.windowUpdate, stream, bigEndian(increment)) }
    static func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) -> ByteBuffer { frame(Kind.reset, stream, bigEndian(code.rawValue)) }
    static func ping(_ data: UInt64, ack: Bool = false) -> ByteBuffer { frame(Kind.ping, 0, flags: ack ? Flag.ack : 0, bigEndian(data)) }
    static func goAway(_ last: StreamID) -> ByteBuffer { frame(Kind.goAway, 0, bigEndian(UInt32(last)) + bigEndian(UInt32(0))) }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

/// Writes down frames, one line each.
struct FrameReader {
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    mutating func lines(_ bytes: ByteBuffer) -> [String] {
        var bytes = bytes
        var lines: [String] = []
        if bytes.starts(with: Frames.preface) {
            bytes.moveReaderIndex(forwardBy: Frames.preface.readableBytes)
            lines.append("preface")
        }
        while let head = HTTP2FrameHead(peekingAt: bytes), bytes.readableBytes >= HTTP2FrameHead.size + head.length {
            bytes.moveReaderIndex(forwardBy: HTTP2FrameHead.size)
            lines.append(line(head, bytes.readSlice(length: head.length) ?? ByteBuffer()))
        }
        if bytes.readableBytes > 0 { lines.append("\(bytes.readableBytes) bytes of a frame") }
        return lines
    }

    private mutating func line(_ head: HTTP2FrameHead, _ payload: ByteBuffer) -> String {
        var payload = payload
        let ack = head.has(Frames.Flag.ack) ? " ack" : ""
        let end = head.has(Frames.Flag.endStream) ? " end" : ""
        switch head.kind {
        case Frames.Kind.data: return "data \(head.stream) \(head.length)\(end)"
        case Frames.Kind.headers:
            let fields = try? decoder.decodeHeaders(from: &payload)
            let text = (fields ?? ["undecodable": ""]).map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            return "headers \(head.stream) \(text)\(end)\(head.has(Frames.Flag.endHeaders) ? "" : " …")"
        case Frames.Kind.continuation: return "continuation \(head.stream)\(head.has(Frames.Flag.endHeaders) ? "" : " …")"
        case Frames.Kind.reset: return "reset \(head.stream) \(HTTP2ErrorCode(rawValue: payload.readInteger() ?? 99))"
        case Frames.Kind.settings:
            var text = "settings\(ack)"
            while let (name, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) { text += " \(name)=\(value)" }
            return text
        case Frames.Kind.ping: return "ping \(payload.readInteger(as: UInt64.self) ?? 0)\(ack)"
        case Frames.Kind.goAway:
            let last = payload.readInteger(as: UInt32.self) ?? 99
            return "go away after \(last): \(HTTP2ErrorCode(rawValue: payload.readInteger() ?? 99))"
        case Frames.Kind.windowUpdate: return "window \(head.stream) \(payload.readInteger(as: UInt32.self) ?? 0)"
        default: return "kind \(head.kind)"
        }
    }
}

extension ByteBuffer {
    fileprivate func starts(with other: ByteBuffer) -> Bool { readableBytesView.starts(with: other.readableBytesView) }
}
