// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The value of `grpc-message`: UTF-8, percent-encoded except for printable ASCII.
enum StatusMessage {
    /// Peers limit the headers they accept (8 kB is usual); a longer message is truncated here.
    static let maximumSize = 4096

    static func encode(_ text: String) -> String {
        var isPlain = text.utf8.count <= maximumSize
        if isPlain { for byte in text.utf8 where !isPrintable(byte) { isPlain = false; break } }
        if isPlain { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(maximumSize, text.utf8.count + 32))
        for scalar in text.unicodeScalars {
            let mark = bytes.count
            for byte in String(scalar).utf8 {
                if isPrintable(byte) {
                    bytes.append(byte)
                } else {
                    PercentEncoding.append(byte, to: &bytes)
                }
            }
            if bytes.count > maximumSize {
                bytes.removeSubrange(mark...)
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lenient: leaves a malformed escape unchanged, and replaces bytes that are not UTF-8.
    static func decode(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decodeLeniently(text[...]) : text
    }

    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte <= 0x7E && byte != UInt8(ascii: "%")
    }
}
