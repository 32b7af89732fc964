// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import GRDBSQLite

extension ConsistencyCheck {
    /// Compares every page of the file with its checksum, also the pages that nothing uses.
    ///
    /// Pages that are in the log as well may be anything in the file. While there is a log, the other parts of the check read the pages
    /// that are used, and each is compared then.
    mutating func checkPages() throws(FirestoreError) {
        let connection = database.sqliteConnection
        guard CheckedFiles.hasChecksums(connection), !ReadOnlyFile.isFilled(errors.file + "-wal") else { return }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods?.pointee
        else { return }
        var byteCount: sqlite3_int64 = 0
        var code = methods.xFileSize(file, &byteCount)
        guard code == SQLITE_OK else { throw errors.error(code: code, message: "the size of the file") }
        let size = try pageSize()
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { page.deallocate() }
        // A page that SQLite keeps free for locks.
        let lockPage = Int64(0x4000_0000) / Int64(size)
        for number in 0..<byteCount / Int64(size) where number != lockPage {
            code = methods.xRead(file, page.baseAddress, Int32(size), number * Int64(size))
            if code == SQLITE_OK { continue }
            guard code == CheckedFile.damageCode else { throw errors.error(code: code, message: "page \(number + 1)") }
            // A page that was given to the file and never used. If one is used after all, the next part of the check finds it.
            if page.allSatisfy({ $0 == 0 }) { continue }
            find(.file, nil, "page \(number + 1) (\(size) bytes at \(number * Int64(size))) is not what was written there")
        }
        if byteCount % Int64(size) != 0 { find(.file, nil, "it ends in the middle of a page, at byte \(byteCount)") }
    }

    private func pageSize() throws(FirestoreError) -> Int {
        let row = try SQLStatement("PRAGMA page_size", on: database, errors: errors)
        defer { row.reset() }
        return try row.step() ? Int(row.integer(0)) : SQLiteSettings.pageSize
    }
}
