// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

@testable import Guide

/// Every section of the guide, without output, on one in-memory database.
@MainActor
@Suite(.serialized)
struct ChapterTests {
    init() {
        SharedDatabase.use()
    }

    @Test(arguments: 0..<Walkthrough.chapters.count)
    func `every claim of a chapter holds`(index: Int) async throws {
        // The error chapter maps the book that earlier chapters store.
        let book = Book(title: "The Hitchhiker's Guide to the Galaxy", numberOfPages: 224, author: "Douglas Adams")
        try Firestore.firestore().collection("books").document("hitchhiker").setData(from: book)

        var output: [String] = []
        let page = Page { output.append($0) }
        await Walkthrough.run(Walkthrough.chapters[index], on: page)
        #expect(page.failures.isEmpty, "\(output.joined(separator: "\n"))")
        #expect(page.claims > 0)
    }

    @Test func `the printed form of the live-update section works when the type asked for is optional`() async throws {
        let colors = Firestore.firestore().collection("printed-form")
        try colors.document("teal").setData(from: ColorEntry(name: "Teal", color: .init(hex: "#008080")))
        let snapshot = try await colors.getDocuments()
        let entries: [ColorEntry] = snapshot.documents.compactMap { queryDocumentSnapshot in
            let result = Result { try queryDocumentSnapshot.data(as: ColorEntry?.self) }
            switch result {
            case .success(let colorEntry):
                if let colorEntry = colorEntry { return colorEntry } else { return nil }
            case .failure: return nil
            }
        }
        #expect(entries.map(\.name) == ["Teal"])
    }
}

/// The default instance may be configured once only, however many suites use it.
@MainActor
enum SharedDatabase {
    private static let configured: Void = GuidePlace.memory.use()

    static func use() { configured }
}
