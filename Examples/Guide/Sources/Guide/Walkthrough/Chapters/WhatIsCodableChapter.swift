// SPDX-License-Identifier: Apache-2.0
import Foundation

enum WhatIsCodableChapter: Chapter {
    static let title = "What is Codable: the same types as JSON"

    static func tell(on page: Page) async throws {
        guard let data = WhatIsCodable.encodedBook() else {
            page.expect("JSONEncoder encodes the book", false)
            return
        }
        page.line(String(decoding: data, as: UTF8.self))
        let book = try WhatIsCodable.decodedBook(from: data)
        page.value(book)
        page.expect("JSON round trip", book.numberOfPages == 286)

        let stored = Book(id: "left-hand", title: book.title, numberOfPages: 286, author: book.author)
        let copy = try JSONDecoder().decode(Book.self, from: JSONEncoder().encode(stored))
        page.claim("a model with @DocumentID goes through JSON too, its id a plain string", copy.id == "left-hand")
    }
}
