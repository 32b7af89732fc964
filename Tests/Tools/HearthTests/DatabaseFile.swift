// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreSQLite
import Foundation
import GRDBSQLite
import Testing

/// A database file with a few documents, in a directory that goes away with the test.
final class DatabaseFile {
    let directory: String
    var path: String { directory + "/data.sqlite" }

    init() async throws {
        directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let engine = try open()
        for number in 1...3 {
            _ = try await engine.commit(
                [Self.set("books/\(number)", number), Self.set("books/\(number)/reviews/a", 5)], context: .embedded)
        }
        _ = try await engine.commit([Self.set("books/1", 9)], context: .embedded)
        let number = IndexDefinition.Field(FieldPathSegments("number"))
        try await engine.configureIndexes([
            IndexDefinition(collectionID: "books", fields: [number]),
            IndexDefinition(collectionID: "reviews", scope: .collectionGroup, fields: [number]),
        ])
        try await engine.indexesSettled()
        await engine.shutdown()
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func open() throws -> Engine {
        try Engine.open(
            EngineConfiguration(location: .file(path: path), databaseID: DatabaseID(projectID: "library")))
    }

    static func set(_ path: String, _ number: Int) -> Write {
        let fields = FieldMap([("number", .integer(Int64(number))), ("title", .string("book"))])
        return Write(key: DocumentKey(trusted: path), operation: .set(FieldBytes(fields)))
    }

    /// Does to the file what should never happen to it.
    func damage(_ sql: String) throws {
        var connection: OpaquePointer?
        try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, CheckedFiles.name) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
        try #require(sqlite3_exec(connection, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK)
    }

    var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }
}
