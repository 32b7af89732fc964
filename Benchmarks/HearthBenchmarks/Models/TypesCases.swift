// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreSchema
import FirestoreTransfer
import Foundation

/// Types from data, against an export of the same documents: both read everything once.
enum TypesCases {
    static var all: [BenchmarkCase] { [file, lines, memory, freshNames] }

    private static let count = 100_000
    private static let database = DatabaseID(projectID: "bench")

    /// The fields of a `D1` document of about a kilobyte.
    private static func fields(_ number: Int) -> FieldBytes {
        let document = Document1KB(number: number, of: count)
        var map = FieldMap(document.strings.enumerated().map { ("f\($0.offset)", .string($0.element)) })
        map["grp"] = .integer(Int64(document.grp))
        map["n"] = .integer(Int64(document.n))
        map["flag"] = .boolean(document.flag)
        return FieldBytes(map)
    }

    private static func key(_ number: Int) -> DocumentKey { DocumentKey(trusted: "coll/\(Document1KB.id(number))") }

    /// A file with the documents, in a separate directory.
    private struct Filled {
        let directory: URL
        let engine: Engine

        init() async throws {
            directory = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-types-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let file = directory.appendingPathComponent("types.sqlite").path
            engine = try Engine.open(EngineConfiguration(location: .file(path: file), durability: .relaxed, databaseID: database))
            for start in stride(from: 0, to: count, by: 500) {
                let writes = (start..<start + 500).map { Write(key: key($0), operation: .set(fields($0))) }
                _ = try await engine.commit(writes, context: .embedded)
            }
        }

        func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

        func close() async throws {
            await engine.shutdown()
            try FileManager.default.removeItem(at: directory)
        }

        func export(to name: String) async throws {
            let export = DocumentExport(of: engine, database: database, context: .embedded)
            let output = JSONLinesOutput(try OutputFile(path(name), replacing: true), database: database)
            _ = try await export.run([.collection(CollectionPath(trusted: "coll"), withBelow: false)], into: output)
        }

        func types() async throws {
            let tree = Mutex(SchemaTree(database: database))
            var query = StructuredQuery(scope: .collection(CollectionPath(trusted: "coll")))
            query.orders = [SortOrder(path: .documentID)]
            try await engine.run(query, options: .latest, context: .embedded) { (page) throws(FirestoreError) in
                try tree.withLock { (tree) throws(FirestoreError) in
                    for document in page.documents {
                        let times = SchemaTree.Times(create: document.createTime.timestamp, update: document.updateTime.timestamp)
                        try tree.add(document.key.id, document.fields, times: times)
                    }
                }
                return .next
            }
            blackHole(tree.withLock { SwiftPrinter().text($0, collection: "coll") })
        }
    }

    private static var file: BenchmarkCase {
        BenchmarkCase(
            "types of \(count) documents of 1 KB, file", unit: .perSecond("docs"), peer: "export to JSON lines", goal: 0.5,
            operationsPerRound: count
        ) {
            let filled = try await Filled()
            return BenchmarkCase.Contenders(
                ours: { _ in try await filled.types() }, peer: { _ in try await filled.export(to: "out.jsonl") },
                tearDown: { try await filled.close() })
        }
    }

    private static var lines: BenchmarkCase {
        BenchmarkCase(
            "types of \(count) documents of 1 KB, JSON lines", unit: .perSecond("docs"), peer: "parsing alone", goal: 0.5,
            operationsPerRound: count
        ) {
            let filled = try await Filled()
            try await filled.export(to: "in.jsonl")
            let path = filled.path("in.jsonl")
            func read(_ body: (TransferredDocument) throws -> Void) throws {
                var input = try ImportRequest(path).open(in: database)
                while let item = try input.next() { try body(try item.content.get()) }
            }
            return BenchmarkCase.Contenders(
                ours: { _ in
                    let tree = SchemaTree()
                    try read { try tree.add($0.key.id, $0.fields) }
                    blackHole(SwiftPrinter().text(tree, collection: "coll"))
                },
                peer: { _ in try read { blackHole($0) } }, tearDown: { try await filled.close() })
        }
    }

    /// What a tree holds must not depend on the number of documents.
    private static var memory: BenchmarkCase {
        let name = "types: memory of the tree"
        return BenchmarkCase(figuresOf: name) {
            func growth(_ documents: Int) throws -> Double {
                let before = OpenProbe.residentKibibytes()
                let tree = SchemaTree()
                for number in 0..<documents { try tree.add(Document1KB.id(number), fields(number)) }
                let after = OpenProbe.residentKibibytes()
                blackHole(tree.documents)
                return max(0, after - before) / 1_024
            }
            _ = try growth(1_000)
            return [
                .atMost(20, "\(name), 10,000 documents", try growth(10_000) + 0.1, "MB"),
                .atMost(20, "\(name), 300,000 documents", try growth(300_000) + 0.1, "MB"),
            ]
        }
    }

    /// Names that are data, in every document others.
    private static var freshNames: BenchmarkCase {
        let name = "types: 1,000,000 documents with 50 fresh names each"
        return BenchmarkCase(figuresOf: name) {
            let before = OpenProbe.residentKibibytes()
            let tree = SchemaTree()
            let start = ContinuousClock.now
            for number in 0..<1_000_000 {
                let names = (0..<50).map { ("n\(number * 50 + $0)", Value.integer(1)) }
                try tree.add(Document1KB.id(number), FieldBytes(FieldMap([("map", .map(FieldMap(names)))])))
            }
            let seconds = Measured.seconds(since: start)
            let after = OpenProbe.residentKibibytes()
            guard SwiftPrinter().text(tree, collection: "coll").contains("[String: Int]") else { throw BenchmarkFailure("no dictionary") }
            return [
                .atMost(150, "\(name): memory", max(0, after - before) / 1_024 + 0.1, "MB"),
                .figure("\(name), with making them", 1_000_000 / seconds, "docs/s"),
            ]
        }
    }
}
