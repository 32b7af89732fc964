// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The layer itself: opens files over the process's default VFS, databases and their logs with checks.
///
/// `@unchecked Sendable`: the structure is filled before SQLite learns of it, never changes except by SQLite's list of them, and is never
/// freed.
final class CheckedVFS: @unchecked Sendable {
    /// Asks a file whether its pages have checksums: SQLite leaves numbers above 100 to others.
    static let question: Int32 = 0x4852_5448
    /// The memory that the file of the VFS below may need. Those of SQLite need about a hundred bytes.
    private static let room: Int32 = 2_048

    private let own: UnsafeMutablePointer<sqlite3_vfs>

    init(name: String) {
        sqlite3_initialize()
        own = .allocate(capacity: 1)
        var vfs = sqlite3_vfs_find(nil)?.pointee ?? sqlite3_vfs()
        vfs.pNext = nil
        vfs.zName = UnsafePointer(strdup(name))
        vfs.szOsFile = Int32(CheckedFile.size) + Self.room
        // Whatever is the default at that moment: a test may put its own under this one.
        vfs.xOpen = { _, path, file, flags, outFlags in CheckedVFS.open(path, file, flags, outFlags) }
        vfs.xDelete = { _, path, durably in
            guard let real = sqlite3_vfs_find(nil) else { return SQLITE_IOERR }
            return real.pointee.xDelete(real, path, durably)
        }
        vfs.xAccess = { _, path, flags, result in
            guard let real = sqlite3_vfs_find(nil) else { return SQLITE_IOERR }
            return real.pointee.xAccess(real, path, flags, result)
        }
        vfs.xFullPathname = { _, path, count, result in
            guard let real = sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
            return real.pointee.xFullPathname(real, path, count, result)
        }
        own.initialize(to: vfs)
        sqlite3_vfs_register(own, 0)
    }

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let real = sqlite3_vfs_find(nil), let file else { return SQLITE_CANTOPEN }
        let isDatabase = flags & SQLITE_OPEN_MAIN_DB != 0
        // Other journals, and files that are not there for others.
        guard isDatabase || flags & SQLITE_OPEN_WAL != 0, path != nil else {
            guard real.pointee.szOsFile <= room + Int32(CheckedFile.size) else { return SQLITE_CANTOPEN }
            return real.pointee.xOpen(real, path, file, flags, outFlags)
        }
        file.pointee.pMethods = nil
        guard real.pointee.szOsFile <= room else { return SQLITE_CANTOPEN }
        let memory = UnsafeMutableRawPointer(file)
        let inner = memory.advanced(by: CheckedFile.size).assumingMemoryBound(to: sqlite3_file.self)
        inner.pointee.pMethods = nil
        let result = real.pointee.xOpen(real, path, inner, flags, outFlags)
        guard result == SQLITE_OK else {
            // A file whose methods are set must be closed, even if opening it has failed.
            if let methods = inner.pointee.pMethods { _ = methods.pointee.xClose(inner) }
            return result
        }
        memory.assumingMemoryBound(to: CheckedFile.self).initialize(
            to: CheckedFile(
                base: sqlite3_file(pMethods: isDatabase ? CheckedFile.databaseMethods : CheckedFile.logMethods), path: path))
        return SQLITE_OK
    }
}
