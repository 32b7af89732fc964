// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// The page of limits is what the code says, and nothing else.
@Suite struct LimitPageTests {
    private static let page = "docs/reference/limits.md"
    private static let begin = "<!-- Made from the table in Sources/Firestore/FirestoreCore/Limits: make pages -->\n"

    @Test func `docs/reference/limits.md lists the limits of requests`() throws {
        try expectGenerated(Self.page, after: Self.begin, Self.tables)
    }

    @Test func `every limit has a name, a rule with a place for its value, and a reason`() {
        let rows = Limit.all.flatMap(\.rows)
        #expect(Set(rows.map(\.name)).count == rows.count)
        for row in rows {
            #expect(row.value > 0 && row.rule.split(separator: "#", omittingEmptySubsequences: false).count == 2, "\(row.name)")
            #expect(!row.reason.isEmpty, "\(row.name)")
        }
    }

    @Test func `a count up to the limit is taken, and one beyond it is refused with the rule`() throws {
        try Limit.batchGet.check(10_000)
        do throws(FirestoreError) {
            try Limit.batchGet.check(10_001)
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .invalidArgument)
            #expect(error.message == "a request names at most 10,000 documents; read the others in another request")
        }
    }

    private static var tables: String {
        Limit.all.map { title, rows in
            """

            ## \(title)

            | Rule | The service | Why |
            |---|---|---|
            \(rows.map { "| \($0.sentence) | \(service($0)) | \($0.reason) |" }.joined(separator: "\n"))

            """
        }.joined()
    }

    private static func service(_ limit: Limit) -> String {
        switch limit.service {
        case .same: "the same"
        case .other(let text): text
        case .unnamed: "names none"
        }
    }
}
