// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Strings: URLs, enumerations, and hints (MP-23).
extension TypeDecider {
    func text(_ node: SchemaNode, _ place: Place, _ scope: inout Scope) -> Decision {
        let path = place.path.text
        guard let texts = node.texts else { return Decision(type: .string) }
        var notes: [String] = []
        if options.enumPaths.contains(path), let reason = noWordsReason(texts, place) { notes = ["no enumeration: \(reason)"] }
        guard texts.count > texts.empty else { return Decision(type: .string, notes: notes) }
        if let words = words(of: texts, place) {
            var names = SwiftNames.cases
            let cases = zip(names.properties(words.map(\.text)), words).map { WordCase(name: $0, text: $1.text) }
            let type = scope.declare(place.words, .words(cases, isOpen: options.enums != .closed))
            type.notes.append("\(cases.count) values in \(Figures.grouped(texts.count))")
            return Decision(type: .declared(type))
        }
        if texts.patterns.contains(.url), texts.empty == 0, !options.stringPaths.contains(path) {
            return Decision(type: .url, notes: notes)
        }
        return Decision(type: .string, notes: notes + (Self.hint(of: texts).map { [$0] } ?? []))
    }

    /// The reason why strings do not become the enumeration that `--enum` asks for; nil if they do.
    func noWordsReason(_ texts: TextFacts, _ place: Place) -> String? {
        guard words(of: texts, place) == nil else { return nil }
        if texts.empty > 0 { return "a string is empty" }
        guard texts.patterns.contains(.word) else {
            return "a string is not a word: one ASCII letter, then up to 31 ASCII letters, digits, spaces, `_` or `-`"
        }
        return texts.distinct.keepsTexts || texts.distinct.count > DistinctTexts.limit
            ? "there are more than \(DistinctTexts.limit) different strings" : "the schema holds the number of the strings only"
    }

    /// The strings of an enumeration in the order of their bytes; nil for ordinary strings.
    func words(of texts: TextFacts, _ place: Place) -> [(text: String, count: Int)]? {
        let path = place.path.text
        let isAsked = options.enumPaths.contains(path)
        guard !options.stringPaths.contains(path), isAsked || options.enums != .off, !texts.distinct.isMany else { return nil }
        let words = texts.distinct.entries.compactMap { entry in entry.text.map { (text: $0, count: entry.count) } }
        guard words.count == texts.distinct.count, !words.isEmpty else { return nil }
        if !isAsked {
            let isFreeText =
                place.words.last.map { ReservedNames.freeText.contains(Singular.of($0)) || ReservedNames.freeText.contains($0) } ?? false
            guard texts.empty == 0, texts.patterns == .word, texts.count >= (isFreeText ? 500 : 50), (2...10).contains(words.count),
                words.count * words.count <= texts.count, words.allSatisfy({ $0.count >= 2 })
            else { return nil }
        }
        return words.sorted { compareUTF8($0.text, $1.text) < 0 }
    }

    /// A sentence about properties that all strings have in common.
    static func hint(of texts: TextFacts) -> String? {
        guard texts.count > texts.empty else { return nil }
        let orEmpty = texts.empty > 0 ? ", or empty" : ""
        return TextPatterns.hints.first { texts.patterns.contains($0.pattern) }.flatMap { sentence($0.pattern) }.map { $0 + orEmpty }
    }

    /// Milliseconds, if all values are integers that would be a time between 2000 and 2050.
    static func hint(ofIntegers node: SchemaNode) -> String? {
        guard let count = node.integers?.milliseconds, count == node.count(.integer), node.count(.double) == 0 else { return nil }
        return "milliseconds since 1970? a timestamp would be read as a date"
    }

    private static func sentence(_ pattern: TextPatterns) -> String? {
        switch pattern {
        case .url: "URLs"
        case .hexColor: "colours in hexadecimal"
        case .isoDate: "ISO 8601 dates; a timestamp would sort and compare"
        case .isoDateTime: "ISO 8601 dates and times; a timestamp would sort and compare"
        case .slashDate: "dates with slashes; a timestamp would sort and compare"
        case .email: "e-mail addresses"
        case .uuid: "UUIDs; as `UUID` they would be written back in upper case"
        case .numeral: "numerals"
        case .automaticID: "an id of another document?"
        case .base64: "base64"
        case .documentPath: "a path of another document?"
        case .languageCode: "language codes"
        default: nil
        }
    }
}
