// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum DocumentIDsChapter: Chapter {
    static let title = "Document ids"

    static func tell(on page: Page) async throws {
        let document = Firestore.firestore().collection("books").document("earthsea")
        let book = Book(id: "another-id", title: "A Wizard of Earthsea", numberOfPages: 205, author: "Ursula K. Le Guin")
        page.value(book)
        try document.setData(from: book)
        let fields = try await page.show(document)
        page.claim("@DocumentID is not written", fields?["id"] == nil)

        var read = try await document.getDocument(as: Book.self)
        page.value(read)
        page.claim("reading fills it with the document's own id", read.id == "earthsea")

        read.numberOfPages = 183
        if let id = read.id { try Firestore.firestore().collection("books").document(id).setData(from: read) }
        let again = try await document.getDocument(as: Book.self)
        page.claim("so a changed value knows where it belongs", again.numberOfPages == 183)
    }
}
