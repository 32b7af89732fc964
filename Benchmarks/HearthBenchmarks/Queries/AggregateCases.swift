// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Numbers over a result, against reading the result.
enum AggregateCases {
    static var all: [BenchmarkCase] {
        [
            aggregate("count() of 100,000 matches", goal: 10) { [.count()] },
            aggregate("sum and average over 100,000 matches", goal: 8) { [.sum("n"), .average("n")] },
        ]
    }

    private static let matches = 100_000
    private static let index = """
        {"indexes": [{"collectionGroup": "docs", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]}],
          "fieldOverrides": [{"collectionGroup": "docs", "fieldPath": "state", "indexes": [
            {"order": "ASCENDING", "queryScope": "COLLECTION"}]}]}
        """

    /// The question: what does a badge with a number cost?
    private static func aggregate(
        _ name: String, goal: Double?, _ fields: @escaping () -> [AggregateField]
    ) -> BenchmarkCase {
        BenchmarkCase(name, unit: .milliseconds, peer: "reading them", goal: goal, operationsPerRound: 1) {
            let database = try BenchmarkDatabase()
            let collection = database.firestore.collection("docs")
            for start in stride(from: 0, to: matches * 11 / 10, by: 500) {
                let batch = database.firestore.batch()
                for number in start..<(start + 500) {
                    let text = String(repeating: "x", count: 100)
                    // One in eleven does not match.
                    batch.setData(
                        ["state": number % 11 == 0 ? "CA" : "NY", "n": number, "text": text],
                        forDocument: collection.document(Document1KB.id(number)))
                }
                try await batch.commit()
            }
            let query = collection.whereField("state", isEqualTo: "NY")
            try await database.firestore.setIndexConfiguration(index)
            try await database.firestore.waitForIndexes()
            let aggregation = query.aggregate(fields())
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { blackHole(try await aggregation.getAggregation(source: .server)) }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        let count = try await query.getDocuments().count
                        guard count == matches else { throw BenchmarkFailure("\(count) documents") }
                    }
                },
                tearDown: { try await database.close() })
        }
    }
}
