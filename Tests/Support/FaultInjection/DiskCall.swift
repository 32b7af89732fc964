// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// What SQLite asks of a disk.
package enum DiskCall: String, CaseIterable, Sendable {
    case open, access, delete, read, write, truncate, sync, fileSize, lock, checkReservedLock, shmMap, shmLock

    var changesDisk: Bool {
        switch self {
        case .write, .truncate, .sync, .delete: true
        case .open, .access, .read, .fileSize, .lock, .checkReservedLock, .shmMap, .shmLock: false
        }
    }

    /// What SQLite receives when the call fails: an extended code of SQLITE_IOERR.
    var failure: Int32 {
        let detail: Int32 =
            switch self {
            case .read: 1
            case .write: 3
            case .sync: 4
            case .truncate: 6
            case .fileSize: 7
            case .delete: 10
            case .access: 13
            case .checkReservedLock: 14
            case .lock: 15
            case .shmLock: 20
            case .shmMap: 21
            case .open: 0
            }
        return self == .open ? SQLITE_CANTOPEN : SQLITE_IOERR | (detail << 8)
    }

    /// The result for SQLite when the disk is full.
    var noRoom: Int32 { self == .shmMap ? SQLITE_IOERR | (19 << 8) : SQLITE_FULL }
}
