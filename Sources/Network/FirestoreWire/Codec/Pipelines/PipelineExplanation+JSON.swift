// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension PipelineExplanation {
    /// Its text for programs, such as `{"plan": ["1. collection(/books)"], "execution": {"rows": 4}}`.
    ///
    /// A line that is not indented names a section, with a colon behind it or without. A section whose lines are figures with names is an
    /// object, and any other one the array of its lines.
    package var json: JSON {
        var sections: [(name: String, lines: [String])] = []
        for line in text.split(separator: "\n").map(String.init) {
            guard line.utf8.first != UInt8(ascii: " ") else {
                if sections.isEmpty { sections.append(("plan", [])) }
                sections[sections.count - 1].lines.append(String(line.dropFirst(2)))
                continue
            }
            sections.append(((line.last == ":" ? String(line.dropLast()) : line).lowercased(), []))
        }
        return .object(sections.map { ($0.name, Self.figures($0.lines) ?? .array($0.lines.map { .string($0) })) })
    }

    /// nil if the lines are something else.
    private static func figures(_ lines: [String]) -> JSON? {
        var figures: [(name: String, value: JSON)] = []
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[1].hasPrefix(" "), parts[0].first != " ",
                parts[0].utf8.allSatisfy({ $0 == UInt8(ascii: " ") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            else { return nil }
            let value = parts[1].dropFirst()
            figures.append((String(parts[0]), Int64(value).map { .number($0) } ?? .string(String(value))))
        }
        return figures.isEmpty ? nil : .object(figures)
    }
}
