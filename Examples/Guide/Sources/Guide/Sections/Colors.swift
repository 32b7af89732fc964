// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import SwiftUI

/// The colour section's models: tags that hold a `Color` instead of its text.
public struct Tag: Codable, Hashable {
    var title: String
    var color: Color
}

public struct BookWithTags: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String
    var tags: [Tag]
}

public struct ColorEntry: Codable, Identifiable {
    @DocumentID public var id: String?
    public var name: String
    public var color: Color

    public static var empty: ColorEntry { ColorEntry(name: "", color: .clear) }
}
