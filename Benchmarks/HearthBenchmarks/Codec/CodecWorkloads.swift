// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The types of the codec cases, as the benchmark workloads describe them.
struct Book4: Codable {
    var id: String
    var title: String
    var numberOfPages: Int
    var author: String

    static let sample = Book4(id: "bk-000001", title: "SwiftUI & Combine", numberOfPages: 350, author: "Peter Friese")
}

/// `Book4` with the id where it belongs.
struct Book4ID: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String

    static let sample = Book4ID(title: "SwiftUI & Combine", numberOfPages: 350, author: "Peter Friese")
}

struct BookTags: Codable {
    struct Tag: Codable {
        var title: String
        var color: String
        var priority: Int
    }

    struct Publisher: Codable {
        var name: String
        var city: String
        var founded: Int
        var active: Bool
    }

    var title: String
    var pages: Int
    var author: String
    var tags: [Tag]
    var publisher: Publisher

    static let sample = BookTags(
        title: "SwiftUI & Combine", pages: 350, author: "Peter Friese",
        tags: (0..<10).map { Tag(title: "tag number \($0)", color: "#00FF0\($0)", priority: $0) },
        publisher: Publisher(name: "Fjord Press", city: "Hamburg", founded: 1977, active: true))
}

struct Doubles1000: Codable {
    var values: [Double]

    static let sample = Doubles1000(values: (0..<1_000).map { Double($0) * 1.000123 + 0.1 })
}
