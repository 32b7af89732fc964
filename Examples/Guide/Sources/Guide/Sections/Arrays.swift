// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// Section "Arrays": any codable type may be an element.
public struct BookWithGenre: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String
    var genres: [String]
}

/// Tags whose colour is still plain text; the colour section replaces it.
public enum ArraysOfNestedTypes {
    public struct Tag: Codable, Hashable {
        var title: String
        var color: String
    }

    public struct BookWithTags: Codable {
        @DocumentID var id: String?
        var title: String
        var numberOfPages: Int
        var author: String
        var tags: [Tag]
    }
}
