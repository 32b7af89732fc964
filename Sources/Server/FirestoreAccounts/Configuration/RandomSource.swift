// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Random bytes for codes, refresh tokens, salts and user ids. Injected, so that tests are repeatable.
package struct RandomSource: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    package init(_ make: @escaping @Sendable (Int) -> [UInt8]) { self.make = make }

    /// The cryptographic generator of the system.
    package static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    func bytes(_ count: Int) -> [UInt8] { make(count) }

    /// Random bytes as text that needs no encoding in URLs.
    func text(bytes count: Int) -> String { Base64.encodeForURL(make(count)) }

    /// A user id: 28 letters and digits (AU-24).
    func userID() -> String {
        let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var letters: [UInt8] = []
        while letters.count < 28 {
            // 248 is a multiple of 62: every letter is equally likely.
            letters += make(28).filter { $0 < 248 }.map { alphabet[Int($0) % alphabet.count] }
        }
        return String(decoding: letters.prefix(28), as: UTF8.self)
    }
}
