// SPDX-License-Identifier: Apache-2.0
import Combine
import FirebaseFirestore
import Foundation
import Guide

/// The documents of the page's sections, each with the code of the guide that reads it.
@MainActor
final class Sections {
    private let manual = ManualMapping.MappingManuallyViewModel()
    private var subscriptions: [String: AnyCancellable] = [:]

    private(set) lazy var documents: [LiveDocument] = [
        .fetched("books/solaris") { [unowned self] report in
            observe(manual.$book, of: "books/solaris") { report.decoded(SwiftListing.describe($0, width: Report.width)) }
            manual.fetchBook(documentId: "solaris")
        },
        .mapped("books/left-hand", as: Book.self),
        .mapped("books/piranesi", as: BookWithCoverImages.self),
        .mapped("books/gideon", as: BookWithGenre.self),
        .mapped("books/all-systems-red", as: ArraysOfNestedTypes.BookWithTags.self),
        .mapped("articles/hearths", as: Article.self),
        .mapped("programming-languages/smalltalk", as: DatesAndTimes.ProgrammingLanguage.self),
        .mapped("locations/lisbon", as: Office.self) { [("coordinate", $0.place)] },
        .mapped("loans/1842", as: Loan.self),
        .mapped("books/earthsea", as: Book.self),
        .mapped("articles/today", as: DatesAndTimes.Article.self),
        .mapped("programming-languages/swift", as: ExcludingProperties.ProgrammingLanguage.self),
        .mapped("readers/grace", as: CustomizingTheMapping.Reader.self),
        .mapped("books/frankenstein", as: BookWithTags.self),
        fetchedWithErrors("hitchhiker") { $0.fetchAndMap() },
        fetchedWithErrors("invalid-data") { $0.fetchAndTryMappingInvalidData() },
        fetchedWithErrors("does-not-exist") { $0.fetchAndMapNonExisting() },
    ]

    /// Read by the view model of the section about errors.
    private func fetchedWithErrors(
        _ id: String, _ fetch: @escaping @MainActor (HandlingErrors.MappingSimpleTypesViewModel) -> Void
    ) -> LiveDocument {
        // One view model each: the answers for several documents would be mixed up.
        let model = HandlingErrors.MappingSimpleTypesViewModel()
        return .fetched("books/\(id)") { [unowned self] report in
            observe(model.$errorMessage, of: "books/\(id)") { message in
                if let message {
                    report.failed(with: message)
                } else {
                    report.decoded(SwiftListing.describe(model.book, width: Report.width))
                }
            }
            fetch(model)
        }
    }

    /// Calls with every value that the view model of a document sets.
    private func observe<Value>(
        _ property: Published<Value>.Publisher, of path: String, _ body: @escaping @MainActor (Value) -> Void
    ) {
        guard subscriptions[path] == nil else { return }
        subscriptions[path] = property.dropFirst().sink { value in MainActor.assumeIsolated { body(value) } }
    }
}
