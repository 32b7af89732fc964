// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum ManualMappingChapter: Chapter {
    static let title = "Mapping data by hand"

    static func tell(on page: Page) async throws {
        let document = Firestore.firestore().collection("books").document("hitchhiker")
        try await document.setData([
            "title": "The Hitchhiker's Guide to the Galaxy", "numberOfPages": 224, "author": "Douglas Adams",
        ])
        try await page.show(document)

        let viewModel = ManualMapping.MappingManuallyViewModel()
        viewModel.fetchBook(documentId: "hitchhiker")
        try await page.wait(for: "the book") { viewModel.book.id != nil || viewModel.errorMessage != nil }
        page.value(viewModel.book)
        page.claim("data?[\"numberOfPages\"] as? Int gives the integer", viewModel.book.numberOfPages == 224)
        page.expect("the other fields arrive", viewModel.book.author == "Douglas Adams")
        page.expect("the id is the document's", viewModel.book.id == "hitchhiker")

        try await document.updateData(["numberOfPages": "224"])
        let second = ManualMapping.MappingManuallyViewModel()
        second.fetchBook(documentId: "hitchhiker")
        try await page.wait(for: "the book with a wrong type") { second.book.id != nil }
        page.claim(
            "a page count stored as a string silently becomes \(second.book.numberOfPages): why the guide says not to",
            second.book.numberOfPages == 0 && second.errorMessage == nil)
    }
}
