// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The token that opens the console (CO-50). Its holder is the administrator.
package struct ConsoleToken: Sendable {
    /// The bytes of a token before it is written as text.
    private static let size = 32

    package let text: String
    private let bytes: [UInt8]

    /// A token that was chosen elsewhere.
    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// 256 random bits.
    package static func make() -> ConsoleToken {
        var random = SystemRandomNumberGenerator()
        return ConsoleToken(Base64.encodeForURL((0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }))
    }

    /// Whether a text is the token. Takes the same time for every text of the same length.
    func accept(_ given: Substring) -> Bool {
        let given = Array(given.utf8)
        var difference: UInt8 = given.count == bytes.count ? 0 : 1
        for index in bytes.indices { difference |= bytes[index] ^ (index < given.count ? given[index] : 0) }
        return difference == 0
    }
}
