// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// The id of an event: 26 letters and digits that are equal each time the event is delivered, and different for each trigger.
package enum EventID {
    /// A receiver recognizes by the id what it has received before, also after a crash of the sender: everything in it is stored.
    package static func make(history: UInt64, time: DocumentVersion, key: DocumentKey, trigger: String) -> String {
        let text = "\(history)\u{0}\(time.microseconds)\u{0}\(key.path)\u{0}\(trigger)"
        let digest = Array(text.utf8).withUnsafeBytes { MD5.hash($0) }.bytes
        return base32(digest)
    }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The lower-case form of RFC 4648, without padding.
    private static func base32(_ bytes: [UInt8]) -> String {
        var (text, bits, count) = ([UInt8](), 0 as UInt32, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> UInt32(count) & 31)])
            }
            bits &= (1 << UInt32(count)) - 1
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
