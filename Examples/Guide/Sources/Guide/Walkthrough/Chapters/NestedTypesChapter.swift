// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

enum NestedTypesChapter: Chapter {
    static let title = "Nested custom types and URLs"

    static func tell(on page: Page) async throws {
        let document = Firestore.firestore().collection("books").document("hitchhiker-image-urls")
        let covers = try ["small", "medium", "large"].map { size in
            guard let url = URL(string: "https://covers.example/hitchhiker-\(size).jpg") else {
                throw URLError(.badURL)
            }
            return url
        }
        var book = BookWithCoverImages(
            title: "The Hitchhiker's Guide to the Galaxy", numberOfPages: 224, author: "Douglas Adams",
            cover: CoverImages(small: covers[0], medium: covers[1], large: covers[2]))
        try document.setData(from: book)
        let fields = try await page.show(document)
        page.expect(
            "URLs are strings", (fields?["cover"] as? [String: Any])?["small"] as? String == covers[0].absoluteString)

        let read = try await document.getDocument(as: BookWithCoverImages.self)
        page.value(read)
        page.claim("the map is a CoverImages again, its strings are URLs", read.cover?.large == covers[2])

        book.cover = nil
        try document.setData(from: book)
        let without = try await document.getDocument(as: BookWithCoverImages.self)
        page.claim("a book without covers decodes too: cover is nil", without.cover == nil)
    }
}
