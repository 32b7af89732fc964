// SPDX-License-Identifier: Apache-2.0
import GRDBSQLite

/// Reading and writing the pages of a database file.
enum CheckedDatabase {
    /// The part of the first page that SQLite reads before it knows the size of pages, without a lock.
    private static let headerSize = 100
    private static let pageSizePlace = 16
    private static let reservePlace = 20
    /// The version of SQLite's format that a writer of the file must know, and a reader.
    private static let writerPlace = 18
    private static let readerPlace = 19
    /// A version that no writer knows, so that other programs, and earlier versions of Hearth, read the file and do not write to it:
    /// their pages would have no checksum. SQLite sees the one of readers.
    private static let guardedVersion: UInt8 = 3
    private static let applicationPlace = 68
    /// So many bytes show what a file is: eight pages, as Hearth makes them.
    private static let sampleSize = 65_536

    // MARK: Reading

    static func read(_ file: CheckedFile.Pointer, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let own = CheckedFile.of(file)
        if own.pointee.mode == .unknown {
            let code = recognize(file)
            guard code == SQLITE_OK else { return code }
        }
        guard own.pointee.mode == .with else { return CheckedFile.read(file, bytes, count, at: offset) }
        let pageSize = own.pointee.pageSize
        guard count == pageSize, offset % Int64(pageSize) == 0 else { return readPart(file, bytes, count, at: offset) }
        return readPage(file, bytes, at: offset)
    }

    /// A page behind the end of the file is one that is lost: SQLite does not ask for pages that it has never written.
    private static func readPage(_ file: CheckedFile.Pointer, _ bytes: UnsafeMutableRawPointer, at offset: Int64) -> Int32 {
        let pageSize = CheckedFile.of(file).pointee.pageSize
        let code = CheckedFile.read(file, bytes, pageSize, at: offset)
        guard code == SQLITE_OK || code == CheckedFile.shortReadCode else { return code }
        let page = UnsafeRawBufferPointer(start: bytes, count: pageSize)
        guard code == SQLITE_OK, PageChecksum.isRight(page, number: number(offset, pageSize)) else {
            return CheckedFile.damaged(file, at: offset, pageSize, isLog: false)
        }
        if offset == 0 { bytes.storeBytes(of: page[readerPlace], toByteOffset: writerPlace, as: UInt8.self) }
        return SQLITE_OK
    }

    @inline(__always)
    private static func number(_ offset: Int64, _ pageSize: Int) -> UInt32 { UInt32(truncatingIfNeeded: offset / Int64(pageSize) + 1) }

    /// A part of pages, each of which is read and checked.
    private static func readPart(_ file: CheckedFile.Pointer, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard count > 0, offset >= 0 else { return SQLITE_IOERR }
        if offset + Int64(count) <= headerSize { return readHeader(file, bytes, count, at: Int(offset)) }
        let pageSize = Int64(CheckedFile.of(file).pointee.pageSize)
        let page = CheckedFile.scratch(file)
        guard let start = page.baseAddress else { return SQLITE_NOMEM }
        var place = offset
        while place < offset + Int64(count) {
            let pageStart = place / pageSize * pageSize
            let end = min(pageStart + pageSize, offset + Int64(count))
            let code = readPage(file, start, at: pageStart)
            guard code == SQLITE_OK else { return code }
            (bytes + Int(place - offset)).copyMemory(from: start + Int(place - pageStart), byteCount: Int(end - place))
            place = end
        }
        return SQLITE_OK
    }

    /// The header, with what SQLite must not see wrongly: how large pages are and how much of them is reserved. All else in it is read
    /// again with the whole page, from the file or from the log. It is not checked here, because after a failure in the middle of a write
    /// the page may be right in the log only.
    private static func readHeader(_ file: CheckedFile.Pointer, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int32 {
        let code = CheckedFile.read(file, bytes, count, at: Int64(offset))
        guard code == SQLITE_OK else { return code }
        let pageSize = CheckedFile.of(file).pointee.pageSize
        // 65,536 does not fit and is written as 1.
        let size = pageSize == 65_536 ? 1 : pageSize
        for (place, value) in [(pageSizePlace, size >> 8), (pageSizePlace + 1, size & 0xFF), (reservePlace, PageChecksum.size)]
        where (offset..<offset + count).contains(place) {
            bytes.storeBytes(of: UInt8(value), toByteOffset: place - offset, as: UInt8.self)
        }
        if offset <= writerPlace, offset + count > readerPlace {
            let version = bytes.load(fromByteOffset: readerPlace - offset, as: UInt8.self)
            bytes.storeBytes(of: version, toByteOffset: writerPlace - offset, as: UInt8.self)
        }
        return SQLITE_OK
    }

    // MARK: Writing

    static func write(_ file: CheckedFile.Pointer, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let own = CheckedFile.of(file)
        if own.pointee.mode == .unknown {
            let code = recognize(file)
            guard code == SQLITE_OK else { return code }
            // A new file.
            if own.pointee.mode == .unknown {
                own.pointee.mode = .with
                own.pointee.pageSize = count
            }
        }
        let inner = CheckedFile.inner(file)
        guard own.pointee.mode == .with else { return inner.pointee.pMethods.pointee.xWrite(inner, bytes, Int32(count), offset) }
        let pageSize = own.pointee.pageSize
        // Nothing but pages is written, and the last bytes of each are reserved.
        guard count == pageSize, count >= 512, offset % Int64(pageSize) == 0,
            offset > 0 || bytes.load(fromByteOffset: reservePlace, as: UInt8.self) == UInt8(PageChecksum.size)
        else { return CheckedFile.writeFailureCode }
        let page = CheckedFile.scratch(file)
        page.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
        if offset == 0 { page[writerPlace] = guardedVersion }
        PageChecksum.store(in: page, number: number(offset, pageSize))
        return inner.pointee.pMethods.pointee.xWrite(inner, page.baseAddress, Int32(count), offset)
    }

    // MARK: Whether there are checksums

    static func answer(_ file: CheckedFile.Pointer, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        if CheckedFile.of(file).pointee.mode == .unknown {
            let code = recognize(file)
            guard code == SQLITE_OK else { return code }
        }
        argument?.assumingMemoryBound(to: Int32.self).pointee = CheckedFile.of(file).pointee.mode == .without ? 0 : 1
        return SQLITE_OK
    }

    /// Finds out whether the pages have checksums; stays as it is while the file is empty. One page with its checksum suffices: by
    /// accident no page has it. So damage to the first page does not turn the checks off.
    private static func recognize(_ file: CheckedFile.Pointer) -> Int32 {
        let inner = CheckedFile.inner(file)
        var size: sqlite3_int64 = 0
        let code = inner.pointee.pMethods.pointee.xFileSize(inner, &size)
        guard code == SQLITE_OK, size > 0 else { return code }
        let sample = UnsafeMutableRawBufferPointer.allocate(byteCount: min(sampleSize, Int(size)), alignment: 16)
        defer { sample.deallocate() }
        guard let start = sample.baseAddress else { return SQLITE_NOMEM }
        let reading = CheckedFile.read(file, start, sample.count, at: 0)
        guard reading == SQLITE_OK else { return reading == CheckedFile.shortReadCode ? SQLITE_OK : reading }
        let own = CheckedFile.of(file)
        let pageSize = pageSize(in: UnsafeRawBufferPointer(sample))
        own.pointee.mode = pageSize == nil ? .without : .with
        own.pointee.pageSize = pageSize ?? 0
        return SQLITE_OK
    }

    /// The size of pages that have checksums; nil if there are none.
    private static func pageSize(in sample: UnsafeRawBufferPointer) -> Int? {
        let written = sample.count < headerSize ? nil : writtenPageSize(in: sample)
        for size in Set([written, SQLiteSettings.pageSize, 4_096].compactMap { $0 }).sorted() {
            for number in 0..<sample.count / size {
                let page = UnsafeRawBufferPointer(rebasing: sample[number * size..<(number + 1) * size])
                if PageChecksum.isRight(page, number: UInt32(number + 1)) { return size }
            }
        }
        // A file of ours that says it has them, with damage in every one of these pages.
        guard sample.count >= headerSize, sample[reservePlace] == UInt8(PageChecksum.size) else { return nil }
        let application = Int32(bigEndian: sample.loadUnaligned(fromByteOffset: applicationPlace, as: Int32.self))
        return StoreKind(rawValue: application) == nil ? nil : written ?? SQLiteSettings.pageSize
    }

    private static func writtenPageSize(in sample: UnsafeRawBufferPointer) -> Int? {
        let value = Int(sample[pageSizePlace]) << 8 | Int(sample[pageSizePlace + 1])
        let size = value == 1 ? 65_536 : value
        return size >= 512 && size & (size - 1) == 0 ? size : nil
    }
}
