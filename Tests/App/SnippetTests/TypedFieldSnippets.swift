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

    @Test func pipelines() async throws {
        let heights = [("zugspitze", 2_962), ("watzmann", 2_713), ("brocken", 1_141), ("wurmberg", 971)]
        for (id, height) in heights {
            let tags = height > 2_000 ? ["alps"] : ["harz"]
            try await db.document("peaks/\(id)", of: Peak.self).set(Peak(name: id.capitalized, height: height, tags: tags))
        }
        // snippet: typed pipeline
        let peaks = db.collection("peaks", of: Peak.self)
        let alps = peaks.pipeline()
            .where { $0.height > 1_000 && $0.tags.contains("alps") }
            .sort(.descending(\.height), .ascending(\.name))
        for peak in try await alps.execute() { print(peak.name, peak.height) }
        // end snippet
        #expect(try await alps.execute().map(\.id) == ["zugspitze", "watzmann"])

        // snippet: typed pipeline with another shape
        struct Summit: Codable {
            var tag: String
            var highest: Int
        }
        let summits = try await peaks.pipeline()
            .where(peaks.field(\.name).charLength().greaterThan(7))
            .unnest(peaks.field(\.tags).as("tag"))
            .aggregate([peaks.field(\.height).maximum().as("highest")], groups: [Field("tag")])
            .execute().results(as: Summit.self)
        for summit in summits { print(summit.tag, summit.highest) }
        // end snippet
        #expect(summits.map(\.tag) == ["alps", "harz"] && summits.map(\.highest) == [2_962, 971])

        var exported: [Peak] = []
        func export(_ peak: Peak) { exported.append(peak) }
        // snippet: typed pipeline, peak by peak
        for try await peak in peaks.pipeline().where({ $0.height != 971 }).results() {
            export(try peak.get())
        }
        // end snippet
        #expect(exported.count == 3)
    }
}
