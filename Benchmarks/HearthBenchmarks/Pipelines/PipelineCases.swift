// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// Pipelines over a million documents, against what answers the same question without them.
enum PipelineCases {
    static var all: [BenchmarkCase] {
        [firstTwenty, groups, count] + PipelineScanCases.all + [PipelineJoins.join, PipelineEvaluation.condition]
    }

    /// The question: does a pipeline cost more than the query that it replaces?
    private static var firstTwenty: BenchmarkCase {
        BenchmarkCase(
            "pipeline: where(equal).sort.limit(20), of 1,000,000", unit: .microseconds, peer: "the classic query", goal: 0.8
        ) {
            let documents = try await MillionDocuments.prepared(MillionDocuments.many)
            let pipeline = documents.database.firestore.pipeline().collection("coll").where(Field("grp").equal(7))
                .sort([Field("n").descending()]).limit(20)
            try await settle(pipeline, documents.database)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { try await expect(20, of: pipeline) }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        guard try await documents.firstTwenty.getDocuments().count == 20 else { throw BenchmarkFailure("not 20") }
                    }
                })
        }
    }

    /// The question: numbers by group, over everything.
    private static var groups: BenchmarkCase {
        BenchmarkCase(
            "pipeline: count, sum, average by 100 groups, of 1,000,000", unit: .milliseconds, peer: "SQLite GROUP BY over a plain table",
            goal: 0.25, operationsPerRound: 1
        ) {
            let documents = try await MillionDocuments.prepared(MillionDocuments.many)
            let pipeline = documents.database.firestore.pipeline().collection("coll").aggregate(
                [CountAll().as("count"), Field("n").sum().as("sum"), Field("n").average().as("average")], groups: [Field("grp")])
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { try await expect(100, of: pipeline) }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        guard try documents.raw.groups() == 100 else { throw BenchmarkFailure("the peer misses groups") }
                    }
                })
        }
    }

    /// The question: how many are there, where an index knows?
    private static var count: BenchmarkCase {
        BenchmarkCase("pipeline: count() of 10,000 by an index", unit: .microseconds, peer: "the classic count", goal: 0.9) {
            let documents = try await MillionDocuments.prepared(MillionDocuments.many)
            let pipeline = documents.database.firestore.pipeline().collection("coll").where(Field("grp").equal(7))
                .aggregate([CountAll().as("count")])
            let query = documents.collection.whereField("grp", isEqualTo: 7)
            try await QueryCases.settle(query, documents.database)
            let classic = query.count
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations { try await expect(1, of: pipeline) }
                },
                peer: { operations in
                    for _ in 0..<operations { blackHole(try await classic.getAggregation(source: .server)) }
                })
        }
    }

    static func expect(_ count: Int, of pipeline: Pipeline) async throws {
        let found = try await pipeline.execute().results.count
        guard found == count else { throw BenchmarkFailure("\(found) rows, not \(count)") }
    }

    /// Asks until the indexes have been made that come of it.
    static func settle(_ pipeline: Pipeline, _ database: BenchmarkDatabase) async throws {
        for _ in 0..<3 {
            _ = try await pipeline.execute()
            try await database.firestore.backend().indexAdministration?.indexesSettled()
        }
    }
}
