// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import Foundation
import LinearRegex

/// Conditions that no index answers: every document is looked at.
enum PipelineScanCases {
    static var all: [BenchmarkCase] { [arithmetic, regularExpression] }

    private static let documents = 100_000
    private static let database = DatabaseID(projectID: "bench")

    /// The question: what does an expression cost for each document?
    private static var arithmetic: BenchmarkCase {
        BenchmarkCase(
            "pipeline: where with arithmetic, 100,000 scanned", unit: .milliseconds, peer: "a classic scan with a filter", goal: 0.6,
            operationsPerRound: 1
        ) {
            let engine = try await engine()
            let pipeline = try PipelineText.parse("collection(/docs).where(greater_than(add(multiply(n, 2), 1), 199980))")
            let query = StructuredQuery(
                scope: .collection(CollectionPath(trusted: "docs")),
                filter: .field(FieldPathSegments(["n"]), .greaterThan, ValueBytes(.integer(99_989))))
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        let found = try await engine.execute(pipeline, context: .embedded).rows.count
                        guard found == 10 else { throw BenchmarkFailure("\(found) rows") }
                    }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        let found = try await engine.run(query, options: .latest, context: .embedded).documents.count
                        guard found == 10 else { throw BenchmarkFailure("\(found) documents") }
                    }
                },
                tearDown: { await engine.shutdown() })
        }
    }

    /// The question: what does a search in texts cost beside the search alone?
    private static var regularExpression: BenchmarkCase {
        BenchmarkCase(
            "pipeline: regex_contains, 100,000 texts of 60 bytes", unit: .milliseconds, peer: "the same loop over LinearRegex", goal: 0.7,
            operationsPerRound: 1
        ) {
            let engine = try await engine()
            let source = "k[0-9]+9999z"
            let pipeline = try PipelineText.parse("collection(/docs).where(regex_contains(text, \"\(source)\")).aggregate(count() as n)")
            let pattern = try RegularExpression(source)
            let texts = (0..<documents).map(text)
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        let rows = try await engine.execute(pipeline, context: .embedded).rows
                        guard case .integer(9)? = try rows.first?.fields.map["n"] else { throw BenchmarkFailure("not 9") }
                    }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        var count = 0
                        for text in texts {
                            var budget = MatchBudget()
                            if try pattern.isContained(in: text, &budget) { count += 1 }
                        }
                        guard count == 9 else { throw BenchmarkFailure("\(count)") }
                    }
                },
                tearDown: { await engine.shutdown() })
        }
    }

    private static func text(_ number: Int) -> String {
        let text = "a text with k\(number)z in it, "
        return text + String(repeating: "y", count: 60 - text.utf8.count)
    }

    /// A database that makes no indexes.
    private static func engine() async throws -> Engine {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bench-\(UUID().uuidString).sqlite")
        let engine = try Engine.open(EngineConfiguration(location: .file(path: file.path), databaseID: database, indexPolicy: .manual))
        for start in stride(from: 0, to: documents, by: 500) {
            let writes = (start..<start + 500).map { number in
                Write(
                    key: DocumentKey(trusted: "docs/\(Document1KB.id(number))"),
                    operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(number))), ("text", .string(text(number)))]))))
            }
            _ = try await engine.commit(writes, context: .embedded)
        }
        return engine
    }
}
