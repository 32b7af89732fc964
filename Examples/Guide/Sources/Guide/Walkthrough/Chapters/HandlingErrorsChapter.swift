// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

enum HandlingErrorsChapter: Chapter {
    static let title = "Handling errors"

    static func tell(on page: Page) async throws {
        let books = Firestore.firestore().collection("books")
        let damaged: [(id: String, fields: [String: Any])] = [
            ("invalid-data", ["title": "Middlemarch", "numberOfPages": "about 800", "author": "George Eliot"]),
            ("missing-field", ["title": "Middlemarch", "numberOfPages": 880]),
            ("null-field", ["title": NSNull(), "numberOfPages": 880, "author": "George Eliot"]),
            ("half-a-page", ["title": "Middlemarch", "numberOfPages": 880.5, "author": "George Eliot"]),
        ]
        for document in damaged { try await books.document(document.id).setData(document.fields) }

        let viewModel = HandlingErrors.MappingSimpleTypesViewModel()
        viewModel.fetchAndMap()
        try await page.wait(for: "the book") { viewModel.book.id != nil || viewModel.errorMessage != nil }
        page.value(viewModel.book)
        page.claim("an existing document: no error", viewModel.errorMessage == nil && viewModel.book.id == "hitchhiker")

        typealias ViewModel = HandlingErrors.MappingSimpleTypesViewModel
        let attempts: [(label: String, fetch: (ViewModel) -> () -> Void, mentions: [String])] = [
            ("a document that is not there", ViewModel.fetchAndMapNonExisting, ["books/does-not-exist"]),
            (
                "a string where a number should be", ViewModel.fetchAndTryMappingInvalidData,
                ["books/invalid-data", "numberOfPages", "string", "Int"]
            ),
            ("a field that is missing", ViewModel.fetchAndTryMappingMissingField, ["books/missing-field", "author"]),
            ("null where a title should be", ViewModel.fetchAndTryMappingNullField, ["books/null-field", "title", "null"]),
            (
                "a number that is not whole", ViewModel.fetchAndTryMappingUnsuitableNumber,
                ["books/half-a-page", "numberOfPages", "Int"]
            ),
        ]
        for attempt in attempts {
            let viewModel = ViewModel()
            attempt.fetch(viewModel)()
            try await page.wait(for: attempt.label) { viewModel.errorMessage != nil || viewModel.book.id != nil }
            let message = viewModel.errorMessage ?? ""
            page.line("\(attempt.label):")
            page.error(message)
            page.expect(
                "the message about \(attempt.label) names \(attempt.mentions.joined(separator: ", "))",
                attempt.mentions.allSatisfy(message.contains))
        }
        page.claim("each message names the document, the field, what is stored and what was expected", page.failures.isEmpty)
    }
}
