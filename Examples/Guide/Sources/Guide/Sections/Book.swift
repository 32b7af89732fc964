// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// The guide's model: three fields and the id of the document they came from.
public struct Book: Codable {
    @DocumentID public var id: String?
    public var title: String
    public var numberOfPages: Int
    public var author: String

    public init(id: String? = nil, title: String, numberOfPages: Int, author: String) {
        self.id = id
        self.title = title
        self.numberOfPages = numberOfPages
        self.author = author
    }
}

extension Book {
    public static var empty: Book { Book(title: "", numberOfPages: 0, author: "") }
}
