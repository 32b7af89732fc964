// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The types of the guide *Map Cloud Firestore data with Swift Codable*, as it shows them.
struct Book: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String

    static let empty = Book(title: "", numberOfPages: 0, author: "")
}

struct CoverImages: Codable {
    var small: URL
    var medium: URL
    var large: URL
}

struct BookWithCoverImages: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String
    var cover: CoverImages?
}

public struct BookWithGenre: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String
    var genres: [String]
}

struct Tag: Codable, Hashable {
    var title: String
    var color: Color
}

struct BookWithTags: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String
    var tags: [Tag]
}

struct ProgrammingLanguage: Identifiable, Codable {
    @DocumentID var id: String?
    var name: String
    var year: Date
    var reasonWhyILoveThis: String = ""

    enum CodingKeys: String, CodingKey {
        case id
        case name = "language_name"
        case year
    }
}

struct Office: Codable {
    @DocumentID var id: String?
    var name: String
    var location: GeoPoint
}

enum Status: String, Codable {
    case draft
    case inReview = "in review"
    case approved
    case published
}

struct Article: Codable {
    @DocumentID var id: String?
    var title: String
    var status: Status
}

struct ColorEntry: Codable {
    @DocumentID var id: String?
    var name: String
    var color: Color

    static let empty = ColorEntry(name: "", color: Color(.sRGB, red: 0, green: 0, blue: 0, opacity: 1))
}

extension Color {
    init(hex: String) {
        let digits = hex.drop { $0 == "#" }
        let value = UInt32(digits, radix: 16) ?? 0
        self.init(
            .sRGB,
            red: Double(value >> 24 & 0xFF) / 255,
            green: Double(value >> 16 & 0xFF) / 255,
            blue: Double(value >> 8 & 0xFF) / 255,
            opacity: Double(value & 0xFF) / 255)
    }

    var toHex: String? {
        let parts = [red, green, blue, opacity].map { part in
            let digits = String(Int((part * 255).rounded()), radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "#" + parts.joined()
    }
}

extension Color: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let hex = try container.decode(String.self)

        self.init(hex: hex)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(toHex)
    }
}
