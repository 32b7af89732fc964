// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// What SQLite's pointer to a checked file points to. The file of the VFS below follows it.
///
/// A connection uses its files one call at a time. What a call changes here it changes in place.
struct CheckedFile {
    /// What is known of the checksums of a database file.
    enum Mode {
        /// The file was empty, and nothing was read from it or written into it yet.
        case unknown
        case without
        case with
    }

    /// SQLite's part.
    var base: sqlite3_file
    /// The name of the file, which SQLite holds while the file is open.
    let path: UnsafePointer<CChar>?

    var mode = Mode.unknown
    var pageSize = 0
    /// A page, for writing.
    var scratch: UnsafeMutableRawBufferPointer?

    /// Of a log: the first frame that the present transaction has written a second time. SQLite corrects the checksums from there on when
    /// it commits.
    var firstRewritten = Int64.max
    /// Of a log: where the last write ended.
    var writeEnd: Int64 = -1

    init(base: sqlite3_file, path: UnsafePointer<CChar>?) {
        self.base = base
        self.path = path
    }

    /// As strictly aligned as malloc would have it.
    static let size = (MemoryLayout<CheckedFile>.size + 15) / 16 * 16

    typealias Pointer = UnsafeMutablePointer<sqlite3_file>

    @inline(__always)
    static func of(_ file: Pointer) -> UnsafeMutablePointer<CheckedFile> {
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: CheckedFile.self)
    }

    /// The file of the VFS below.
    @inline(__always)
    static func inner(_ file: Pointer) -> Pointer {
        (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// The page, which is allocated with the first use.
    static func scratch(_ file: Pointer) -> UnsafeMutableRawBufferPointer {
        let own = of(file)
        if let scratch = own.pointee.scratch, scratch.count == own.pointee.pageSize { return scratch }
        own.pointee.scratch?.deallocate()
        let new = UnsafeMutableRawBufferPointer.allocate(byteCount: own.pointee.pageSize, alignment: 16)
        own.pointee.scratch = new
        return new
    }

    static func read(_ file: Pointer, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let inner = inner(file)
        return inner.pointee.pMethods.pointee.xRead(inner, bytes, Int32(count), offset)
    }

    /// The result for SQLite of bytes that are not those that were written. As `SQLITE_IOERR_DATA` it would roll back the whole
    /// transaction, with the commits of others in it; as a damaged file it fails the statement that needs the page.
    static let damageCode = SQLITE_CORRUPT | (0x48 << 8)
    static let shortReadCode = SQLITE_IOERR | (2 << 8)
    static let writeFailureCode = SQLITE_IOERR | (3 << 8)

    /// The result of bytes that are not those that were written. Where they are is remembered for the message.
    static func damaged(_ file: Pointer, at offset: Int64, _ count: Int, isLog: Bool) -> Int32 {
        if let path = of(file).pointee.path {
            var name = Substring(String(cString: path))
            if isLog, name.hasSuffix("-wal") { name = name.dropLast(4) }
            DamagedPages.shared.note(DamagedPages.Place(isLog: isLog, offset: offset, size: count), in: String(name))
        }
        return damageCode
    }
}
