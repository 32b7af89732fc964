// SPDX-License-Identifier: Apache-2.0

/// What assertions distinguish about the character at one side of a position.
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
