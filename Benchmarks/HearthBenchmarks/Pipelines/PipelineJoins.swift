// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// A join of two collections, against asking for every row.
enum PipelineJoins {
    private static let rows = 10_000

    /// The question: is a join better than a loop of queries?
    static var join: BenchmarkCase {
        BenchmarkCase(
            "pipeline: join by a sub-pipeline, 10,000 outer rows", unit: .milliseconds, peer: "10,000 getDocuments", goal: 3,
            operationsPerRound: 1
        ) {
            let database = try BenchmarkDatabase()
            let firestore = database.firestore
            for start in stride(from: 0, to: rows, by: 250) {
                let batch = firestore.batch()
                for number in start..<start + 250 {
                    batch.setData(["owner": number], forDocument: firestore.collection("people").document(Document1KB.id(number)))
                    batch.setData(
                        ["owner": number, "title": "A thing of \(number)"],
                        forDocument: firestore.collection("things").document(Document1KB.id(number)))
                }
                try await batch.commit()
            }
            let things = firestore.collection("things")
            try await QueryCases.settle(things.whereField("owner", isEqualTo: 17), database)
            let inner = firestore.pipeline().collection("things").where(Field("owner").equal(Variable("owner")))
                .select([Field("title")])
            let pipeline = firestore.pipeline().collection("people").define([Field("owner").as("owner")])
                .select([Field("owner"), inner.toArrayExpression().as("things")])
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { try await PipelineCases.expect(rows, of: pipeline) }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        for number in 0..<rows {
                            guard try await things.whereField("owner", isEqualTo: number).getDocuments().count == 1 else {
                                throw BenchmarkFailure("the peer misses a document")
                            }
                        }
                    }
                },
                tearDown: { try await database.close() })
        }
    }
}
