// SPDX-License-Identifier: Apache-2.0

/// The number of a database's history, to which a time, a position or a stream of this database refers.
///
/// A history ends when the database file is exchanged for another one, for example for a backup, or when a server takes over that may lack
/// the last commits. Tokens name the history in which they were issued. In another history the time in a token does not say what the
/// client knows, unless both have the same commits up to that time.
package struct DatabaseHistory: Sendable, Hashable {
    /// Random, and stored in the file.
    package let number: UInt64
    /// Whether tokens that name no history belong to this one: it began when the file was migrated from a format without histories.
    package let includesEarlierTokens: Bool

    /// The histories that this one continues, the oldest first.
    package let earlier: [Earlier]

    /// The runs in which this history was written; nil for one that only a process of its own has, or that has none.
    package let runs: DatabaseRuns?

    /// A history that another one has continued from a moment on (DN-8.3).
    package struct Earlier: Sendable, Hashable {
        package let mark: UInt32
        /// Its commits up to this time belong to the later histories too.
        package let end: DocumentVersion

        package init(number: UInt64, end: DocumentVersion) {
            mark = DatabaseHistory.mark(of: number)
            self.end = end
        }
    }

    package init(number: UInt64, includesEarlierTokens: Bool = false, earlier: [Earlier] = [], runs: DatabaseRuns? = nil) {
        self.number = number
        self.includesEarlierTokens = includesEarlierTokens
        self.earlier = earlier
        self.runs = runs
    }

    /// The part of the number that tokens contain. Never 0.
    package var mark: UInt32 { Self.mark(of: number) }

    private static func mark(of number: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: number >> 32) }

    /// Whether a token belongs to this history. `mark`: what the token names; nil if it names none.
    package func includes(_ mark: UInt32?) -> Bool { mark.map { $0 == self.mark } ?? includesEarlierTokens }

    /// Whether a token of a time holds in this history: it belongs to this one, or to an earlier one whose commits up to that
    /// time this one has (DN-5.6).
    ///
    /// - Parameter run: The run that the token names; nil if it names none.
    package func includes(_ mark: UInt32?, run: UInt32? = nil, at time: DocumentVersion) -> Bool {
        guard includes(mark) else { return earlier.contains { $0.mark == mark && time <= $0.end } }
        return runs?.includes(run, at: time) ?? true
    }

    /// Whether a token that only says where a reading or a stream continues can be used: whatever a fail-over has lost, places are still
    /// there.
    package func continues(_ mark: UInt32?) -> Bool { includes(mark) || earlier.contains { $0.mark == mark } }

    /// A number for a new history.
    package static func randomNumber() -> UInt64 { .random(in: 1 << 32 ... .max) }
}
