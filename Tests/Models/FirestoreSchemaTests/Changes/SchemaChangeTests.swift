// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSchema

/// What has changed between two schemas (MP-30, MP-37).
struct SchemaChangeTests {
    struct Row {
        var old: [TestDocument]
        var new: [TestDocument]
        var changes: [String]
        var isDrift = true
    }

    static let rows: [Row] = [
        Row(old: documents(["n": 1]), new: documents(["n": 2]), changes: [], isDrift: false),
        // MP row T44
        Row(old: documents(["n": 1]), new: documents(["n": 1], ["n": "x"]), changes: ["widened n: integer → integer, string (d001)"]),
        Row(old: documents(["n": 1]), new: documents(["n": "x"]), changes: ["widened n: integer → string (d000)"]),
        Row(old: documents(["n": 1]), new: documents(["n": 1, "m": true]), changes: ["added m: boolean (d000)"]),
        Row(old: documents(["n": 1, "m": true]), new: documents(["n": 1]), changes: ["gone m: boolean ()"]),
        Row(old: documents(["n": 1, "m": true], ["n": 1]), new: documents(["n": 1]), changes: ["gone m: boolean, was optional ()"], isDrift: false),
        Row(old: documents(["n": 1]), new: documents(["n": 1], [:]), changes: ["optional n: was in every document ()"]),
        Row(old: documents(["n": 1], [:]), new: documents(["n": 1]), changes: [], isDrift: false),
        Row(old: documents(["a": ["b": [["c": 1]]]]), new: documents(["a": ["b": [["c": 1.5, "d": .null]]]]), changes: ["widened a.b[].c: integer → double (d000)", "added a.b[].d: null (d000)"]),
        // Names that are data are not fields.
        Row(old: documents(["s": ["1001": 1, "1002": 2]]), new: documents(["s": ["1003": 1, "1004": 2]]), changes: [], isDrift: false),
        Row(old: documents(["s": ["1001": 1, "1002": 2]]), new: documents(["s": ["1003": "x"]]), changes: ["widened s{}: integer → string (d000)"]),
        Row(old: documents(["l": []]), new: documents(["l": [1]]), changes: [], isDrift: false),
    ]

    @Test(arguments: rows.indices)
    func `changes are named by path, with the types before and after`(index: Int) throws {
        let row = Self.rows[index]
        let changes = SchemaChange.between(try tree(row.old), try tree(row.new))
        #expect(changes.map { "\($0.kind.rawValue) \($0.path): \($0.description) (\($0.examples.joined(separator: ", ")))" } == row.changes)
        #expect(changes.contains { $0.isDrift } == row.isDrift)
    }

    // MP row T44
    @Test func `a schema that is widened prints types for both`() throws {
        let old = try tree(documents(["n": 1]))
        old.merge(try tree(documents(["n": "x"])))
        let text = SwiftPrinter().text(old, collection: "things")
        #expect(text.contains("var n: N\n") && text.contains("case int(Int)\n        case string(String)"))
    }

    @Test func `a table shows types, shares and hints, and no values`() throws {
        let rows = SchemaRow.all(of: try tree(many(200) { ["a": .string("#00FF0\($0 % 10)"), "m": ["1": .integer(Int64($0)), "2": 1], "n": $0 == 0 ? "secret" : 1] }))
        #expect(rows.map { "\($0.path) | \($0.types) | \($0.present)/\($0.parents) | \($0.notes)" } == [
            "a | string | 200/200 | colours in hexadecimal", "m | map | 200/200 | dictionary: all names are digits", "m{} | integer | 400/400 | ",
            "n | integer 199, string 1 | 200/200 | string in d000",
        ])
    }

    @Test func `shares are rounded so that only all is 100 %`() {
        #expect(Figures.percentage(9_999, of: 10_000) == "99.9 %" && Figures.percentage(1, of: 10_000) == "< 0.1 %" && Figures.percentage(3, of: 3) == "100 %")
        #expect(Figures.percentage(1, of: 3) == "33.3 %" && Figures.percentage(0, of: 5) == "0 %" && Figures.grouped(-1_234_567) == "-1,234,567")
    }
}
