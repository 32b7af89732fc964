// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum ArraysChapter: Chapter {
    static let title = "Arrays, of strings and of custom types"

    static func tell(on page: Page) async throws {
        let books = Firestore.firestore().collection("books")

        let withGenre = BookWithGenre(
            title: "The Hitchhiker's Guide to the Galaxy", numberOfPages: 224, author: "Douglas Adams",
            genres: ["Sci-Fi", "Comedy"])
        try books.document("hitchhiker-genre").setData(from: withGenre)
        try await page.show(books.document("hitchhiker-genre"))
        let genres = try await books.document("hitchhiker-genre").getDocument(as: BookWithGenre.self).genres
        page.expect("[String] comes back", genres == withGenre.genres)

        typealias Tag = ArraysOfNestedTypes.Tag
        let withTags = ArraysOfNestedTypes.BookWithTags(
            title: "The Hitchhiker's Guide to the Galaxy", numberOfPages: 224, author: "Douglas Adams",
            tags: [Tag(title: "towels", color: "#00a0b0"), Tag(title: "improbable", color: "#cc333f")])
        try books.document("hitchhiker-tags").setData(from: withTags)
        try await page.show(books.document("hitchhiker-tags"))
        let read = try await books.document("hitchhiker-tags").getDocument(as: ArraysOfNestedTypes.BookWithTags.self)
        page.value(read)
        page.claim("genres are [String], tags are [Tag]", read.tags == withTags.tags)

        let comedies = try await books.whereField("genres", arrayContains: "Comedy").getDocuments()
        page.claim(
            "whereField(\"genres\", arrayContains: \"Comedy\") finds \(comedies.documents.map(\.documentID))",
            comedies.documents.map(\.documentID) == ["hitchhiker-genre"])
    }
}
