// SPDX-License-Identifier: Apache-2.0

/// The words of a stored name: split at `_`, `-`, blanks, dots, other punctuation and changes of case; acronyms are words.
enum NameWords {
    private enum Kind { case upper, lower, digit, other }

    /// Longer names exist; properties of hundreds of characters are not useful.
    private static let longest = 100

    static func of(_ name: String) -> [String] {
        var words: [[Character]] = []
        var word: [Character] = []
        func end() {
            if !word.isEmpty { words.append(word) }
            word = []
        }
        let characters = Array(name.prefix(longest))
        for (index, character) in characters.enumerated() {
            guard isWord(character) else {
                end()
                continue
            }
            if let last = word.last {
                let next = index + 1 < characters.count ? kind(characters[index + 1]) : .other
                switch (kind(last), kind(character)) {
                case (.lower, .upper), (.digit, .upper): end()
                // The last capital of a run begins the next word: `URLPath`; but `IDs` is one word.
                case (.upper, .upper) where next == .lower && !isPlural(characters, after: index): end()
                default: break
                }
            }
            word.append(character)
        }
        end()
        return words.map { String($0).lowercased() }
    }

    /// Whether only an `s` follows the capital at `index`: `IDs`, `URLs`.
    private static func isPlural(_ characters: [Character], after index: Int) -> Bool {
        guard index + 1 < characters.count, characters[index + 1] == "s" else { return false }
        return index + 2 == characters.count || !isWord(characters[index + 2]) || kind(characters[index + 2]) == .upper
    }

    private static func kind(_ character: Character) -> Kind {
        if character.isUppercase { return .upper }
        if character.isLowercase { return .lower }
        return character.isNumber ? .digit : .other
    }

    /// Whether a character may stand in an identifier: letters and digits that are one scalar each.
    private static func isWord(_ character: Character) -> Bool {
        for scalar in character.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
                guard scalar.properties.isXIDContinue else { return false }
            case .nonspacingMark, .spacingMark:
                guard scalar.properties.isXIDContinue, character.unicodeScalars.count > 1 else { return false }
            default: return false
            }
        }
        return true
    }

    /// Whether a name is a good one in Swift already: `userID`, `imageURL`.
    static func isLowerCamel(_ name: String) -> Bool {
        guard let first = name.first, kind(first) == .lower, first.unicodeScalars.allSatisfy(\.properties.isXIDContinue),
            first.unicodeScalars.first?.properties.isXIDStart == true
        else { return false }
        return name.count <= longest && name.allSatisfy(isWord)
    }

    static func lowerCamel(_ words: [String]) -> String {
        guard let first = words.first else { return "" }
        return first + words.dropFirst().map(capitalized).joined()
    }

    static func upperCamel(_ words: [String]) -> String { words.map(capitalized).joined() }

    static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
