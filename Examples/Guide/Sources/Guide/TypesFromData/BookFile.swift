// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The example's shelf of books, as `hearth export` writes documents. `StoredBook` was made from this file.
enum BookFile {
    struct NotFound: Error {}
    struct Misread: Error {}

    /// The documents, by their ids.
    static func read() throws -> [String: [String: Any]] {
        guard let url = Bundle.module.url(forResource: "books", withExtension: "jsonl") else { throw NotFound() }
        var books: [String: [String: Any]] = [:]
        for line in try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) {
            guard let book = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                let id = (book["path"] as? String)?.split(separator: "/").last,
                let fields = try stored(book["fields"] ?? NSNull()) as? [String: Any]
            else { throw Misread() }
            books[String(id)] = fields
        }
        return books
    }

    static func load(into collection: CollectionReference) async throws {
        let batch = collection.firestore.batch()
        for (id, fields) in try read() { batch.setData(fields, forDocument: collection.document(id)) }
        try await batch.commit()
    }

    /// JSON's values, and moments: `{"$timestamp": "2024-03-02T10:15:00Z"}`.
    private static func stored(_ value: Any) throws -> Any {
        switch value {
        case let map as [String: Any]:
            guard let text = map["$timestamp"] as? String else { return try map.mapValues(stored) }
            let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return Timestamp(date: try (try? fraction.parse(text)) ?? Date.ISO8601FormatStyle().parse(text))
        case let list as [Any]: return try list.map(stored)
        default: return value
        }
    }
}
