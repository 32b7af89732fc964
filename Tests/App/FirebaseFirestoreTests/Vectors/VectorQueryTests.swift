// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// QR-55 … QR-61 through the public API.
@Suite struct VectorQueryTests {
    let db = Scratch.firestore()
    var words: CollectionReference { db.collection("words") }

    private func fill() async throws {
        let batch = db.batch()
        for (id, kind, vector) in [("cat", "animal", [1.0, 0.1]), ("dog", "animal", [0.9, 0.3]), ("car", "thing", [0.1, 1])] {
            batch.setData(["kind": kind, "vector": FieldValue.vector(vector), "inner": ["vector": FieldValue.vector(vector)]], forDocument: words.document(id))
        }
        batch.setData(["kind": "animal"], forDocument: words.document("none"))
        try await batch.commit()
    }

    private func ids(_ query: VectorQuery) async throws -> [String] {
        try await query.getDocuments().documents.map(\.documentID)
    }

    @Test func `the nearest documents, by every measure`() async throws {
        try await fill()
        for measure in VectorDistanceMeasure.allCases {
            let query = words.findNearest(
                vectorField: "vector", queryVector: VectorValue([1, 0]), limit: 2, distanceMeasure: measure)
            #expect(try await ids(query) == ["cat", "dog"], "\(measure)")
        }
    }

    @Test(.only(.nestedVectors)) func `a vector may lie in a map`() async throws {
        try await fill()
        for field in [FieldPath(["inner", "vector"]), FieldPath(["vector"])] {
            let query = words.findNearest(vectorField: field, queryVector: VectorValue([1, 0]), limit: 2, distanceMeasure: .cosine)
            #expect(try await ids(query) == ["cat", "dog"])
        }
    }

    @Test func `filters come first, distances can be shown and bounded`() async throws {
        try await fill()
        let query = words.whereField("kind", isEqualTo: "animal").findNearest(
            vectorField: FieldPath(["vector"]), queryVector: VectorValue([0, 1]), limit: 5, distanceMeasure: .dotProduct,
            distanceResultField: "near", distanceThreshold: 0.2)
        let snapshot = try await query.getDocuments()
        #expect(snapshot.query === query && snapshot.count == 1 && !snapshot.isEmpty)
        let nearest = try #require(snapshot.documents.first)
        #expect(nearest.documentID == "dog" && nearest.get("near") as? Double == 0.3)
        #expect(try await words.document("dog").getDocument().get("near") == nil)
        let same: VectorQuerySnapshot? = await completion { done in query.getDocuments { snapshot, _ in done(snapshot) } }
        #expect(same == snapshot)
    }

    @Test func `invalid searches fail`() async throws {
        func search(_ query: Query, field: String = "v", vector: [Double] = [1], limit: Int = 1, result: String? = nil) -> VectorQuery {
            query.findNearest(
                vectorField: field, queryVector: VectorValue(vector), limit: limit, distanceMeasure: .cosine, distanceResultField: result)
        }
        let refused: [(VectorQuery, String)] = [
            (search(words, limit: 0), "1 to 1000"), (search(words, limit: 1_001), "1 to 1000"), (search(words, vector: []), "2048"),
            (search(words, result: "__name__"), "reserved"), (search(words, field: "a..b"), "dot"), (search(words.limit(to: 1)), "limit nor offset"),
            (search(words.order(by: "kind").start(at: ["a"])), "cursors"),
        ]
        for (query, word) in refused {
            #expect(isFailure(await failure { try await query.getDocuments() }, .invalidArgument, naming: word))
        }
    }

    @Test func `searches are equal when they ask for the same`() {
        func search(_ limit: Int) -> VectorQuery {
            words.findNearest(vectorField: "v", queryVector: VectorValue([1]), limit: limit, distanceMeasure: .cosine)
        }
        #expect(search(1) == search(1) && search(1) != search(2) && search(1).hash == search(1).hash)
    }
}
