// SPDX-License-Identifier: Apache-2.0
// Written by `hearth types shelf --name StoredBook --fields --from books.jsonl`.
// shelf: 6 documents read, all.
import FirebaseFirestore
import FirestoreModels
import Foundation

struct StoredBook: Codable {
    @DocumentID var id: String?
    var acquired: Date
    var author: String
    // in 2 of 6
    var cover: Cover?
    var genres: [String]
    var numberOfPages: Int
    // in 2 of 6
    var rating: Double?
    // in 2 of 6
    var tags: [Tag]?
    var title: String
    // null in 1, missing in 4; writing back turns null into missing
    var translator: String?

    struct Cover: Codable {
        var large: URL
        var small: URL

        enum CodingKeys: String, CodingKey {
            case large
            case small
        }

        struct Fields: Sendable {
            let large = ModelField<Cover, URL, FieldKind.Required>(CodingKeys.large)
            let small = ModelField<Cover, URL, FieldKind.Required>(CodingKeys.small)
        }
        static let fields = Fields()
    }

    struct Tag: Codable {
        // colours in hexadecimal
        var color: String
        var title: String

        enum CodingKeys: String, CodingKey {
            case color
            case title
        }

        struct Fields: Sendable {
            let color = ModelField<Tag, String, FieldKind.Required>(CodingKeys.color)
            let title = ModelField<Tag, String, FieldKind.Required>(CodingKeys.title)
        }
        static let fields = Fields()
    }

    enum CodingKeys: String, CodingKey {
        case id
        case acquired
        case author
        case cover
        case genres
        case numberOfPages
        case rating
        case tags
        case title
        case translator
    }

    struct Fields: Sendable {
        let id = ModelField<StoredBook, String, FieldKind.DocumentID>.documentID
        let acquired = ModelField<StoredBook, Date, FieldKind.Required>(CodingKeys.acquired)
        let author = ModelField<StoredBook, String, FieldKind.Required>(CodingKeys.author)
        let cover = ModelField<StoredBook, Cover, FieldKind.Optional>(CodingKeys.cover)
        let genres = ModelField<StoredBook, [String], FieldKind.Required>(CodingKeys.genres)
        let numberOfPages = ModelField<StoredBook, Int, FieldKind.Required>(CodingKeys.numberOfPages)
        let rating = ModelField<StoredBook, Double, FieldKind.Optional>(CodingKeys.rating)
        let tags = ModelField<StoredBook, [Tag], FieldKind.Optional>(CodingKeys.tags)
        let title = ModelField<StoredBook, String, FieldKind.Required>(CodingKeys.title)
        let translator = ModelField<StoredBook, String, FieldKind.Optional>(CodingKeys.translator)
    }
    static let fields = Fields()
}

extension StoredBook: FirestoreModel {}
extension StoredBook.Cover: FirestoreModel {}
extension StoredBook.Tag: FirestoreModel {}
