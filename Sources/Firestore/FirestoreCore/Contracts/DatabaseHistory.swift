// SPDX-License-Identifier: Apache-2.0

/// The number of a database's history, to which a time, a position or a stream of this database refers.
///
/// A history ends when the database file is exchanged for another one, for example for a backup. Tokens name the history in which
/// they were issued. In another history the time in a token does not say what the client knows.
package struct DatabaseHistory: Sendable, Hashable {
    /// Random, and stored in the file.
    package let number: UInt64
    /// Whether tokens that name no history belong to this one: it began when the file was migrated from a format without histories.
    package let includesEarlierTokens: Bool

    package init(number: UInt64, includesEarlierTokens: Bool = false) {
        self.number = number
        self.includesEarlierTokens = includesEarlierTokens
    }

    /// The part of the number that tokens contain. Never 0.
    package var mark: UInt32 { UInt32(truncatingIfNeeded: number >> 32) }

    /// Whether a token belongs to this history. `mark`: what the token names; nil if it names none.
    package func includes(_ mark: UInt32?) -> Bool { mark.map { $0 == self.mark } ?? includesEarlierTokens }

    /// A number for a new history.
    package static func randomNumber() -> UInt64 { .random(in: 1 << 32 ... .max) }
}
