// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// Every row of the behaviour table (T1 … T150) has a scenario whose comment names it, or a Swift test that cites it.
struct RowCoverageTests {
    /// Rows without either. Shrinks only: a row that has a test is taken out.
    private static let uncovered: [ClosedRange<Int>] = []

    @Test func `every row of the behaviour table has a test`() throws {
        var covered: Set<Int> = []
        for name in SpecFolder.names(in: SpecFolder.own) {
            for source in try SpecFolder.file(name, in: SpecFolder.own).cases { covered.formUnion(Self.rows(in: source.comment ?? "")) }
        }
        for line in try Self.testComments() { covered.formUnion(Self.rows(in: line)) }
        #expect(covered.isSubset(of: 1...150), "there are no rows \(covered.subtracting(1...150).sorted())")
        let missing = (1...150).filter { !covered.contains($0) }
        #expect(
            missing == Self.uncovered.flatMap { Array($0) },
            "the rows without a test are now \(Self.ranges(missing)); write tests for new ones, and shrink the list by the others")
    }

    @Test func `citations are found in comments only as whole words`() {
        #expect(Self.rows(in: "T29, T30") == [29, 30])
        #expect(Self.rows(in: "// T1: first, (T2); XT3 T4a T5b6 T007") == [1, 2])
        #expect(Self.ranges([1, 2, 3, 7, 9, 10]) == "[1...3, 7...7, 9...10]")
    }

    private static func rows(in text: String) -> Set<Int> {
        var rows: Set<Int> = []
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where word.first == "T" {
            let number = word.dropFirst()
            if let row = Int(number), String(row) == number { rows.insert(row) }
        }
        return rows
    }

    /// The comments in the Swift tests of all targets but this one.
    private static func testComments() throws -> [String] {
        let own = SpecFolder.own.deletingLastPathComponent()
        // Without what `make test-macros` builds there, whose checkouts are folders with names such as GRDB.swift.
        let files = FileManager.default.enumerator(
            at: repositoryRoot.appendingPathComponent("Tests"), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        var comments: [String] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", !file.path.hasPrefix(own.path + "/") else { continue }
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let start = line.range(of: "//") else { continue }
                comments.append(String(line[start.upperBound...]))
            }
        }
        return comments
    }

    /// As the list above is written.
    private static func ranges(_ rows: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for row in rows {
            if let last = ranges.last, last.upperBound + 1 == row {
                ranges[ranges.count - 1] = last.lowerBound...row
            } else {
                ranges.append(row...row)
            }
        }
        return "[\(ranges.map { "\($0.lowerBound)...\($0.upperBound)" }.joined(separator: ", "))]"
    }
}
