// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A row of the reference's tables: a pipeline in its text form, and what it gives.
package struct PipelineCase: Sendable, CustomStringConvertible {
    package enum Outcome: Sendable {
        /// Rows in their order: `{x: 1}` for a row that is no document, `p1 {x: 1}` for one that is, `p1` whatever its fields are.
        case rows([String])
        /// `invalidArgument`, with this text in its message.
        case failure(String)
    }

    package let number: String
    package let text: String
    package let outcome: Outcome

    /// A pipeline.
    package init(_ number: String, _ text: String, _ rows: String...) { self.init(number, text, .rows(rows)) }

    package init(_ number: String, _ text: String, _ outcome: Outcome) { (self.number, self.text, self.outcome) = (number, text, outcome) }

    /// A pipeline that fails.
    package static func fails(_ number: String, _ text: String, with message: String = "") -> PipelineCase {
        PipelineCase(number, text, .failure(message))
    }

    /// An expression over the one document of `rows`. Of its value `out` says that the key is missing, and `fail` that the request fails;
    /// what follows is in the message.
    package static func value(_ number: String, _ expression: String, _ value: String) -> PipelineCase {
        let text = "collection(/rows).select(\(expression) as x)"
        if value.hasPrefix("fail") {
            return PipelineCase(number, text, .failure(String(value.dropFirst(4).drop { $0 == " " })))
        }
        return PipelineCase(number, text, .rows([value == "out" ? "{}" : "{x: \(value)}"]))
    }

    package var description: String { "\(number): \(text)" }

    package var pipeline: PipelineRequest {
        get throws { try PipelineText.parse(text) }
    }

    /// What differs between an outcome and the expected one; nil if nothing does.
    package func difference(from result: Result<PipelinePage, FirestoreError>) -> String? {
        switch (outcome, result) {
        case (.failure(let text), .failure(let error)):
            guard error.code == .invalidArgument, error.description.contains(text) else { return "fails with \(error.code): \(error)" }
            return nil
        case (.failure, .success(let page)): return "gives \(page.rows.map(Self.text))"
        case (.rows, .failure(let error)): return "fails: \(error)"
        case (.rows(let rows), .success(let page)):
            guard rows.count == page.rows.count else { return "gives \(page.rows.map(Self.text))" }
            for (expected, row) in zip(rows, page.rows) where !Self.matches(row, expected) { return "gives \(page.rows.map(Self.text))" }
            return nil
        }
    }

    private static func matches(_ row: PipelineRow, _ expected: String) -> Bool {
        guard let brace = expected.firstIndex(of: "{") else { return id(of: row) == expected }
        let name = expected[..<brace].filter { $0 != " " }
        guard (id(of: row) ?? "") == name, let fields = try? PipelineText.expression(String(expected[brace...])) else { return false }
        return PipelineText.print(fields) == fieldText(of: row)
    }

    /// The fields, with references below the database.
    private static func fieldText(of row: PipelineRow) -> String {
        let text = (try? row.fields.map).map { PipelineText.print(.value(.map($0))) } ?? "damaged"
        return text.replacing(/reference\("projects\/[^\/]*\/databases\/[^\/]*\/documents([^"]*)"\)/) { $0.1 }
    }

    private static func id(of row: PipelineRow) -> String? { row.name.map { String($0.split(separator: "/").last ?? "") } }

    private static func text(_ row: PipelineRow) -> String { id(of: row).map { "\($0) \(fieldText(of: row))" } ?? fieldText(of: row) }
}

/// The documents that the tables refer to.
package enum PipelineData {
    package static let documents: [(path: String, text: String)] = [
        (
            "rows/row1",
            #"{n: 7, d: 2.5, s: "Ünï😀x", t: null, a: [3, null, 1.5, "k"], m: {p: 1, "q.r": 2}, z: NaN, b: b"00FF", w: true}"#
        ),
        ("shop/p1", #"{k: "tea", c: 3, g: {h: 1}}"#), ("shop/p2", #"{k: "tea", c: 3.0}"#), ("shop/p3", #"{k: "rye", c: null, l: [1, 2]}"#),
        ("shop/p4", #"{k: "oat", l: []}"#), ("shop/p5", #"{c: "x", l: 9}"#), ("shop/p1/log/e1", "{at: 1}"), ("shop/p1/log/e2", "{at: 2}"),
        ("places/near", "{v: vector(1.0, 0.0)}"), ("places/far", "{v: vector(9.0, 9.0)}"), ("places/mid", "{v: vector(3.0, 0.0)}"),
        ("places/other", "{v: vector(1.0, 0.0, 0.0)}"), ("places/none", "{w: 1}"),
    ]

    package static var writes: [Write] {
        get throws {
            try documents.map { path, text in
                guard case .constant(let bytes) = try PipelineText.expression(text), case .map(let map) = try bytes.value else {
                    preconditionFailure("a document of the tables is a map of constants")
                }
                return Write(key: DocumentKey(trusted: path), operation: .set(FieldBytes(map)))
            }
        }
    }
}
