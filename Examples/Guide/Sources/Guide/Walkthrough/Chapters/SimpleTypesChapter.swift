// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum SimpleTypesChapter: Chapter {
    static let title = "Simple types: one line each way"

    static func tell(on page: Page) async throws {
        let books = Firestore.firestore().collection("books")
        let viewModel = SimpleTypes.MappingSimpleTypesViewModel()

        let book = Book(
            id: "hitchhiker", title: "The Hitchhiker's Guide to the Galaxy", numberOfPages: 224,
            author: "Douglas Adams")
        page.value(book)
        viewModel.updateBook(book: book)
        let fields = try await page.show(books.document("hitchhiker"))
        page.claim("setData(from:) stores three fields; the id is the document's name, not a field",
            fields?.count == 3 && fields?["id"] == nil)

        viewModel.fetchBook(documentId: "hitchhiker")
        try await page.wait(for: "data(as:)") { viewModel.book.id != nil || viewModel.errorMessage != nil }
        page.claim("document.data(as: Book.self) gives it back",
            viewModel.book.title == book.title && viewModel.book.id == "hitchhiker")

        let second = SimpleTypes.MappingSimpleTypesViewModel()
        second.fetchBookAsResult(documentId: "hitchhiker")
        try await page.wait(for: "getDocument(as:)") { second.book.id != nil || second.errorMessage != nil }
        page.expect("getDocument(as:) with a Result", second.book.numberOfPages == 224)

        let third = SimpleTypes.AsyncBookViewModel()
        try await third.fetchBook(documentId: "hitchhiker")
        page.claim("so do getDocument(as:) with a Result and with await", third.book?.author == "Douglas Adams")

        second.book = Book(title: "The Dispossessed", numberOfPages: 341, author: "Ursula K. Le Guin")
        second.addBook(book: second.book)
        let path = second.newDocumentPath ?? ""
        page.line("addDocument(from:) named the new document \(path)")
        let added = try await Firestore.firestore().document(path).getDocument(as: Book.self)
        page.value(added)
        page.claim("it can be read at once", added.title == "The Dispossessed" && path.hasPrefix("books/"))

        let missing = try await books.document("does-not-exist").getDocument(as: Book?.self)
        page.claim("getDocument(as: Book?.self) of a document that is not there is nil", missing == nil)
    }
}
