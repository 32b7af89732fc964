// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// The `Book4ID` workload as a stored document, with the mapping one would write by hand.
struct StoredBook: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "bk-" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    init(number: Int) {
        title = "SwiftUI & Combine"
        numberOfPages = 350
        author = "Peter Friese"
    }

    /// The hand-written mapping: knows the fields and their order, checks nothing else.
    init(id: String, bytes: UnsafeRawBufferPointer) {
        var fields = FieldsView(bytes).makeIterator()
        author = fields.next()?.value.string ?? ""
        numberOfPages = Int(fields.next()?.value.integer ?? 0)
        title = fields.next()?.value.string ?? ""
        self.id = id
    }

    /// The bytes Hearth stores for it.
    var storedFields: Data {
        let map = FieldMap([
            ("title", .string(title)), ("numberOfPages", .integer(Int64(numberOfPages))), ("author", .string(author)),
        ])
        return FieldBytes(map).bytes.withUnsafeBytes { Data($0) }
    }
}

/// The `D1` workload: about 1 KB in ten strings, a group, a shuffled number and a flag.
struct Document1KB: Codable {
    var strings: [String]
    var grp: Int
    var n: Int
    var flag: Bool

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "doc" + String(repeating: "0", count: 7 - digits.count) + digits
    }

    /// `n` is a shuffle of 0..<count: 7,919 is prime and divides no power of ten.
    init(number: Int, of count: Int) {
        self.init(number: number)
        n = number * 7_919 % count
    }

    init(number: Int) {
        strings = (0..<10).map { column in
            let text = "value-\(number)-\(column)-"
            return text + String(repeating: "x", count: 90 - text.utf8.count)
        }
        grp = number % 100
        // A fixed shuffle: 7,919 is prime.
        n = number * 7_919 % 100_003
        flag = number % 2 == 0
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        strings = try (0..<10).map { try container.decode(String.self, forKey: Key(stringValue: "f\($0)")) }
        grp = try container.decode(Int.self, forKey: Key(stringValue: "grp"))
        n = try container.decode(Int.self, forKey: Key(stringValue: "n"))
        flag = try container.decode(Bool.self, forKey: Key(stringValue: "flag"))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (column, string) in strings.enumerated() {
            try container.encode(string, forKey: Key(stringValue: "f\(column)"))
        }
        try container.encode(grp, forKey: Key(stringValue: "grp"))
        try container.encode(n, forKey: Key(stringValue: "n"))
        try container.encode(flag, forKey: Key(stringValue: "flag"))
    }

    /// The bytes Hearth stores for it.
    func storedFields() throws -> Data { fields.bytes.withUnsafeBytes { Data($0) } }

    var fields: FieldBytes {
        var map = FieldMap([("grp", .integer(Int64(grp))), ("n", .integer(Int64(n))), ("flag", .boolean(flag))])
        for (column, string) in strings.enumerated() { map["f\(column)"] = .string(string) }
        return FieldBytes(map)
    }
}
