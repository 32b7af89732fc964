// SPDX-License-Identifier: Apache-2.0

extension RegularExpression {
    /// The text with all matches replaced, as `replace` does it in security rules.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - template: What takes the place of each match: `$1` is what the first group captured, nothing if it is not part of the match,
    ///     `${name}` the same by name, `$0` the whole match, `\` makes the next character literal.
    ///   - budget: The limit of the cost.
    /// - Throws: `invalidReplacement` if the template names a group that does not exist, unless nothing is replaced.
    package func replacingMatches(
        in text: String, with template: String, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> String {
        try UTF8Text.with(text) { (source) throws(RegularExpressionError) in
            try replacingMatches(in: source, with: template, &budget)
        } ?? text
    }

    /// nil if nothing matches.
    private func replacingMatches(
        in source: UTF8Text, with template: String, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> String? {
        let matches = try matches(in: source, atMost: .max, &budget)
        if matches.isEmpty { return nil }
        let template = try ReplacementTemplate(template, captureNames: captureNames)
        var result: [UInt8] = []
        var copied = 0
        for match in matches {
            result += source.bytes[copied..<match.range.lowerBound]
            copied = match.range.upperBound
            for part in template.parts {
                switch part {
                case .text(let bytes):
                    try budget.spend(bytes.count)
                    result += bytes
                case .capture(let number):
                    guard let range = number == 0 ? match.range : match.captures[number - 1] else { continue }
                    try budget.spend(range.count)
                    result += source.bytes[range]
                }
            }
        }
        result += source.bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    /// The parts of the text between the matches, as `split` does it in security rules.
    ///
    /// Empty parts at the end are dropped, others are not: an empty match where the text begins has an empty part before it. There is
    /// always one part at least.
    package func splitting(_ text: String, _ budget: inout MatchBudget) throws(RegularExpressionError) -> [String] {
        try UTF8Text.with(text) { (source) throws(RegularExpressionError) in try splitting(source, &budget) }
    }

    private func splitting(_ source: UTF8Text, _ budget: inout MatchBudget) throws(RegularExpressionError) -> [String] {
        var parts: [Range<Int>] = []
        var end = 0
        for match in try matches(in: source, atMost: .max, &budget) {
            parts.append(end..<match.range.lowerBound)
            end = match.range.upperBound
        }
        parts.append(end..<source.count)
        while parts.count > 1, let last = parts.last, last.isEmpty { parts.removeLast() }
        return parts.map(source.string)
    }
}
