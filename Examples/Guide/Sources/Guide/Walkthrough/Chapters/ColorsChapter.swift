// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import SwiftUI

enum ColorsChapter: Chapter {
    static let title = "Colours as CSS hex, by a custom coder"

    static func tell(on page: Page) async throws {
        let document = Firestore.firestore().collection("books").document("colour-tags")
        let glass = Color(.sRGB, red: 0, green: 128.0 / 255, blue: 1, opacity: 64.0 / 255)
        let book = BookWithTags(
            title: "Interaction of Color", numberOfPages: 74, author: "Josef Albers",
            tags: [Tag(title: "theory", color: Color(hex: "#ff8800")), Tag(title: "glass", color: glass)])
        try document.setData(from: book)
        let fields = try await page.show(document)
        let tags = (fields?["tags"] as? [[String: Any]]) ?? []
        page.claim(
            "opaque is #rrggbb, translucent is #rrggbbaa",
            tags.map { $0["color"] as? String } == ["#ff8800", "#0080ff40"])

        let read = try await document.getDocument(as: BookWithTags.self)
        page.value(read.tags)
        page.claim("the same colours come back, transparency included", read.tags == book.tags)
    }
}
