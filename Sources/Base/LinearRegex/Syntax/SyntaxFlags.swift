// SPDX-License-Identifier: Apache-2.0

/// The flags of `(?imsU)`.
struct SyntaxFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// `i`: upper and lower case alike.
    static let ignoresCase = SyntaxFlags(rawValue: 1)
    /// `m`: `^` and `$` match at the beginning and end of lines, too.
    static let multiline = SyntaxFlags(rawValue: 2)
    /// `s`: `.` matches a newline, too.
    static let dotMatchesNewline = SyntaxFlags(rawValue: 4)
    /// `U`: repetitions are lazy, and `?` behind them makes them greedy.
    static let isLazy = SyntaxFlags(rawValue: 8)
}
