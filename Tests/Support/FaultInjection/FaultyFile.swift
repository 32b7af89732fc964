// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// The table of functions SQLite calls on a file of a faulty disk.
enum FaultyFile {
    /// Made once, never changed and never freed: SQLite holds pointers to it.
    nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: make())
        return UnsafePointer(table)
    }()

    private static func make() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        // Version 2 has shared memory, and no memory mapping around our reads.
        methods.iVersion = 2
        addFileCalls(to: &methods)
        addLockCalls(to: &methods)
        addSharedMemoryCalls(to: &methods)
        return methods
    }

    private static func addFileCalls(to methods: inout sqlite3_io_methods) {
        methods.xClose = { pointer in
            guard let pointer, let file = FileHeader.file(pointer) else { return SQLITE_OK }
            let result = file.methods.xClose(file.inner)
            file.disk.closed()
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: FileHeader.self).pointee.open?.release()
            return result
        }
        methods.xRead = { pointer, bytes, count, offset in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.refusal(of: .read) ?? file.methods.xRead(file.inner, bytes, count, offset)
        }
        methods.xWrite = { pointer, bytes, count, offset in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), to: file, at: Int(offset))
        }
        methods.xTruncate = { pointer, size in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.truncate(file, to: Int(size))
        }
        methods.xSync = { pointer, _ in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.sync(file)
        }
        methods.xFileSize = { pointer, size in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.refusal(of: .fileSize) ?? file.methods.xFileSize(file.inner, size)
        }
        methods.xFileControl = { pointer, operation, argument in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.methods.xFileControl(file.inner, operation, argument)
        }
        methods.xSectorSize = { pointer in
            guard let file = FileHeader.file(pointer) else { return 0 }
            return file.methods.xSectorSize(file.inner)
        }
        methods.xDeviceCharacteristics = { pointer in
            guard let file = FileHeader.file(pointer) else { return 0 }
            return file.methods.xDeviceCharacteristics(file.inner)
        }
    }

    /// The kernel releases the locks of the dead, so unlocking always works.
    private static func addLockCalls(to methods: inout sqlite3_io_methods) {
        methods.xLock = { pointer, level in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.refusal(of: .lock) ?? file.methods.xLock(file.inner, level)
        }
        methods.xUnlock = { pointer, level in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.methods.xUnlock(file.inner, level)
        }
        methods.xCheckReservedLock = { pointer, result in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.refusal(of: .checkReservedLock) ?? file.methods.xCheckReservedLock(file.inner, result)
        }
    }

    private static func addSharedMemoryCalls(to methods: inout sqlite3_io_methods) {
        methods.xShmMap = { pointer, page, size, extend, memory in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            return file.disk.refusal(of: .shmMap) ?? file.methods.xShmMap(file.inner, page, size, extend, memory)
        }
        methods.xShmLock = { pointer, offset, count, flags in
            guard let file = FileHeader.file(pointer) else { return SQLITE_IOERR }
            if flags & SQLITE_SHM_LOCK != 0, let refusal = file.disk.refusal(of: .shmLock) { return refusal }
            return file.methods.xShmLock(file.inner, offset, count, flags)
        }
        methods.xShmBarrier = { pointer in
            guard let file = FileHeader.file(pointer) else { return }
            file.methods.xShmBarrier(file.inner)
        }
        methods.xShmUnmap = { pointer, deletes in
            guard let file = FileHeader.file(pointer) else { return SQLITE_OK }
            // The dead leave their files behind.
            return file.methods.xShmUnmap(file.inner, file.disk.isDead ? 0 : deletes)
        }
    }
}
