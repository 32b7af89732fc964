// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

extension RulesCoverage {
    /// The text of the rules as a page, with how often each line was evaluated.
    var page: String {
        var counts: [Int: Int] = [:]
        for line in lcov.split(separator: "\n") where line.hasPrefix("DA:") {
            let numbers = line.dropFirst(3).split(separator: ",").compactMap { Int($0) }
            if numbers.count == 2 { counts[numbers[0]] = numbers[1] }
        }
        var rows = ""
        let lines = String(decoding: ruleSet.source.text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let count = counts[index + 1]
            let kind = count.map { $0 > 0 ? "run" : "missed" } ?? ""
            let cells = ["\(index + 1)", count.map { "\($0)" } ?? "", Self.escaped(line)].map { "<td>\($0)</td>" }
            rows += "<tr class=\"\(kind)\">\(cells.joined())</tr>\n"
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Coverage of \(Self.escaped(ruleSet.source.name[...]))</title><style>
            table { font-family: monospace; border-spacing: 0 } td { white-space: pre; padding: 0 1ex }
            td:nth-child(-n+2) { text-align: right; color: #777 } .run { background: #dfd } .missed { background: #fdd }
            </style></head><body><table>
            <tr><th>Line</th><th>Evaluated</th><th></th></tr>
            \(rows)</table></body></html>

            """
    }

    private static func escaped(_ text: Substring) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
