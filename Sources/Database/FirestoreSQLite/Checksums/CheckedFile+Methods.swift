// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// The tables of functions that SQLite calls on a checked file. All but reading and writing goes to the file below.
extension CheckedFile {
    /// Made once, never changed and never freed: SQLite holds pointers to them.
    nonisolated(unsafe) static let databaseMethods = table { methods in
        methods.xRead = { file, bytes, count, offset in
            guard let file, let bytes else { return SQLITE_IOERR }
            return CheckedDatabase.read(file, bytes, Int(count), at: offset)
        }
        methods.xWrite = { file, bytes, count, offset in
            guard let file, let bytes else { return SQLITE_IOERR }
            return CheckedDatabase.write(file, bytes, Int(count), at: offset)
        }
    }

    /// As above.
    nonisolated(unsafe) static let logMethods = table { methods in
        methods.xRead = { file, bytes, count, offset in
            guard let file, let bytes else { return SQLITE_IOERR }
            return CheckedLog.read(file, bytes, Int(count), at: offset)
        }
        methods.xWrite = { file, bytes, count, offset in
            guard let file, let bytes else { return SQLITE_IOERR }
            return CheckedLog.write(file, bytes, Int(count), at: offset)
        }
    }

    private static func table(_ fill: (inout sqlite3_io_methods) -> Void) -> UnsafePointer<sqlite3_io_methods> {
        var methods = sqlite3_io_methods()
        // Version 2 has shared memory, and no memory mapping, which would bypass the checks.
        methods.iVersion = 2
        addFileCalls(to: &methods)
        addLockCalls(to: &methods)
        addSharedMemoryCalls(to: &methods)
        fill(&methods)
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: methods)
        return UnsafePointer(table)
    }

    private static func addFileCalls(to methods: inout sqlite3_io_methods) {
        methods.xClose = { file in
            guard let file else { return SQLITE_OK }
            let below = CheckedFile.inner(file)
            let result = below.pointee.pMethods.pointee.xClose(below)
            CheckedFile.of(file).pointee.scratch?.deallocate()
            CheckedFile.of(file).pointee.scratch = nil
            return result
        }
        methods.xTruncate = { file, size in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xTruncate(below, size)
        }
        methods.xSync = { file, flags in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xSync(below, flags)
        }
        methods.xFileSize = { file, size in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xFileSize(below, size)
        }
        methods.xFileControl = { file, operation, argument in
            guard let file else { return SQLITE_IOERR }
            if operation == CheckedVFS.question { return CheckedDatabase.answer(file, argument) }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xFileControl(below, operation, argument)
        }
        methods.xSectorSize = { file in
            guard let file else { return 0 }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xSectorSize(below)
        }
        methods.xDeviceCharacteristics = { file in
            guard let file else { return 0 }
            let below = CheckedFile.inner(file)
            // Parts of pages, which newer versions of SQLite read where that is possible, would be read as whole pages here.
            let partsOfPages: Int32 = 0x8000
            return below.pointee.pMethods.pointee.xDeviceCharacteristics(below) & ~partsOfPages
        }
    }

    private static func addLockCalls(to methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xLock(below, level)
        }
        methods.xUnlock = { file, level in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xUnlock(below, level)
        }
        methods.xCheckReservedLock = { file, result in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xCheckReservedLock(below, result)
        }
    }

    private static func addSharedMemoryCalls(to methods: inout sqlite3_io_methods) {
        methods.xShmMap = { file, page, size, extend, memory in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xShmMap(below, page, size, extend, memory)
        }
        methods.xShmLock = { file, offset, count, flags in
            guard let file else { return SQLITE_IOERR }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xShmLock(below, offset, count, flags)
        }
        methods.xShmBarrier = { file in
            guard let file else { return }
            let below = CheckedFile.inner(file)
            below.pointee.pMethods.pointee.xShmBarrier(below)
        }
        methods.xShmUnmap = { file, deletes in
            guard let file else { return SQLITE_OK }
            let below = CheckedFile.inner(file)
            return below.pointee.pMethods.pointee.xShmUnmap(below, deletes)
        }
    }
}
