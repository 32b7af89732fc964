// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import Foundation
import Testing

/// Defaults for missing fields (MP-60 … MP-64).
@Suite struct DefaultTests {
    enum Status: String, Codable, Hashable {
        case open, done
        enum Fallback: DefaultSource { static var value: Status { .open } }
    }

    enum Seven: DefaultSource { static var value: Int? { 7 } }

    struct Book: Codable, Hashable {
        @DefaultZero var n: Int
        @DefaultEmpty var name: String
        @DefaultEmpty var tags: [String]
        @DefaultEmpty var prices: [String: Double]
        @DefaultFalse var isSold: Bool
        @DefaultTrue var isNew: Bool
        @Default<Status.Fallback> var status: Status
        @Default<Seven> var rating: Int?
    }

    struct Strict: Codable {
        @DefaultStrict<DefaultValue.Zero<Int>> var n: Int
    }

    struct Omitted: Codable {
        @DefaultOmitted<DefaultValue.Zero<Int>> var n: Int
        @DefaultOmitted<Seven> var rating: Int?
    }

    // MP row D1, MP-61
    @Test func `missing fields are the defaults`() throws {
        let book = try Firestore.Decoder().decode(Book.self, from: [String: Any]())
        #expect(book == Book(n: 0, name: "", tags: [], prices: [:], isSold: false, isNew: true, status: .open, rating: 7))
    }

    // MP row D2, MP-61, MP-64
    @Test func `null is the default too, but nil for an optional and an error where it is strict`() throws {
        let nulls: [String: Any] = ["n": NSNull(), "tags": NSNull(), "isNew": NSNull(), "rating": NSNull(), "status": NSNull()]
        let book = try Firestore.Decoder().decode(Book.self, from: nulls)
        #expect(book.n == 0 && book.tags == [] && book.isNew && book.rating == nil && book.status == .open)
        #expect(try Firestore.Decoder().decode(Strict.self, from: [String: Any]()).n == 0)
        #expect(throws: DecodingError.self) { try Firestore.Decoder().decode(Strict.self, from: ["n": NSNull()]) }
        #expect(try Firestore.Decoder().decode(Omitted.self, from: ["n": NSNull(), "rating": NSNull()]).n == 0)
    }

    // MP row D3, MP-60
    @Test func `a default hides no wrong type`() throws {
        for data in [["n": "x"], ["tags": "x"], ["tags": [1]], ["status": "lost"], ["isNew": 1]] as [[String: Any]] {
            #expect(throws: DecodingError.self, "\(data.keys)") { try Firestore.Decoder().decode(Book.self, from: data) }
        }
    }

    // MP row D4, MP-63
    @Test(arguments: ["{}", #"{"n":null,"tags":null,"status":null}"#])
    func `JSONDecoder gives the same`(json: String) throws {
        let book = try JSONDecoder().decode(Book.self, from: Data(json.utf8))
        #expect(book == Book(n: 0, name: "", tags: [], prices: [:], isSold: false, isNew: true, status: .open, rating: 7))
        #expect(try JSONDecoder().decode(Book.self, from: Data(#"{"rating":null}"#.utf8)).rating == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Book.self, from: Data(#"{"n":"x"}"#.utf8)) }
        #expect(try JSONDecoder().decode(Strict.self, from: Data("{}".utf8)).n == 0)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Strict.self, from: Data(#"{"n":null}"#.utf8)) }
    }

    /// A type whose wrappers generic code decodes, so that the overloads are not called.
    struct Pair<First: Codable, Second: Codable>: Codable {
        var first: First
        var second: Second
    }

    // MP-63
    @Test func `generic code calls the decoder itself, which accepts missing fields`() throws {
        typealias Wrapped = Pair<Default<DefaultValue.Zero<Int>>, LossyOptional<URL>>
        let missing = try Firestore.Decoder().decode(Wrapped.self, from: [String: Any]())
        #expect(missing.first.wrappedValue == 0 && missing.second.wrappedValue == nil)
        let null = try Firestore.Decoder().decode(Wrapped.self, from: ["first": NSNull(), "second": ""])
        #expect(null.first.wrappedValue == 0 && null.second.failures.count == 1)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Wrapped.self, from: Data("{}".utf8)) }
    }

    // MP-62
    @Test func `values are written, except omitted defaults`() throws {
        let stored = try Firestore.Encoder().encode(try Firestore.Decoder().decode(Book.self, from: [String: Any]()))
        #expect(stored["n"] as? Int == 0 && stored["isNew"] as? Bool == true && stored["status"] as? String == "open")
        #expect(Set(stored.keys) == ["n", "name", "tags", "prices", "isSold", "isNew", "status", "rating"])
        #expect(try Firestore.Encoder().encode(Omitted(n: 0, rating: 7)).isEmpty)
        #expect(try Firestore.Encoder().encode(Omitted(n: 1, rating: nil)).keys.sorted() == ["n", "rating"])
        #expect(try JSONEncoder().encode(Omitted(n: 0, rating: 7)) == Data("{}".utf8))
    }

    struct WithInitial: Codable {
        @DefaultZero var stars = 0
        var title: String
    }

    // MP-61
    @Test func `memberwise initializers take the values`() {
        #expect(WithInitial(title: "x").stars == 0)
        #expect(WithInitial(stars: 3, title: "x").stars == 3)
    }

    struct Optionals: Codable {
        @ExplicitNull var a: String?
        @ServerTimestamp var b: Date?
        @DocumentID var id: String?
        @Default<Seven> var c: Int?
        @LossyArray var d: [Int]
    }

    // MP-64
    @Test func `wrappers combine as the table says`() throws {
        let missing = try JSONDecoder().decode(Optionals.self, from: Data("{}".utf8))
        #expect(missing.a == nil && missing.b == nil && missing.id == nil && missing.c == 7 && missing.d == [])
        let null = try JSONDecoder().decode(Optionals.self, from: Data(#"{"a":null,"b":null,"c":null,"d":null}"#.utf8))
        #expect(null.a == nil && null.b == nil && null.c == nil && null.d == [])
    }
}
