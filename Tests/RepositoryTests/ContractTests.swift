// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The table of contracts in docs/architecture.md.
struct ContractTests {
    private static let folders = ["Sources/Firestore/FirestoreCore/Contracts", "Sources/Database/FirestoreStorage/Contract"]

    private static func protocols(in folders: [String]) throws -> Set<String> {
        try Set(
            Repository.files(in: folders, withExtensions: ["swift"]).flatMap { file in
                try file.lines.compactMap { line in
                    line.firstMatch(of: /^(?:package |public |private )?protocol ([A-Za-z]+)/).map { String($0.1) }
                }
            })
    }

    @Test func `the table names every contract, and no other protocol`() throws {
        let page = try Repository.text(of: "docs/architecture.md")
        let table = try #require(page.split(separator: "| Contract | Asked by | Answered by |").last?.split(separator: "\n\n").first)
        let named = table.split(separator: "\n").dropFirst().flatMap { row in
            // Where they are stands in parentheses.
            row.split(separator: "|")[0].replacing(/\([^)]*\)/, with: "").matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
        }
        let missing = try Self.protocols(in: Self.folders).subtracting(named)
        #expect(missing.isEmpty, "docs/architecture.md has no row for \(missing.sorted())")
        let unknown = try Set(named).subtracting(Self.protocols(in: ["Sources"]))
        #expect(unknown.isEmpty, "docs/architecture.md names \(unknown.sorted()), which are no protocols")
    }
}
