// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation

/// Queries whose cost must follow the result, not the collection.
enum QueryCases {
    static var all: [BenchmarkCase] {
        [
            firstTwentyAtAnySize, againstRaw("first 20 of a group, largest first", { $0.firstTwenty }, { try $0.raw.firstTwenty() }),
            againstRaw("Q1: one group from the middle on", { $0.q1 }, { try $0.raw.q1($0.count) }),
            againstRaw("Q2: a range of numbers", { $0.q2 }, { try $0.raw.q2($0.count) }),
            equality, manyValues, twoRanges, memory,
        ]
    }

    /// The question: does my app get slower as it fills?
    private static var firstTwentyAtAnySize: BenchmarkCase {
        BenchmarkCase(
            "first 20 of a group among 1,000,000", unit: .microseconds, peer: "the same among 10,000", goal: 0.667
        ) {
            let many = try await MillionDocuments.prepared(MillionDocuments.many)
            let few = try await MillionDocuments.prepared(MillionDocuments.few)
            return BenchmarkCase.Contenders(
                ours: { try await run(many.firstTwenty, $0) }, peer: { try await run(few.firstTwenty, $0) })
        }
    }

    private static func againstRaw(
        _ name: String, _ query: @escaping (MillionDocuments) -> Query, _ peer: @escaping (MillionDocuments) throws -> Int
    ) -> BenchmarkCase {
        BenchmarkCase(
            "\(name), of 1,000,000", unit: .microseconds, peer: "raw SQLite, hand-made index", goal: 0.7
        ) {
            let documents = try await MillionDocuments.prepared(MillionDocuments.many)
            let asked = query(documents)
            return BenchmarkCase.Contenders(
                ours: { try await run(asked, $0) },
                peer: { operations in
                    for _ in 0..<operations {
                        guard try peer(documents) == 20 else { throw BenchmarkFailure("the peer misses rows") }
                    }
                })
        }
    }

    private static func run(_ query: Query, _ operations: Int) async throws {
        for _ in 0..<operations {
            let snapshot = try await query.getDocuments()
            guard snapshot.count == 20 else { throw BenchmarkFailure("\(snapshot.count) documents") }
        }
    }

    /// The question: find my hundred among 35,000.
    private static var equality: BenchmarkCase {
        BenchmarkCase(latencyOf: "equality on a field, 100 of 35,000") {
            let database = try BenchmarkDatabase()
            try await fill(database, 35_000) { ["owner": $0 % 350, "n": $0] }
            let query = database.firestore.collection("coll").whereField("owner", isEqualTo: 17)
            try await settle(query, database)
            try await requireIndex(query)
            var samples: [Double] = []
            for _ in 0..<300 {
                let start = ContinuousClock.now
                guard try await query.getDocuments().count == 100 else { throw BenchmarkFailure("wrong answer") }
                samples.append(seconds(ContinuousClock.now - start))
            }
            try await database.close()
            return samples
        }
    }

    private static var manyValues: BenchmarkCase {
        reads("in with 30 values, documents returned ÷ read") { collection in
            collection.whereField("owner", in: Array(0..<30)).order(by: "n").limit(to: 100)
        }
    }

    private static var twoRanges: BenchmarkCase {
        reads("or of two ranges, documents returned ÷ read") { collection in
            collection.whereFilter(
                Filter.orFilter([
                    Filter.andFilter([
                        Filter.whereField("n", isGreaterOrEqualTo: 1_000), Filter.whereField("n", isLessThan: 1_400),
                    ]),
                    Filter.andFilter([
                        Filter.whereField("n", isGreaterOrEqualTo: 1_300), Filter.whereField("n", isLessThan: 1_900),
                    ]),
                ]))
        }
    }

    private static func reads(_ name: String, _ query: @escaping (CollectionReference) -> Query) -> BenchmarkCase {
        BenchmarkCase(figuresOf: name) {
            let database = try BenchmarkDatabase()
            try await fill(database, 20_000) { ["owner": $0 % 350, "n": $0] }
            let query = query(database.firestore.collection("coll"))
            // The best index of each alternative, one after the other.
            for _ in 0..<3 { try await settle(query, database) }
            let explanation = try await database.firestore.backend().explain(query.runnable.get(), analyze: true)
            guard let statistics = explanation.statistics, statistics.documentsRead > 0 else { throw BenchmarkFailure("not run") }
            let ratio = Double(statistics.results) / Double(statistics.documentsRead)
            try await database.close()
            return [
                BenchmarkResult(
                    name: name, value: Double(statistics.documentsRead), unit: "documents", peerName: "returned",
                    peerValue: Double(statistics.results), ratio: ratio, goal: 0.833)
            ]
        }
    }

    /// The question: what does a large database cost a small process?
    private static var memory: BenchmarkCase {
        BenchmarkCase(figuresOf: "open 1,000,000 documents in a new process") {
            let documents = try await MillionDocuments.prepared(MillionDocuments.many)
            return try await OpenProbe.measure(documents)
        }
    }

    // MARK: Preparation

    static func fill(_ database: BenchmarkDatabase, _ count: Int, _ fields: (Int) -> [String: Any]) async throws {
        let collection = database.firestore.collection("coll")
        for start in stride(from: 0, to: count, by: 500) {
            let batch = database.firestore.batch()
            for number in start..<min(start + 500, count) {
                batch.setData(fields(number), forDocument: collection.document(Document1KB.id(number)))
            }
            try await batch.commit()
        }
    }

    /// Asks once and waits for the index that comes of it.
    static func settle(_ query: Query, _ database: BenchmarkDatabase) async throws {
        _ = try await query.getDocuments()
        try await database.firestore.backend().indexAdministration?.indexesSettled()
    }

    static func requireIndex(_ query: Query) async throws {
        let explanation = try await query.firestore.backend().explain(query.runnable.get(), analyze: false)
        if explanation.scansAll { throw BenchmarkFailure("a full scan: \(explanation.plan)") }
    }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}
