// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

enum DatesChapter: Chapter {
    static let title = "Dates and times"

    static func tell(on page: Page) async throws {
        let languages = Firestore.firestore().collection("programming-languages")
        // 1843-01-01T00:00:00Z: before 1970, so before zero.
        let published = Date(timeIntervalSince1970: -4_007_750_400)
        try languages.document("ada").setData(
            from: DatesAndTimes.ProgrammingLanguage(name: "Analytical Engine notes", year: published))
        try await page.show(languages.document("ada"))
        let ada = try await languages.document("ada").getDocument(as: DatesAndTimes.ProgrammingLanguage.self)
        page.value(ada)
        page.claim("a Date is a timestamp, also long before 1970", ada.year == published)

        // @ServerTimestamp
        let articles = Firestore.firestore().collection("articles")
        let before = Date(timeIntervalSinceNow: -1)
        let reference = try articles.addDocument(from: DatesAndTimes.Article(title: "On clocks", createdAt: nil))
        // The time is the server's; until it has answered, it is nil.
        try await Firestore.firestore().waitForPendingWrites()
        let stored = try await page.show(reference)
        let article = try await reference.getDocument(as: DatesAndTimes.Article.self)
        let createdAt = article.createdAt ?? .distantPast
        page.claim(
            "@ServerTimestamp: nil is filled in by the database when it commits",
            stored?["createdAt"] is Timestamp && createdAt > before && createdAt <= Date(timeIntervalSinceNow: 1))

        var changed = article
        changed.title = "On clocks, revised"
        changed.lastUpdatedAt = nil
        try reference.setData(from: changed)
        try await Firestore.firestore().waitForPendingWrites()
        let second = try await reference.getDocument(as: DatesAndTimes.Article.self)
        page.value(second)
        page.claim(
            "a value that is there is left alone; nil gets a new time",
            second.createdAt == article.createdAt && (second.lastUpdatedAt ?? .distantPast) >= createdAt)
    }
}
