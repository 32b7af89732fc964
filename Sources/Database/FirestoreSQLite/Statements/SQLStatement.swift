// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB
import GRDBSQLite

/// A prepared statement of a connection, bound and read without copies.
///
/// GRDB opens connections, prepares statements and caches them; binding and columns use SQLite directly, because GRDB's rows
/// and arguments box every value, and documents are read and written as bytes (docs/decisions/0001).
package struct SQLStatement {
    let statement: Statement
    let errors: StoreErrors

    private var handle: OpaquePointer { statement.sqliteStatement }

    init(_ sql: String, on database: Database, errors: StoreErrors) throws(FirestoreError) {
        do {
            let cached = try database.cachedStatement(sql: sql)
            // A scan inside a scan of the same shape must not reset the outer one.
            statement =
                sqlite3_stmt_busy(cached.sqliteStatement) == 0 ? cached : try database.makeStatement(sql: sql)
        } catch {
            throw errors.translate(error)
        }
        self.errors = errors
    }

    /// Prepared for one use, not cached.
    init(once sql: String, on database: Database, errors: StoreErrors) throws(FirestoreError) {
        do {
            statement = try database.makeStatement(sql: sql)
        } catch {
            throw errors.translate(error)
        }
        self.errors = errors
    }

    /// Whether it has started and not reached its end.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Borrows the bytes: they must stay in place until `reset`.
    package func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress, bytes.count > 0 {
            sqlite3_bind_blob(handle, index, start, Int32(clamping: bytes.count), nil)
        } else {
            sqlite3_bind_zeroblob(handle, index, 0)
        }
    }

    /// Copies the bytes, for short ones.
    package func bind(_ index: Int32, copying bytes: [UInt8]) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        bytes.withUnsafeBytes { bytes in
            _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count), transient)
        }
    }

    /// Binds an object that only a table of ours understands.
    func bind(_ index: Int32, pointer: UnsafeMutableRawPointer, type: UnsafePointer<CChar>?) {
        sqlite3_bind_pointer(handle, index, pointer, type, nil)
    }

    /// Moves to the next row; false at the end.
    package func step() throws(FirestoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let connection = sqlite3_db_handle(handle)
            let code = ResultCode(rawValue: sqlite3_extended_errcode(connection))
            let error = errors.translate(DatabaseError(resultCode: code, message: String(cString: sqlite3_errmsg(connection))))
            // It is cached: the next use must not find borrowed bytes that are gone, nor a statement that takes no values.
            reset()
            throw error
        }
    }

    /// Runs a statement that returns no rows, and clears its bindings.
    package func run() throws(FirestoreError) {
        defer { reset() }
        _ = try step()
    }

    /// Ends the statement and releases its bindings.
    package func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Returns to before the first row; bindings are retained.
    package func restart() { sqlite3_reset(handle) }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The bytes of a blob column, valid until the next step; nil if the column holds another type.
    package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    /// A text column, for pragmas and reports.
    package func text(_ column: Int32) -> String? {
        sqlite3_column_text(handle, column).map { String(cString: $0) }
    }
}
