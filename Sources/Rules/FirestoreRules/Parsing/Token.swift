// SPDX-License-Identifier: Apache-2.0

struct Token: Sendable {
    enum Kind: Sendable, Equatable {
        /// A name or a reserved word.
        case word
        case integer
        case float
        case string
        case bytes
        case symbol
        case end
    }

    let kind: Kind
    let range: SourceRange
    /// Words and symbols as written; of the others nothing.
    let text: String

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func isWord(_ word: String) -> Bool { kind == .word && text == word }
}

/// Words that cannot be names.
enum ReservedWords {
    static let all: Set<String> = [
        "true", "false", "null", "let", "in", "is", "if", "else", "not", "var", "match", "service", "function", "return", "allow",
        "import", "package", "rules_version",
    ]
}
