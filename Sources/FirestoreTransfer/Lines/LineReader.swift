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
        /// Longer than any document; it has been skipped.
        case tooLong
    }

    /// A document of a megabyte, every character of it escaped, and more.
    package static let maximumLine = 16 << 20
    private static let initialSize = 1 << 18

    private let file: any ByteSource
    private let limit: Int
    private var buffer: [UInt8]
    /// What is read and not used yet.
    private var start = 0
    private var end = 0
    private var hasEnded = false
    /// Of the line handed out last, counted from 1.
    package private(set) var number = 0

    /// `limit` and `size` are for tests.
    package init(_ file: any ByteSource, limit: Int = LineReader.maximumLine, size: Int? = nil) {
        self.file = file
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: size ?? Self.initialSize)
    }

    package var fileName: String { file.name }
    package var fileSize: Int64? { file.size }
    /// Bytes of the file that have been used.
    package var bytesRead: Int64 { file.position(without: end - start) }

    /// Hands the next line to `body`, without its end (a line feed, maybe with a carriage return); nil at the end of the
    /// file. What follows the last line feed is a line if there is anything.
    package func next<R>(_ body: (Line) -> R) throws(FirestoreError) -> R? {
        // Behind this there is no line feed before `end`.
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
            // Some editors begin a file with a mark that says it is UTF-8.
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

    /// Makes room behind what is not used yet and fills some of it.
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
