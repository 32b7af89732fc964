// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// The lines of a file, in place, one after the other, with one buffer in memory. For one thread.
package final class LineReader {
    package enum Line {
        case text(UnsafeRawBufferPointer)
        /// Longer than any document. The line was skipped.
        case tooLong
    }

    /// More than a document of a megabyte with every character escaped.
    package static let maximumLine = 16 << 20
    private static let initialSize = 1 << 18

    private let file: any ByteSource
    private let limit: Int
    private var buffer: [UInt8]
    /// The beginning of the unused bytes.
    private var start = 0
    private var end = 0
    private var hasEnded = false
    /// The number of the last line, counted from 1.
    package private(set) var number = 0

    /// `limit` and `size` are for tests.
    package init(_ file: any ByteSource, limit: Int = LineReader.maximumLine, size: Int? = nil) {
        self.file = file
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: size ?? Self.initialSize)
    }

    package var fileName: String { file.name }
    package var fileSize: Int64? { file.size }
    /// The number of bytes of the file that have been used.
    package var bytesRead: Int64 { file.position(without: end - start) }

    /// Passes the next line to `body`, without its end (a line feed, optionally after a carriage return); nil at the
    /// end of the file. Bytes after the last line feed are a line.
    package func next<R>(_ body: (Line) -> R) throws(FirestoreError) -> R? {
        // There is no line feed between here and `end`.
        var searched = start
        var isTooLong = false
        while true {
            if let feed = indexOfLineFeed(from: searched) {
                defer { start = feed + 1 }
                return hand(start..<feed, isTooLong: isTooLong, to: body)
            }
            if end - start > limit {
                // Only the end of the line matters now.
                isTooLong = true
                start = end
            }
            if hasEnded {
                guard end > start || isTooLong else { return nil }
                defer { start = end }
                return hand(start..<end, isTooLong: isTooLong, to: body)
            }
            let read = end - start
            try readMore()
            searched = start + read
        }
    }

    private func hand<R>(_ range: Range<Int>, isTooLong: Bool, to body: (Line) -> R) -> R {
        number += 1
        return buffer.withUnsafeBytes { bytes in
            if isTooLong || range.count > limit { return body(.tooLong) }
            var line = bytes[range]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            // Some editors write a byte order mark at the beginning of a file.
            if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            return body(.text(UnsafeRawBufferPointer(rebasing: line)))
        }
    }

    private func indexOfLineFeed(from first: Int) -> Int? {
        guard first < end else { return nil }
        return buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + first, 0x0A, end - first) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Makes room after the unused bytes and fills some of it.
    private func readMore() throws(FirestoreError) {
        if start > 0 {
            let (start, count) = (start, end - start)
            buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress, count > 0 else { return }
                base.copyMemory(from: base + start, byteCount: count)
            }
            self.start = 0
            end = count
        }
        if end == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
        let count = try file.read(into: &buffer, from: end)
        end += count
        if count == 0 { hasEnded = true }
    }
}
