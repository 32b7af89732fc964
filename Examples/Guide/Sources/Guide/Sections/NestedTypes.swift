// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Section "Nested custom types": a struct in a struct is a map in a document, a URL is a string.
public struct CoverImages: Codable {
    var small: URL
    var medium: URL
    var large: URL
}

public struct BookWithCoverImages: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String
    var cover: CoverImages?
}
