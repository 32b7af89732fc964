// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// The guide's types, through the coders, the database and back.
struct RoundTripTests {
    struct Publisher: Codable, Equatable {
        var name: String
        var site: URL?
        var founded: Int
    }

    struct Book: Codable, Equatable {
        @DocumentID var id: String?
        var title: String
        var numberOfPages: Int
        var author: String
        var genres: [String]
        var publisher: Publisher?
        var ratings: [String: Double]
        var published: Date
        var home: GeoPoint
        @ServerTimestamp var addedAt: Date?
        @ExplicitNull var translator: String?
    }

    private let book = Book(
        title: "Dune", numberOfPages: 412, author: "Frank Herbert", genres: ["Sci-Fi", "Classic"],
        publisher: Publisher(name: "Chilton", site: URL(string: "https://example.com/a"), founded: 1834),
        ratings: ["anna": 4.5, "ben": 5], published: Date(timeIntervalSince1970: -139_968_000),
        home: GeoPoint(latitude: 47.25, longitude: -122.5))

    @Test func `a book survives the database`() async throws {
        let db = Scratch.firestore()
        let reference = db.collection("books").document("dune")
        try reference.setData(from: book)
        try await db.waitForPendingWrites()
        let read = try await reference.getDocument(as: Book.self)
        var expected = book
        expected.id = "dune"
        expected.addedAt = read.addedAt
        #expect(read == expected)
        #expect(read.addedAt != nil)
        let data = try await reference.getDocument().data()
        #expect(data?["translator"] is NSNull)
        #expect(data?["id"] == nil)
        #expect(data?["numberOfPages"] as? Int == 412)
    }

    @Test func `a dictionary of the encoder decodes to the same value`() throws {
        let db = Scratch.firestore()
        var dictionary = try Firestore.Encoder().encode(book)
        #expect(dictionary["addedAt"] is FieldValue)
        dictionary["addedAt"] = Timestamp(seconds: 5, nanoseconds: 0)
        let read = try Firestore.Decoder().decode(Book.self, from: dictionary, in: db.document("books/b1"))
        #expect(read.id == "b1")
        #expect(read.publisher == book.publisher)
        #expect(read.addedAt == Date(timeIntervalSince1970: 5))
    }
}
