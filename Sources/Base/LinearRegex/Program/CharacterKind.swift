// SPDX-License-Identifier: Apache-2.0

/// The properties of a character next to a position that assertions distinguish.
enum CharacterKind: UInt8, Hashable, Sendable {
    /// There is none: the text begins or ends.
    case edge
    case newline
    case word
    case other
}

extension Assertion {
    func holds(after previous: CharacterKind, before next: CharacterKind) -> Bool {
        switch self {
        case .textStart: previous == .edge
        case .textEnd: next == .edge
        case .lineStart: previous == .edge || previous == .newline
        case .lineEnd: next == .edge || next == .newline
        case .wordBoundary: (previous == .word) != (next == .word)
        case .noWordBoundary: (previous == .word) == (next == .word)
        }
    }
}
