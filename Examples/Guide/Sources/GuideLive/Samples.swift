// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// The documents that the sections begin with. The page has the same file, in the REST form of values.
struct Samples {
    private let documents: [String: [String: Any]]

    init() throws {
        guard let file = Bundle.module.url(forResource: "samples", withExtension: "json"),
            let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [String: [String: Any]]]
        else { throw CocoaError(.fileReadCorruptFile) }
        documents = try all.mapValues { try $0.mapValues(Self.value) }
    }

    /// Writes those that do not exist; edited ones stay as they are.
    func writeMissing(to db: Firestore) async throws {
        for (path, fields) in documents.sorted(by: { $0.key < $1.key }) {
            let document = db.document(path)
            guard try await !document.getDocument(source: .server).exists else { continue }
            try await document.setData(fields)
        }
    }

    private static func value(_ typed: [String: Any]) throws -> Any {
        guard let (type, content) = typed.first else { throw CocoaError(.fileReadCorruptFile) }
        let map = content as? [String: Any]
        switch (type, content) {
        case ("stringValue", let text as String): return text
        case ("integerValue", let text as String): return Int64(text) ?? 0
        case ("nullValue", _): return NSNull()
        case ("timestampValue", let text as String): return Timestamp(date: try Date(text, strategy: .iso8601))
        case ("referenceValue", let path as String): return Firestore.firestore().document(path)
        case ("geoPointValue", _):
            return GeoPoint(latitude: map?["latitude"] as? Double ?? 0, longitude: map?["longitude"] as? Double ?? 0)
        case ("arrayValue", _): return try (map?["values"] as? [[String: Any]] ?? []).map(value)
        case ("mapValue", _): return try (map?["fields"] as? [String: [String: Any]] ?? [:]).mapValues(value)
        default: throw CocoaError(.fileReadCorruptFile)
        }
    }
}
