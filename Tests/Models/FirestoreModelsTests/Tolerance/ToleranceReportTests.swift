// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Reports of what tolerant properties did (MP-66).
@Suite struct ToleranceReportTests {
    struct Tag: Codable, Hashable {
        var t: Int
        var color: LossyTests.Status?
    }

    struct Book: Codable {
        @DefaultZero var n: Int
        @LossyArray var tags: [Tag]
        @LossyDictionary var counts: [String: Int]
        @LossyOptional var website: URL?
    }

    private static func lines(_ entries: [ToleranceReport.Entry]) -> [String] {
        entries.map { "\($0.path) \($0.kind) \($0.count) \($0.documents.joined(separator: ","))" }
    }

    private func database() async throws -> TestFirestore {
        let db = try TestFirestore()
        let books = db.firestore.collection("books")
        try await books.document("a").setData(["tags": [["t": 1, "color": "weird"], ["t": "x"], 5]])
        try await books.document("b").setData(["n": NSNull(), "counts": ["k": "x"], "website": 7])
        try await books.document("c").setData(["n": 1])
        return db
    }

    @Test func `a decoder with a report collects, and each result has its own entries`() async throws {
        let db = try await database()
        let books = db.firestore.collection("books")
        let decoder = Firestore.Decoder()
        decoder.tolerance = ToleranceReport()
        let all = try await books.getDocuments().documents(as: Book.self, decoder: decoder)
        #expect(all.values.count == 3)
        let expected = [
            "counts entryLost 1 books/b", "n defaultUsed 2 books/a,books/b", "tags elementLost 2 books/a",
            "tags[].color unknownCase 1 books/a", "website valueLost 1 books/b",
        ]
        #expect(Self.lines(all.tolerated) == expected)
        let one = try await books.limit(to: 1).getDocuments().documents(as: Book.self, decoder: decoder)
        #expect(Self.lines(one.tolerated) == ["n defaultUsed 1 books/a", "tags elementLost 2 books/a", "tags[].color unknownCase 1 books/a"])
        #expect(decoder.tolerance?.entries.first { $0.path == "n" }?.count == 3)
        _ = try await books.document("b").getDocument(as: Book.self, decoder: decoder)
        #expect(decoder.tolerance?.entries.first { $0.path == "n" }?.count == 4)
    }

    @Test func `a decoder without a report reports nothing`() async throws {
        let db = try await database()
        let all = try await db.firestore.collection("books").getDocuments().documents(as: Book.self)
        #expect(all.values.count == 3 && all.tolerated.isEmpty)
        let decoder = Firestore.Decoder()
        #expect(decoder.tolerance == nil)
        decoder.tolerance = ToleranceReport()
        #expect(decoder.tolerance?.isEmpty == true)
        decoder.tolerance = nil
        #expect(decoder.userInfo.isEmpty)
    }

    @Test func `an audit lists it as tolerated, not as clean`() async throws {
        let db = try await database()
        let report = try await db.firestore.collection("books").audit(as: Book.self, options: AuditOptions(checks: .tolerance))
        let lines = report.findings.map { "\($0.kind) \($0.path) \($0.expected) \($0.documentCount) \($0.examples.joined())" }
        #expect(
            lines == [
                "tolerated counts entry lost 1 b", "tolerated n default used 2 ab", "tolerated tags element lost 1 a",
                "tolerated tags[].color unknown case 1 a", "tolerated website value lost 1 b",
            ])
        #expect(!report.isClean && report.failedCount == 0)
    }

    @Test func `a round trip changes only the defaults of tolerated values`() async throws {
        let db = try await database()
        let report = try await db.firestore.collection("books").audit(as: Book.self, options: AuditOptions(checks: .roundTrip))
        let lines = report.findings.map { "\($0.kind) \($0.path) \($0.stored) \($0.expected) \($0.documentCount) \($0.examples.joined())" }
        #expect(
            lines == [
                "kind counts missing map 2 ac", "kind n missing integer 1 a", "kind n null integer 1 b", "kind tags missing array 2 bc",
            ])
    }
}
