// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

// snippet: model and table of fields
struct Peak: Codable {
    @DocumentID var id: String?
    var name: String
    var height: Int
    var nickname: String?
    var tags: [String]
    @ServerTimestamp var updatedAt: Date?
}

// snippet: table of fields
extension Peak: FirestoreModel {
    struct Fields: Sendable {
        let id = ModelField<Peak, String, FieldKind.DocumentID>.documentID
        let name = ModelField<Peak, String, FieldKind.Required>(CodingKeys.name)
        let height = ModelField<Peak, Int, FieldKind.Required>(CodingKeys.height)
        let nickname = ModelField<Peak, String, FieldKind.Optional>(CodingKeys.nickname)
        let tags = ModelField<Peak, [String], FieldKind.Required>(CodingKeys.tags)
        let updatedAt = ModelField<Peak, Date, FieldKind.ServerTimestamp>(CodingKeys.updatedAt)
    }
    static let fields = Fields()
}
// end snippet
// end snippet

/// The code of docs/guides/mapping-fields.md and of the article of FirestoreModels.
struct TypedFieldSnippets {
    let db: Firestore

    init() throws { db = try TestFirestore().firestore }

    @Test func queries() async throws {
        try await db.document("peaks/zugspitze", of: Peak.self).set(Peak(name: "Zugspitze", height: 3_001, tags: ["alps"]))
        // snippet: typed query
        let peaks = db.collection("peaks", of: Peak.self)
        let high = peaks.where { $0.height > 3_000 && $0.tags.contains("alps") }
            .order(by: \.height, descending: true)
            .limit(to: 20)
        let page = try await high.get()
        print(page.values.map(\.name), page.failures.count)
        // end snippet
        #expect(page.values.map(\.id) == ["zugspitze"])
        #expect(try await peaks.where(\.height > 3_000, \.name != "K2").count() == 1)
    }

    @Test func `updates and aggregates`() async throws {
        let peaks = db.collection("peaks", of: Peak.self)
        // snippet: typed update
        let peak = peaks.document("zugspitze")
        try await peak.set(Peak(name: "Zugspitze", height: 2_962, tags: []))
        try await peak.update(.increment(\.height, by: 1), .arrayUnion(\.tags, ["alps"]), .serverTimestamp(\.updatedAt))
        try await peak.update(\.nickname, to: nil)
        // end snippet
        // snippet: typed aggregates
        let (count, total) = try await peaks.aggregate(.count, .sum(\.height))
        let mean = try await peaks.average(\.height)
        // end snippet
        #expect(count == 1 && total == 2_963 && mean == 2_963)
        #expect(try await peak.get()?.tags == ["alps"])
        try expectFields(Peak.self)
    }
}
