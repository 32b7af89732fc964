// SPDX-License-Identifier: Apache-2.0
import Foundation
import ModeSupport
import TestSupport
import Testing

/// The compatibility table holds, docs/reference/compatibility.md is made of it, and it lists all that api.md lists.
@Suite struct CompatibilityTableTests {
    static let page = "docs/reference/compatibility.md"
    static let root = repositoryRoot
    private static let environment = ProcessInfo.processInfo.environment

    @Test(.timeLimit(.minutes(10))) func `every row holds, and docs/reference/compatibility.md says what the rows say`() async throws {
        let here = try await CompatibilityFixture()
        let sections = CompatibilityTable.sections
        var failures = 0
        for section in sections {
            for row in section.rows where row.only.map(Mode.can) ?? true {
                guard let reason = await Self.failure(of: row, here) else { continue }
                failures += 1
                Issue.record("\(section.number) \(section.title): \(row.signatures[0]) \(reason)")
            }
        }
        guard failures == 0 else { return }
        let text = CompatibilityTable.page(of: sections)
        let file = Self.root.appendingPathComponent(Self.page)
        if Self.environment["HEARTH_WRITE_COMPATIBILITY"] == "1" {
            try Data(text.utf8).write(to: file)
            print("\(Self.page) is written: \(sections.map(\.rows.count).reduce(0, +)) rows hold")
        } else {
            let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let isSame = written.utf8.elementsEqual(text.utf8)
            #expect(isSame, "\(Self.page) is not what the rows say: make pages")
        }
    }

    /// Why a row does not hold; nil if it does.
    private static func failure(of row: CompatibilityRow, _ here: CompatibilityFixture) async -> String? {
        do {
            return try await row.holds(here) ? nil : "does not do what it should"
        } catch {
            return "failed: \(error)"
        }
    }

    @Test(.enabled(if: APIReference.isThere, "api.md is not on this machine; HEARTH_API_REFERENCE says where it is"))
    func `every core and full row of api.md is in the table, and nothing else`() throws {
        let reference = try APIReference()
        // The signatures of FirebaseAuth, and what the original does not have, from chapter 20 on, are not in api.md.
        let table = CompatibilityTable.sections.filter { $0.chapter < 20 }.flatMap { section in
            section.rows.map { APIReference.Row(section: section.number, tag: $0.tag.rawValue, signatures: $0.signatures) }
        }
        for row in reference.rows where !table.contains(row) { Issue.record("not in the table: \(row)") }
        for row in table where !reference.rows.contains(row) { Issue.record("not in api.md: \(row)") }
        #expect(table.count == reference.rows.count)
        for tag in CompatibilityRow.Tag.original {
            let rows = table.filter { $0.tag == tag.rawValue }
            let counts = try #require(reference.counts[tag.rawValue])
            #expect(rows.count == counts.rows, "rows of class \(tag)")
            #expect(rows.map(\.signatures.count).reduce(0, +) == counts.signatures, "signatures of class \(tag)")
        }
    }
}
