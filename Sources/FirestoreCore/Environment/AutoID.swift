// SPDX-License-Identifier: Apache-2.0

/// Document ids made by the client: 20 characters, uniform over `A–Z a–z 0–9` (DM-13).
package enum AutoID {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return make(using: &generator)
    }

    /// Takes its randomness from outside, so that tests can repeat it. `Int.random(in:)` has no modulo bias.
    package static func make(using generator: inout some RandomNumberGenerator) -> String {
        String(unsafeUninitializedCapacity: 20) { buffer in
            for index in 0..<20 { buffer[index] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
            return 20
        }
    }
}
