// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDBSQLite

/// Document handles as a table of SQLite, so that one run of a statement reads the documents of many index entries.
///
/// `hearth_handles(?1)` has a row for each handle that the bound `HandleFeed` returns. It asks for the next one when the statement has
/// passed the last document, and not before. A statement that is run for each document opens and closes its cursors for each
/// (decision 64).
enum HandleTable {
    private static let name = "hearth_handles"
    /// What the pointer is that a statement is bound to.
    fileprivate static let pointerType: StaticString = "hearth-handles"

    /// The methods of the table, for all connections and for as long as the process runs.
    private static let module = Module()

    /// Makes the table known to a connection.
    static func register(on connection: OpaquePointer?) { sqlite3_create_module_v2(connection, name, module.methods, nil, nil) }

    /// - `@unchecked Sendable`: it is filled before it is shared, and never changes.
    private final class Module: @unchecked Sendable {
        let methods = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)

        init() {
            methods.initialize(to: sqlite3_module())
            // Without `xCreate`, it is a function in the place of a table, and exists in every schema.
            methods.pointee.xConnect = { connection, _, _, _, table, _ in
                let code = sqlite3_declare_vtab(connection, "CREATE TABLE x(handle INTEGER, feed HIDDEN)")
                guard code == SQLITE_OK else { return code }
                let made = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
                made.initialize(to: sqlite3_vtab())
                table?.pointee = made
                return SQLITE_OK
            }
            methods.pointee.xDisconnect = { table in
                table?.deallocate()
                return SQLITE_OK
            }
            methods.pointee.xBestIndex = { _, info in
                guard let info else { return SQLITE_ERROR }
                for place in 0..<Int(info.pointee.nConstraint) {
                    let constraint = info.pointee.aConstraint[place]
                    let isFeed = constraint.iColumn == 1 && constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ)
                    guard isFeed, constraint.usable != 0 else { continue }
                    info.pointee.aConstraintUsage[place].argvIndex = 1
                    info.pointee.aConstraintUsage[place].omit = 1
                    return SQLITE_OK
                }
                return SQLITE_CONSTRAINT
            }
            methods.pointee.xOpen = { _, cursor in
                let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
                made.initialize(to: Cursor())
                cursor?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
                return SQLITE_OK
            }
            methods.pointee.xClose = { cursor in
                cursor.map(Cursor.of)?.deallocate()
                return SQLITE_OK
            }
            methods.pointee.xFilter = { cursor, _, _, count, values in
                guard let cursor = cursor.map(Cursor.of), count == 1, let value = values?[0],
                    let feed = HandleTable.pointerType.withUTF8Buffer({ type in
                        type.withMemoryRebound(to: CChar.self) { sqlite3_value_pointer(value, $0.baseAddress) }
                    })
                else { return SQLITE_MISUSE }
                cursor.pointee.feed = Unmanaged<HandleFeed>.fromOpaque(feed)
                return cursor.pointee.advance()
            }
            methods.pointee.xNext = { cursor in cursor.map(Cursor.of)?.pointee.advance() ?? SQLITE_MISUSE }
            methods.pointee.xEof = { cursor in cursor.map(Cursor.of)?.pointee.handle == nil ? 1 : 0 }
            methods.pointee.xColumn = { cursor, context, _ in
                sqlite3_result_int64(context, cursor.map(Cursor.of)?.pointee.handle ?? 0)
                return SQLITE_OK
            }
            methods.pointee.xRowid = { cursor, row in
                row?.pointee = cursor.map(Cursor.of)?.pointee.handle ?? 0
                return SQLITE_OK
            }
        }
    }

    /// A cursor of SQLite's and, behind it, ours.
    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        var feed: Unmanaged<HandleFeed>?
        var handle: Int64?

        static func of(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> UnsafeMutablePointer<Cursor> {
            UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self)
        }

        mutating func advance() -> Int32 {
            guard let feed else { return SQLITE_MISUSE }
            return feed._withUnsafeGuaranteedRef { feed in
                do throws(FirestoreError) {
                    handle = try feed.next()?.number
                    return SQLITE_OK
                } catch {
                    feed.failure = error
                    return SQLITE_ERROR
                }
            }
        }
    }
}

/// Where the handles of one run of a statement come from.
final class HandleFeed {
    fileprivate let next: () throws(FirestoreError) -> DocumentHandle?
    /// Why the run has ended with an error of SQLite's.
    fileprivate(set) var failure: FirestoreError?

    init(_ next: @escaping () throws(FirestoreError) -> DocumentHandle?) { self.next = next }
}

extension SQLStatement {
    /// Binds a table of handles. The feed must exist until `reset`.
    func bind(_ index: Int32, _ feed: HandleFeed) {
        HandleTable.pointerType.withUTF8Buffer { type in
            type.withMemoryRebound(to: CChar.self) { type in
                bind(index, pointer: Unmanaged.passUnretained(feed).toOpaque(), type: type.baseAddress)
            }
        }
    }
}
