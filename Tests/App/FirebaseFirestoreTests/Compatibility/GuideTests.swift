// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// The guide *Map Cloud Firestore data with Swift Codable*, run: every section.
///
/// As in an app, view models live on the main actor and are called back on the main queue.
@Suite @MainActor struct GuideTests {
    let db = Scratch.firestore(callbacks: .main)

    private func seed() async throws {
        let books = db.collection("books")
        try await books.document("hitchhiker").setData([
            "title": "The Hitchhiker's Guide to the Galaxy", "numberOfPages": 816, "author": "Douglas Adams",
        ])
        try await books.document("invalid-data").setData(["title": 42, "numberOfPages": "lots", "author": true])
    }

    /// Runs a view model's method to its end.
    private func run(
        _ start: (MappingSimpleTypesViewModel, @escaping () -> Void) -> Void
    ) async -> (title: String, pages: Int, message: String?) {
        await completion { done in
            let model = MappingSimpleTypesViewModel(db: db)
            start(model) { done((model.book.title, model.book.numberOfPages, model.errorMessage)) }
        }
    }

    @Test func `manual mapping, data(as:) and getDocument(as:) all read the book`() async throws {
        try await seed()
        let manual = await run { $0.fetchManually(documentId: "hitchhiker", done: $1) }
        let decoded = await run { $0.fetchAndDecode(documentId: "hitchhiker", done: $1) }
        let direct = await run { $0.fetchAndMap("hitchhiker", done: $1) }
        for result in [manual, decoded, direct] {
            #expect(result.title == "The Hitchhiker's Guide to the Galaxy")
            #expect(result.pages == 816)
            #expect(result.message == nil)
        }
    }

    @Test func `a missing and a wrongly typed document give messages that say where`() async throws {
        try await seed()
        let missing = await run { $0.fetchAndMap("does-not-exist", done: $1) }
        #expect(missing.message?.contains("books/does-not-exist") == true, "\(missing)")
        let invalid = await run { $0.fetchAndMap("invalid-data", done: $1) }
        #expect(invalid.message?.contains("books/invalid-data") == true, "\(invalid)")
    }

    @Test func `updating and adding books`() async throws {
        let model = MappingSimpleTypesViewModel(db: db)
        model.updateBook(book: Book(id: "one", title: "One", numberOfPages: 1, author: "A"))
        #expect(model.errorMessage == nil)
        #expect(try await db.document("books/one").getDocument(as: Book.self).title == "One")
        model.addBook(book: .empty)
        #expect(model.errorMessage?.contains("Book stored with new document reference") == true)
        #expect(try await db.collection("books").getDocuments().count == 2)
    }

    @Test func `nested types, arrays, dates, points, enums and coding keys`() async throws {
        let books = db.collection("books")
        let url = try #require(URL(string: "https://example.com/cover.png"))
        let cover = CoverImages(small: url, medium: url, large: url)
        let withCover = try books.addDocument(
            from: BookWithCoverImages(title: "T", numberOfPages: 1, author: "A", cover: cover))
        #expect(try await withCover.getDocument()["cover.small"] as? String == "https://example.com/cover.png")
        #expect(try await withCover.getDocument(as: BookWithCoverImages.self).cover?.large == url)
        let genres = try books.addDocument(
            from: BookWithGenre(title: "T", numberOfPages: 1, author: "A", genres: ["Sci-Fi", "Comedy"]))
        #expect(try await genres.getDocument(as: BookWithGenre.self).genres == ["Sci-Fi", "Comedy"])

        let red = Color(.sRGB, red: 1, green: 0, blue: 0, opacity: 0.2)
        let tags = try books.addDocument(
            from: BookWithTags(title: "T", numberOfPages: 1, author: "A", tags: [Tag(title: "sci", color: red)]))
        #expect(((try await tags.getDocument()["tags"] as? [[String: Any]])?.first?["color"] as? String) == "#FF000033")
        #expect(try await tags.getDocument(as: BookWithTags.self).tags == [Tag(title: "sci", color: red)])

        let year = Date(timeIntervalSince1970: -4_007_664_000)
        let ada = try db.collection("programming-languages").addDocument(
            from: ProgrammingLanguage(name: "Ada", year: year, reasonWhyILoveThis: "types"))
        let stored = try await ada.getDocument()
        #expect(stored["language_name"] as? String == "Ada")
        #expect(stored["year"] as? Timestamp == Timestamp(date: year))
        #expect(stored["reasonWhyILoveThis"] == nil && stored["id"] == nil)
        let language = try stored.data(as: ProgrammingLanguage.self)
        #expect(language.id == ada.documentID && language.year == year && language.reasonWhyILoveThis == "")

        let office = try db.collection("locations").addDocument(
            from: Office(name: "HQ", location: GeoPoint(latitude: 37.4, longitude: -122.1)))
        let read = try await office.getDocument(as: Office.self)
        let coordinate = CLLocationCoordinate2D(latitude: read.location.latitude, longitude: read.location.longitude)
        #expect(coordinate == CLLocationCoordinate2D(latitude: 37.4, longitude: -122.1))

        let article = try db.collection("articles").addDocument(from: Article(title: "T", status: .inReview))
        #expect(try await article.getDocument()["status"] as? String == "in review")
        #expect(try await article.getDocument(as: Article.self).status == .inReview)
    }

    @Test func `live updates map what decodes and report what does not`() async throws {
        let states = Collector<(names: [String], message: String?)>()
        let model = MappingColorsViewModel(db: db)
        model.onChange = { entries, message in states.append((entries.map(\.name), message)) }
        model.subscribe()
        _ = await states.first(1)
        model.addColorEntry()
        _ = await states.elements { $0.last?.names == [""] }
        // Last in the result: a document that decodes after it would clear the message, as the guide writes it.
        try await db.document("colors/zzzzzzzzzzzzzzzzzzzzz").setData(["name": 7])
        let last = await states.elements { $0.last?.message != nil }.last
        #expect(last?.names == [""])
        #expect(last?.message?.contains("colors/zzzzzzzzzzzzzzzzzzzzz") == true)
        model.unsubscribe()
    }
}
