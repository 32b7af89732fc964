// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreSQLite
@testable import FirestoreStorage

/// Files of every earlier format open, and are copied before they are migrated (OP-92, OT-52).
@Suite struct FormatFixtureTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private static let formats: [(format: Int64, database: DatabaseID, documents: [String])] = [
        (1, DatabaseID(projectID: "test"), ["cities/LA"]),
        (2, DatabaseID(projectID: "demo-hearth"), ["books/big", "books/dune", "books/dune/notes/1", "books/emma", "books/nan"]),
        (3, DatabaseID(projectID: "demo-hearth"), ["books/big", "books/dune", "books/dune/notes/1", "books/emma", "books/nan", "books/ubik"]),
    ]

    private func copy(_ format: Int64) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appendingPathComponent("format-\(format).sqlite").path, toPath: folder.file())
        return folder
    }

    private func configuration(_ folder: ScratchFolder, _ database: DatabaseID, keepsCopy: Bool = true) -> EngineConfiguration {
        var configuration = EngineConfiguration(
            location: .file(path: folder.file()), durability: .relaxed, databaseID: database, indexPolicy: .manual)
        configuration.keepsMigrationCopy = keepsCopy
        configuration.makeHistory = { 0xABCD_EF01_2345_6789 }
        return configuration
    }

    private func paths(_ engine: Engine) throws -> [String] {
        try engine.core.store.read { (view: any StoreSnapshot) throws(FirestoreError) in
            var paths: [String] = []
            try view.scan(.kindless(under: nil, allDescendants: true), range: .all, descending: false) { row in
                paths.append(row.key.path)
                return .next
            }
            return paths.sorted()
        }
    }

    private func number(_ sql: String, _ file: String) throws -> Int64? {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.read { try Int64.fetchOne($0, sql: sql) }
    }

    @Test func `there is a file of every earlier format`() {
        #expect(Self.formats.map(\.format) == Array(1..<StoreSchema.formatVersion))
    }

    @Test(arguments: Self.formats.indices) func `a file of an earlier format opens with everything in it`(place: Int) async throws {
        let (format, database, documents) = Self.formats[place]
        let folder = try copy(format)
        // Beside the lock file of its version.
        try Data("17\n".utf8).write(to: URL(fileURLWithPath: folder.file() + ".lock"))
        let engine = try Engine.open(configuration(folder, database))
        // Tokens that its clients hold stay valid (OT-2).
        // Histories have numbers since format 3.
        let number: UInt64 = format < 3 ? 0xABCD_EF01_2345_6789 : UInt64(bitPattern: -3_368_750_538_596_087_691)
        #expect(engine.history?.number == number && engine.history?.includesEarlierTokens == true)
        try await engine.indexesSettled()
        #expect(try paths(engine) == documents)
        await engine.shutdown()
        let inspection = try DatabaseInspection.check(folder.file())
        #expect(inspection.report.isSound && inspection.formatVersion == StoreSchema.formatVersion)

        let reopened = try Engine.open(configuration(folder, database))
        #expect(reopened.history?.includesEarlierTokens == true)
        await reopened.shutdown()
    }

    @Test(arguments: Self.formats.indices) func `a file of an earlier format is copied before it is migrated`(place: Int) async throws {
        let (format, database, documents) = Self.formats[place]
        let folder = try copy(format)
        let copy = folder.file() + ".format\(format)"
        try Data("what an earlier migration has left".utf8).write(to: URL(fileURLWithPath: copy))
        await (try Engine.open(configuration(folder, database))).shutdown()
        #expect(try number("SELECT format_version FROM meta", copy) == format)
        #expect(try number("SELECT count(*) FROM documents", copy) == Int64(documents.count))
        #expect(try number("PRAGMA application_id", copy) == Int64(StoreKind.database.rawValue))
        #expect(!FileManager.default.fileExists(atPath: copy + ".part"))
        // Not again for a file that is of the newest format.
        try FileManager.default.removeItem(atPath: copy)
        await (try Engine.open(configuration(folder, database))).shutdown()
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func `checking a file of format 2 does not change it`() throws {
        let folder = try copy(2)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let inspection = try DatabaseInspection.check(folder.file())
        #expect(inspection.report.isSound && inspection.formatVersion == 2 && inspection.report.indexEntries == 8)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        let first = try copy(1)
        expectImmediateError(.failedPrecondition, mentioning: "format version 1") { try DatabaseInspection.check(first.file()) }
    }

    @Test func `no copy is made if the configuration disables it`() async throws {
        let folder = try copy(2)
        await (try Engine.open(configuration(folder, Self.formats[1].database, keepsCopy: false))).shutdown()
        #expect(!FileManager.default.fileExists(atPath: folder.file() + ".format2"))
        #expect(try number("SELECT format_version FROM meta", folder.file()) == StoreSchema.formatVersion)
    }

    @Test func `a file stays as it is if the copy cannot be made`() throws {
        let folder = try copy(2)
        // In the way: a folder that is not empty.
        try FileManager.default.createDirectory(atPath: folder.file() + ".format2/x", withIntermediateDirectories: true)
        expectImmediateError(.failedPrecondition, mentioning: "turn the copy off", ".format2") {
            try Engine.open(configuration(folder, Self.formats[1].database))
        }
        #expect(try number("SELECT format_version FROM meta", folder.file()) == 2)
    }

    @Test func `entries of an earlier format have no kinds of numbers until their documents are written again`() async throws {
        let folder = try copy(2)
        let engine = try Engine.open(configuration(folder, Self.formats[1].database))
        try await engine.indexesSettled()
        // The two indexes that were ready: three documents with both columns, four with the first.
        func unknown() throws(FirestoreError) -> Int {
            try engine.core.file("a statement").read { (view: ReadTransaction) throws(FirestoreError) in
                let row = try view.statement("SELECT count(*) FROM index_entries WHERE kinds IS NULL")
                defer { row.reset() }
                return try row.step() ? Int(row.integer(0)) : -1
            }
        }
        #expect(try unknown() == 8)
        // The key of the entry stays as it is.
        try await engine.commit(.set("books/dune", ("pages", .double(412)), ("title", .string("Dune")), ("rating", .double(4.5))))
        #expect(try unknown() == 7)
        await engine.shutdown()
        #expect(try DatabaseInspection.check(folder.file()).report.isSound)
    }

    @Test func `a file of an earlier format without its lock file begins a history that earlier tokens do not belong to`() async throws {
        let folder = try copy(2)
        let engine = try Engine.open(configuration(folder, Self.formats[1].database))
        #expect(engine.history?.includesEarlierTokens == false)
        await engine.shutdown()
    }
}
