// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// One file that SQLite has open on a faulty disk, and the real file under it.
final class OpenFile {
    let disk: FaultyDisk
    let path: String
    /// In the memory SQLite gave us for both; valid until `close`.
    let inner: UnsafeMutablePointer<sqlite3_file>

    /// SQLite's real VFS syncs the directory with a journal that it may have made.
    let syncsDirectory: Bool

    init(disk: FaultyDisk, path: String, inner: UnsafeMutablePointer<sqlite3_file>, flags: Int32) {
        self.disk = disk
        self.path = path
        self.inner = inner
        let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
        syncsDirectory = flags & SQLITE_OPEN_CREATE != 0 && flags & journals != 0
    }

    var methods: sqlite3_io_methods { inner.pointee.pMethods.pointee }

    var size: Int {
        var size: sqlite3_int64 = 0
        _ = methods.xFileSize(inner, &size)
        return Int(size)
    }

    /// What stands there now, as far as the file goes.
    func content(from offset: Int, count: Int) -> [UInt8] {
        let count = min(count, size - offset)
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        _ = bytes.withUnsafeMutableBytes { methods.xRead(inner, $0.baseAddress, Int32(count), sqlite3_int64(offset)) }
        return bytes
    }

    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
        guard let start = bytes.baseAddress else { return SQLITE_OK }
        return methods.xWrite(inner, start, Int32(bytes.count), sqlite3_int64(offset))
    }

    func cut(to size: Int) -> Int32 { methods.xTruncate(inner, sqlite3_int64(size)) }
}

/// The target of SQLite's pointer to an intercepted file; the real file's structure follows it.
struct FileHeader {
    var file: sqlite3_file
    var open: Unmanaged<OpenFile>?

    /// Where the real file begins: behind this header, as strictly aligned as malloc would have it.
    static var size: Int { (MemoryLayout<FileHeader>.size + 15) / 16 * 16 }

    /// The file behind a pointer that SQLite got from `FaultyVFS.open`.
    static func file(_ pointer: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        guard let pointer else { return nil }
        return UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: FileHeader.self).pointee.open?.takeUnretainedValue()
    }
}
