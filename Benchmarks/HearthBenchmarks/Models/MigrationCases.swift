// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreSchema
import FirestoreTransfer
import Foundation

/// `hearth migrate` without its process: a rename in every document, and the pass that finds nothing left.
enum MigrationCases {
    static var all: [BenchmarkCase] { [rename(overExisting: false), rename(overExisting: true)] }

    private static let count = 100_000

    /// The question: how long does a large collection take? An import of the same documents is the peer: into an empty database, or over
    /// documents that are there, where it makes the change that the migration makes.
    private static func rename(overExisting: Bool) -> BenchmarkCase {
        BenchmarkCase(
            "migrate 100,000 documents of 1 KB, one rename\(overExisting ? ", beside an import over them" : "")", unit: .perSecond("docs"),
            peer: overExisting ? "import over existing ones" : "import of them", goal: overExisting ? 0.9 : 0.6, operationsPerRound: count
        ) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bench-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let files = try ["grp", "group"].map { name in
                let file = folder.appendingPathComponent("\(name).jsonl").path
                try write(count, to: file, naming: name)
                return file
            }
            let database = DatabaseID(projectID: "bench-migration")
            func open(_ name: String) throws -> Engine {
                let path = folder.appendingPathComponent(name).path
                return try Engine.open(EngineConfiguration(location: .file(path: path), durability: .relaxed, databaseID: database))
            }
            let engine = try open("migrated.sqlite")
            try await load(files[0], into: engine, database)
            let existing = overExisting ? try open("existing.sqlite") : nil
            if let existing { try await load(files[0], into: existing, database) }
            let round = Mutex(0)
            let imports = Mutex(0)
            return BenchmarkCase.Contenders(
                ours: { _ in
                    let isEven = round.withLock { round in
                        round += 1
                        return round % 2 == 0
                    }
                    let names = [FieldPathSegments("grp"), FieldPathSegments("group")]
                    let edit = FieldEdit.move(names[isEven ? 1 : 0], to: names[isEven ? 0 : 1])
                    let collection = CollectionPath(trusted: "coll")
                    let source = try MigrationSource(
                        engine, database: database, query: StructuredQuery(scope: .collection(collection)),
                        context: { () throws(FirestoreError) in .embedded })
                    var options = MigrationRun.Options()
                    options.checkpoint = MigrationCheckpointFile(path: folder.appendingPathComponent("checkpoint").path)
                    let outcome = try await MigrationRun(source, MigrationPlan(edits: [edit]), options).perform()
                    guard outcome.migrated == count, outcome.failureCount == 0 else {
                        throw BenchmarkFailure("\(outcome.migrated) migrated")
                    }
                },
                peer: { _ in
                    if let existing {
                        let number = imports.withLock { imports in
                            imports += 1
                            return imports
                        }
                        return try await load(files[number % 2], into: existing, database)
                    }
                    let name = "imported-\(UUID().uuidString).sqlite"
                    let engine = try open(name)
                    try await load(files[0], into: engine, database)
                    await engine.shutdown()
                    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                },
                tearDown: {
                    await engine.shutdown()
                    await existing?.shutdown()
                    try FileManager.default.removeItem(at: folder)
                })
        }
    }

    private static func load(_ file: String, into engine: Engine, _ database: DatabaseID) async throws {
        let request = ImportRequest(file)
        let summary = await DocumentImport(into: engine, context: .embedded).run { () throws(FirestoreError) in
            try request.open(in: database)
        }
        if let failure = summary.failure { throw failure }
        guard summary.progress.documents == count else { throw BenchmarkFailure("\(summary.progress.documents) imported") }
    }

    private static func write(_ count: Int, to path: String, naming group: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
            throw BenchmarkFailure("no file \(path)")
        }
        var text = ""
        for number in 0..<count {
            let document = Document1KB(number: number)
            let strings = document.strings.enumerated().map { "\"f\($0)\": \"\($1)\"" }.joined(separator: ", ")
            let rest = "\"\(group)\": \(document.grp), \"n\": \(document.n), \"flag\": \(document.flag)"
            text += "{\"path\": \"coll/\(Document1KB.id(number))\", \"fields\": {\(strings), \(rest)}}\n"
            guard text.utf8.count > 1 << 20 || number == count - 1 else { continue }
            try file.write(contentsOf: Data(text.utf8))
            text = ""
        }
        try file.close()
    }
}
