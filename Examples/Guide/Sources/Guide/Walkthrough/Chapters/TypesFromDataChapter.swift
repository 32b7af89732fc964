// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import Foundation

/// Beyond the guide: types that `hearth types` wrote from this example's data, an audit of data that has drifted, and queries whose
/// field names the compiler checks.
public enum TypesFromDataChapter: Chapter {
    public static let title = "Types from data, and queries that the compiler checks"

    public static func tell(on page: Page) async throws {
        let db = Firestore.firestore()
        try await generated(db, page)
        try await drift(db, page)
        try await typedQuery(db, page)
    }

    /// Types that were written from the books and cities of this example, compiled into it.
    private static func generated(_ db: Firestore, _ page: Page) async throws {
        let shelf = db.collection("shelf")
        let count = try BookFile.read().count
        try await BookFile.load(into: shelf)
        let books = try await shelf.getDocuments().documents(as: StoredBook.self)
        page.line("hearth types shelf --from books.jsonl wrote the type that decodes these:")
        if let first = books.values.first { page.value(first) }
        page.claim("each of the \(count) books decodes", books.values.count == count && books.failures.isEmpty)

        let cities = try CityFile.read()
        let collection = db.collection("cities")
        try await CityFile.loadIfMissing(cities, into: collection)
        let report = try await collection.audit(as: StoredCity.self, options: AuditOptions(checks: .decoding))
        page.line("and the type of the cities:  \(report.summary)")
        page.claim("each of the \(cities.count) cities decodes", report.isClean && report.documentCount == cities.count)
    }

    /// One program has begun to write `pages` instead of `numberOfPages`.
    private static func drift(_ db: Firestore, _ page: Page) async throws {
        let shelf = db.collection("shelf")
        try await shelf.document("solaris").updateData(["pages": 204, "numberOfPages": FieldValue.delete()])
        let report = try await shelf.audit(as: StoredBook.self)
        page.line("another program renames a field of one book; the audit finds it:")
        for line in report.table.split(separator: "\n") { page.line("  " + line) }
        page.claim(
            "the audit names the field that is missing, the one that is new, and the book",
            report.findings.contains { $0.kind == .missing && $0.path == "numberOfPages" && $0.examples == ["solaris"] }
                && report.findings.contains { $0.kind == .unknown && $0.path == "pages" } && report.failedCount == 1)
        try await shelf.document("solaris").updateData(["numberOfPages": 204, "pages": FieldValue.delete()])
        page.expect("mended, every book decodes", try await shelf.audit(as: StoredBook.self).failedCount == 0)
    }

    /// A question, asked with strings and with fields.
    private static func typedQuery(_ db: Firestore, _ page: Page) async throws {
        let classic = try await db.collection("cities")
            .whereField("country", isEqualTo: "IN")
            .whereField("population", isGreaterThan: 3_000_000)
            .order(by: "population", descending: true)
            .getDocuments().documents.map { try $0.data(as: StoredCity.self) }
        let typed = try await db.collection("cities", of: StoredCity.self)
            .where { $0.country == "IN" && $0.population > 3_000_000 }
            .order(by: \.population, descending: true)
            .get().values
        page.line("cities of India with more than three million people, asked with strings and with fields:")
        for city in typed { page.line("  \(city.name.padded(to: 14))\(city.population.formatted().padded(to: 11, alignRight: true))") }
        page.claim("both give the same \(classic.count) cities", typed.map(\.id) == classic.map(\.id) && !typed.isEmpty)

        let largest = db.collection("cities", of: StoredCity.self).document(typed.first?.id ?? "")
        let before = try await largest.get()
        try await largest.update(.increment(\.population, by: 1))
        let after = try await largest.get()
        page.expect("an update by field changes that field", after?.population == (before?.population ?? 0) + 1)
        try await largest.update(.increment(\.population, by: -1))
        page.note("$0.popluation, or $0.population > \"many\", does not compile")
    }
}
