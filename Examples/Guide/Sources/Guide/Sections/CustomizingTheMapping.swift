// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Section "Customizing the mapping".
public enum CustomizingTheMapping {
    /// A field that has another name in the document than in Swift.
    public struct ProgrammingLanguage: Codable {
        @DocumentID var id: String?
        var name: String
        var year: Date

        enum CodingKeys: String, CodingKey {
            case id
            case name = "language_name"
            case year
        }
    }

    /// Optionals that are missing in the document, and ones that are stored as null.
    public struct Reader: Codable {
        @DocumentID var id: String?
        var name: String
        var nickname: String?
        @ExplicitNull var favouriteLanguage: String?
    }
}

/// A property that `CodingKeys` leave out is neither written nor read.
public enum ExcludingProperties {
    public struct ProgrammingLanguage: Identifiable, Codable {
        @DocumentID public var id: String?
        var name: String
        var year: Date
        var reasonWhyILoveThis: String = ""

        enum CodingKeys: String, CodingKey {
            case id
            case name = "language_name"
            case year
        }
    }
}
