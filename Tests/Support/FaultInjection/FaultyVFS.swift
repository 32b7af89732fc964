// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDBSQLite

/// SQLite's VFS in a test process: the real one for all files outside of a `FaultyDisk`.
///
/// It is the process's default, so that `Engine` opens its database as it always does. Other files are
/// files of the real VFS, whose calls do not come through here.
///
/// `@unchecked Sendable`: the two pointers are set before SQLite learns of them, never change, and what they point to is never freed.
final class FaultyVFS: @unchecked Sendable {
    static let shared = FaultyVFS()

    private let disks = Mutex<[String: FaultyDisk]>([:])
    private let real: UnsafeMutablePointer<sqlite3_vfs>?
    private let own: UnsafeMutablePointer<sqlite3_vfs>

    private init() {
        sqlite3_initialize()
        real = sqlite3_vfs_find(nil)
        own = .allocate(capacity: 1)
        var vfs = real?.pointee ?? sqlite3_vfs()
        vfs.pNext = nil
        vfs.zName = UnsafePointer(strdup("hearth-faults"))
        vfs.szOsFile += Int32(FileHeader.size)
        vfs.xOpen = { _, path, file, flags, outFlags in FaultyVFS.shared.open(path, file, flags, outFlags) }
        vfs.xDelete = { _, path, durably in FaultyVFS.shared.delete(path, durably) }
        vfs.xAccess = { _, path, flags, result in FaultyVFS.shared.access(path, flags, result) }
        own.initialize(to: vfs)
        sqlite3_vfs_register(own, 1)
    }

    func watch(_ disk: FaultyDisk) { disks.withLock { $0[disk.path] = disk } }
    func forget(_ disk: FaultyDisk) { disks.withLock { $0[disk.path] = nil } }

    /// The disk of a database file or of one of its journals.
    private func disk(of path: UnsafePointer<CChar>?) -> (FaultyDisk, String)? {
        guard let path else { return nil }
        let file = String(cString: path)
        var database = Substring(file)
        for suffix in ["-wal", "-journal"] where file.hasSuffix(suffix) { database = file.dropLast(suffix.count) }
        guard let disk = disks.withLock({ $0[String(database)] }) else { return nil }
        return (disk, file)
    }

    private func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let real, let file else { return SQLITE_CANTOPEN }
        guard let (disk, name) = disk(of: path) else { return real.pointee.xOpen(real, path, file, flags, outFlags) }
        file.pointee.pMethods = nil
        if let refusal = disk.refusal(of: .open) { return refusal }
        let isNew = !FileManager.default.fileExists(atPath: name)
        let memory = UnsafeMutableRawPointer(file)
        let inner = memory.advanced(by: FileHeader.size).assumingMemoryBound(to: sqlite3_file.self)
        let result = real.pointee.xOpen(real, path, inner, flags, outFlags)
        guard result == SQLITE_OK else {
            // A file whose methods are set must be closed, even if opening it has failed.
            if inner.pointee.pMethods != nil { _ = inner.pointee.pMethods.pointee.xClose(inner) }
            return result
        }
        disk.opened(name, isNew: isNew)
        let open = Unmanaged.passRetained(OpenFile(disk: disk, path: name, inner: inner, flags: flags))
        memory.assumingMemoryBound(to: FileHeader.self).initialize(
            to: FileHeader(file: sqlite3_file(pMethods: FaultyFile.methods), open: open))
        return SQLITE_OK
    }

    private func delete(_ path: UnsafePointer<CChar>?, _ durably: Int32) -> Int32 {
        guard let real else { return SQLITE_IOERR }
        guard let (disk, name) = disk(of: path) else { return real.pointee.xDelete(real, path, durably) }
        return disk.delete(name, durably: durably != 0) { real.pointee.xDelete(real, path, 0) }
    }

    private func access(_ path: UnsafePointer<CChar>?, _ flags: Int32, _ result: UnsafeMutablePointer<Int32>?) -> Int32 {
        guard let real else { return SQLITE_IOERR }
        if let (disk, _) = disk(of: path), let refusal = disk.refusal(of: .access) { return refusal }
        return real.pointee.xAccess(real, path, flags, result)
    }
}
