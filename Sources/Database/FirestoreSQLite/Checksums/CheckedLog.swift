// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// Reading and writing the write-ahead log: its pages are compared with the checksums that SQLite has written there.
///
/// A transaction that is larger than the cache may write a page a second time into the same frame. Until SQLite has corrected the
/// checksums, at the commit, frames from there on are not compared; only the connection that writes can read them.
enum CheckedLog {
    static func read(_ file: CheckedFile.Pointer, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let code = CheckedFile.read(file, bytes, count, at: offset)
        guard code == SQLITE_OK, let frame = LogFrame.number(ofPageAt: offset, size: count),
            frame < CheckedFile.of(file).pointee.firstRewritten
        else { return code }
        // The header of this frame, and the checksum of the one before it.
        return withUnsafeTemporaryAllocation(byteCount: LogFrame.headerSize + 8, alignment: 8) { header in
            guard let start = header.baseAddress else { return SQLITE_NOMEM }
            let headerStart = offset - Int64(LogFrame.headerSize)
            let before =
                frame == 0
                ? Int64(LogFrame.logChecksumPlace)
                : headerStart - Int64(count + LogFrame.headerSize) + Int64(LogFrame.checksumPlace)
            var code = CheckedFile.read(file, start, LogFrame.headerSize, at: headerStart)
            if code == SQLITE_OK { code = CheckedFile.read(file, start + LogFrame.headerSize, 8, at: before) }
            guard code == SQLITE_OK else { return code }
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            let previous = LogFrame.Checksum(UnsafeRawBufferPointer(header), at: LogFrame.headerSize)
            guard LogFrame.isRight(header: UnsafeRawBufferPointer(header), page: bytes, after: previous) else {
                return CheckedFile.damaged(file, at: offset, count, isLog: true)
            }
            return SQLITE_OK
        }
    }

    static func write(_ file: CheckedFile.Pointer, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let own = CheckedFile.of(file)
        if let frame = LogFrame.number(ofPageAt: offset, size: count), offset != own.pointee.writeEnd {
            // Without its header before it.
            own.pointee.firstRewritten = min(own.pointee.firstRewritten, frame)
        } else if count == LogFrame.headerSize, isChecked(UnsafeRawBufferPointer(start: bytes, count: count)) {
            // SQLite writes headers without a checksum while there are some to correct.
            own.pointee.firstRewritten = .max
        }
        own.pointee.writeEnd = offset + Int64(count)
        let inner = CheckedFile.inner(file)
        return inner.pointee.pMethods.pointee.xWrite(inner, bytes, Int32(count), offset)
    }

    /// Whether the header of a frame has more than the number of its page and the size of the database.
    private static func isChecked(_ header: UnsafeRawBufferPointer) -> Bool {
        stride(from: 8, to: LogFrame.headerSize, by: 8).contains { header.loadUnaligned(fromByteOffset: $0, as: UInt64.self) != 0 }
    }
}
