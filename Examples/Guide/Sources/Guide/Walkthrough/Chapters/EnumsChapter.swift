// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum EnumsChapter: Chapter {
    static let title = "Enums with raw values"

    static func tell(on page: Page) async throws {
        let document = Firestore.firestore().collection("articles").document("on-enums")
        try document.setData(from: Article(title: "Cases and their names", status: .inReview))
        let fields = try await page.show(document)
        let article = try await document.getDocument(as: Article.self)
        page.value(article)
        page.claim(
            "Status.inReview is stored as \"in review\"",
            fields?["status"] as? String == "in review" && article.status == .inReview)

        try await document.updateData(["status": "lost"])
        do {
            _ = try await document.getDocument(as: Article.self)
            page.expect("a raw value that no case has is an error", false)
        } catch DecodingError.dataCorrupted(let context) {
            page.error(context.debugDescription)
            page.claim(
                "a string that no case has is DecodingError.dataCorrupted at status",
                context.codingPath.map(\.stringValue) == ["status"])
        }
    }
}
