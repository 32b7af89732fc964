// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the article "Query documents, and what indexes do".
@Suite struct QuerySnippets {
    @Test func `filters, orders and pages`() async throws {
        let db = try TestFirestore().firestore
        let trails = try await StartSnippets.fill(db)
        // snippet: queries-filter
        let short = trails
            .whereField("region", isEqualTo: "Alps")
            .whereField("kilometers", isLessThanOrEqualTo: 15)
            .order(by: "kilometers", descending: true)
            .limit(to: 20)
        let found = try await short.getDocuments().documents(as: Trail.self).values
        // end snippet
        #expect(found.map(\.name) == ["Ridge Walk", "Lake Loop"])

        // snippet: queries-or
        let either = trails.whereFilter(
            .orFilter([
                .whereField("region", isEqualTo: "Harz"),
                .whereField("kilometers", isGreaterThan: 10),
            ]))
        // end snippet
        #expect(try await either.getDocuments().count == 2)

        // snippet: queries-pages
        var names: [String] = []
        var page = trails.order(by: "name").limit(to: 2)
        while true {
            let snapshot = try await page.getDocuments()
            for document in snapshot.documents { names.append(document.documentID) }
            guard let last = snapshot.documents.last else { break }
            page = page.start(afterDocument: last)
        }
        // end snippet
        #expect(names == ["lake", "moor", "ridge"])
    }

    @Test func `collection groups and aggregates`() async throws {
        let db = try TestFirestore().firestore
        let trails = try await StartSnippets.fill(db)
        try await trails.document("ridge").collection("reports").addDocument(data: ["stars": 5])
        try await trails.document("lake").collection("reports").addDocument(data: ["stars": 3])
        // snippet: queries-group
        let praise = db.collectionGroup("reports").whereField("stars", isGreaterThanOrEqualTo: 4)
        // end snippet
        #expect(try await praise.getDocuments().count == 1)

        // snippet: queries-aggregate
        let totals = try await trails.whereField("region", isEqualTo: "Alps")
            .aggregate([.count(), .sum("kilometers")])
            .getAggregation(source: .server)
        print(totals.count, totals.get(.sum("kilometers")))
        // end snippet
        #expect(totals.count == 2 && totals.get(.sum("kilometers")) as? Double == 17.5)
    }

    @Test func `plans and indexes`() async throws {
        let db = try TestFirestore().firestore
        let trails = try await StartSnippets.fill(db)
        let long = trails.whereField("region", isEqualTo: "Alps").order(by: "kilometers", descending: true)
        // snippet: queries-explain
        let report = try await long.explain()
        print(report)
        print(report.statistics?.documentsRead ?? 0, "documents read for", report.statistics?.results ?? 0, "results")
        // end snippet
        #expect(report.statistics?.results == 2)

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("firestore.indexes.json")
        // snippet: queries-needed
        let needed = try await db.neededIndexConfiguration()
        try needed.write(to: file, atomically: true, encoding: .utf8)
        // end snippet

        // snippet: queries-configure
        try await db.setIndexConfiguration(String(contentsOf: file, encoding: .utf8))
        try await db.waitForIndexes()
        // end snippet
        #expect(try await long.getDocuments().count == 2)
    }

    @Test func `an index policy`() throws {
        let db = try TestFirestore().firestore
        // snippet: queries-policy
        let settings = db.settings
        settings.indexPolicy = .required
        db.settings = settings
        // end snippet
        #expect(db.settings.indexPolicy == .required)
    }
}
