// SPDX-License-Identifier: Apache-2.0

/// Why a stream or a connection ends, in RST_STREAM and GOAWAY (RFC 9113, section 7).
struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    let rawValue: UInt32

    static let noError = HTTP2ErrorCode(rawValue: 0x0)
    static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
    static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
    static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)

    private static let names = [
        "no error", "protocol error", "internal error", "flow control error", "settings timeout", "stream closed", "frame size error",
        "refused stream", "cancel", "compression error", "connect error", "enhance your calm", "inadequate security", "HTTP/1.1 required",
    ]

    var description: String { Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "error \(rawValue)" }
}

/// A violation of HTTP/2 that ends the connection.
struct HTTP2ConnectionError: Error, Hashable, CustomStringConvertible {
    let code: HTTP2ErrorCode
    let reason: String
    /// If this side protects itself.
    var shed: ShedReason?

    var description: String { "\(reason) (\(code))" }
}
