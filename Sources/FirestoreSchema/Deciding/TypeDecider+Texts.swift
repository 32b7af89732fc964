// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Strings: URLs, enumerations, and hints (MP-23).
extension TypeDecider {
    func text(_ node: SchemaNode, _ place: Place, _ scope: inout Scope) -> Decision {
        guard let texts = node.texts, texts.count > texts.empty else { return Decision(type: .string) }
        let path = place.path.text
        if let words = words(of: texts, place) {
            var names = SwiftNames.cases
            let cases = words.map { WordCase(name: names.property($0.text), text: $0.text) }
            let type = scope.declare(place.words, .words(cases, isOpen: options.enums != .closed))
            type.notes.append("\(cases.count) values in \(Figures.grouped(texts.count))")
            return Decision(type: .declared(type))
        }
        if texts.patterns.contains(.url), texts.empty == 0, !options.stringPaths.contains(path) { return Decision(type: .url) }
        return Decision(type: .string, notes: Self.hint(of: texts).map { [$0] } ?? [])
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

    /// What all strings have in common, as a sentence.
    static func hint(of texts: TextFacts) -> String? {
        guard texts.count > texts.empty else { return nil }
        let orEmpty = texts.empty > 0 ? ", or empty" : ""
        return TextPatterns.hints.first { texts.patterns.contains($0.pattern) }.flatMap { sentence($0.pattern) }.map { $0 + orEmpty }
    }

    private static func sentence(_ pattern: TextPatterns) -> String? {
        switch pattern {
        case .url: "URLs"
        case .hexColor: "colours in hexadecimal"
        case .isoDate: "ISO 8601 dates; a timestamp would sort and compare"
        case .isoDateTime: "ISO 8601 dates and times; a timestamp would sort and compare"
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
