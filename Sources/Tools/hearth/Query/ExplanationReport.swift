// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An explanation, as text or JSON.
struct ExplanationReport {
    private let explanation: QueryExplanation

    init(_ explanation: QueryExplanation) { self.explanation = explanation }

    func text(_ style: Style) -> String {
        var lines = explanation.plan.split(separator: "\n").map(String.init)
        for index in explanation.indexes { lines.append("\(style(.name, "index")): \(index)") }
        if let ideal = explanation.idealIndex { lines.append("\(style(.name, "would be faster with")): \(ideal)") }
        if explanation.scansAll { lines.append("looks at every document of the collection") }
        if let statistics = explanation.statistics {
            let results = statistics.results == 1 ? "1 result" : "\(statistics.results) results"
            let milliseconds = (Self.milliseconds(statistics.duration) * 100).rounded() / 100
            lines.append(
                "\(style(.name, "run")): \(results), \(statistics.documentsRead) documents and \(statistics.entriesRead) index "
                    + "entries read, \(milliseconds) ms")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSON {
        var members: [(name: String, value: JSON)] = [
            ("plan", .array(explanation.plan.split(separator: "\n").map { .string(String($0)) })),
            ("indexes", .array(explanation.indexes.map { .string($0.description) })),
            ("idealIndex", explanation.idealIndex.map { .string($0.description) } ?? .null),
            ("scansAll", .boolean(explanation.scansAll)),
        ]
        if let statistics = explanation.statistics {
            members.append(
                (
                    "statistics",
                    .object([
                        ("results", .number(statistics.results)), ("documentsRead", .number(statistics.documentsRead)),
                        ("entriesRead", .number(statistics.entriesRead)),
                        ("milliseconds", .number("\(Self.milliseconds(statistics.duration))")),
                    ])
                ))
        }
        return .object(members)
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
}
