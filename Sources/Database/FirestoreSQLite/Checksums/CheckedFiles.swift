// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDBSQLite

/// Database files whose pages have checksums: a layer of SQLite's between it and the files (a VFS), under a name.
///
/// A page gets its checksum when it is written into the database file, and is compared with it each time it is read from there; a page in
/// SQLite's cache is not looked at again. Pages in the write-ahead log are compared with the checksum that SQLite stores there. Files
/// that have no checksums are read and written as they are.
///
/// It is not the process's default: other SQLite files of an app are none of our business.
package enum CheckedFiles {
    /// The name of the layer, for SQLite.
    package static let name: String = {
        _ = layer
        return layerName
    }()

    private static let layerName = "hearth"

    private static let layer = CheckedVFS(name: layerName)

    /// The name under which SQLite opens a file with checksums. It is a URI, in which some characters are special.
    package static func uri(_ path: String, isImmutable: Bool = false) -> String {
        uri(path, "vfs=" + name + (isImmutable ? "&immutable=1" : ""))
    }

    /// A path with parameters for SQLite, in which some characters are special.
    static func uri(_ path: String, _ parameters: String) -> String {
        var uri = "file:"
        for byte in path.utf8 {
            let isPlain = byte > 0x20 && byte < 0x7F && !"?#%".utf8.contains(byte)
            uri += isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return uri + "?" + parameters
    }

    /// Makes a database that the connection creates keep the bytes for checksums free: a file, one in memory that may be copied into a
    /// file, and the file of `VACUUM INTO`. Databases that exist stay as they are.
    package static func reserve(on connection: OpaquePointer?) {
        var size = Int32(PageChecksum.size)
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &size)
    }

    /// Whether the pages of the connection's file have checksums. False for a database in memory.
    package static func hasChecksums(_ connection: OpaquePointer?) -> Bool {
        var result: Int32 = 0
        guard sqlite3_file_control(connection, "main", CheckedVFS.question, &result) == SQLITE_OK else { return false }
        return result != 0
    }

    /// Whether a copy of the database's pages is a file with checksums, if it is written as one.
    static func hasRoom(_ connection: OpaquePointer?) -> Bool {
        let isInMemory = sqlite3_db_filename(connection, "main").map { $0.pointee == 0 } ?? true
        guard isInMemory else { return hasChecksums(connection) }
        // A number that is not possible only asks.
        var reserved: Int32 = -1
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) == SQLITE_OK && reserved == PageChecksum.size
    }
}
