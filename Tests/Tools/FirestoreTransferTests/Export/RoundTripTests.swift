// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer
import Foundation
import TestSupport
import Testing

/// Export, import, export: the same bytes.
struct RoundTripTests {
    private func export(_ database: TestDatabase, to path: String) async throws {
        let export = DocumentExport(of: database.engine, database: TestDatabase.id, context: .embedded)
        let output: any DocumentOutput =
            path.hasSuffix(".jsonl")
            ? JSONLinesOutput(try OutputFile(path, replacing: false), database: TestDatabase.id)
            : try ExportFolderOutput(path, replacing: false, database: TestDatabase.id)
        _ = try await export.run([.everything], into: output)
    }

    private func load(_ path: String) async throws -> TestDatabase {
        let database = try TestDatabase()
        let summary = await DocumentImport(into: database.engine, context: .embedded).run { () throws(FirestoreError) -> any DocumentInput in
            path.hasSuffix(".jsonl")
                ? JSONLinesInput(try InputFile(path), form: .documents, database: TestDatabase.id)
                : try ExportFolderInput(path, database: TestDatabase.id)
        }
        #expect(summary.failure == nil)
        #expect(summary.progress.bytes == summary.progress.totalBytes)
        return database
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `a random database survives both formats, to the byte`(seed: UInt64) async throws {
        let folder = try ScratchFolder()
        var random = RandomDocuments(seed: seed, database: TestDatabase.id)
        let documents = random.documents(60)
        let database = try TestDatabase()
        try await database.put(documents)
        try await export(database, to: folder.file("1.jsonl"))
        try await export(database, to: folder.file("1"))
        for name in ["1.jsonl", "1"] {
            let copy = try await load(folder.file(name))
            #expect(try await copy.documents == documents)
            try await export(copy, to: folder.file("from-\(name)"))
            // And across: from one format into the other.
            try await export(copy, to: folder.file(name == "1" ? "across.jsonl" : "across"))
        }
        #expect(try folder.bytes(of: "1.jsonl") == folder.bytes(of: "from-1.jsonl"))
        #expect(try folder.bytes(of: "1.jsonl") == folder.bytes(of: "across.jsonl"))
        for file in ["firestore_export.overall_export_metadata", "all_namespaces/all_kinds/output-0"] {
            #expect(try folder.bytes(of: "1/" + file) == folder.bytes(of: "from-1/" + file))
            #expect(try folder.bytes(of: "1/" + file) == folder.bytes(of: "across/" + file))
        }
    }

    @Test func `a failed export leaves no file, and the one that was there`() async throws {
        let folder = try ScratchFolder()
        let database = try TestDatabase()
        try await database.put([TestDatabase.document("a/1")])
        _ = try folder.write("before".utf8, to: "file.jsonl")
        let service = FlakyService(database.engine, .init(queries: [FirestoreError(.permissionDenied, "no")]))
        let export = DocumentExport(of: service, database: TestDatabase.id, context: .embedded)
        await #expect(throws: FirestoreError.self) {
            let output = JSONLinesOutput(try OutputFile(folder.file("file.jsonl"), replacing: true), database: TestDatabase.id)
            _ = try await export.run([.everything], into: output)
        }
        #expect(folder.names == ["file.jsonl"])
        #expect(try folder.bytes(of: "file.jsonl") == [UInt8]("before".utf8))
    }
}
