// SPDX-License-Identifier: Apache-2.0

/// A frame of SQLite's write-ahead log: a header of 24 bytes and a page. The checksum in its header covers the page and, through the
/// checksum of the frame before, all frames up to it. SQLite looks at it when it opens a log that a process has left, and never again.
enum LogFrame {
    static let logHeaderSize = 32
    static let headerSize = 24
    /// Where the checksum is: in the header of a frame, and in that of the log.
    static let checksumPlace = 16
    static let logChecksumPlace = 24

    /// The frame whose page has this place in the log; nil if there is none.
    static func number(ofPageAt offset: Int64, size: Int) -> Int64? {
        let place = offset - Int64(logHeaderSize + headerSize)
        guard size >= 512, size & (size - 1) == 0, place >= 0, place % Int64(size + headerSize) == 0 else { return nil }
        return place / Int64(size + headerSize)
    }

    /// Whether a page is the one that was written into the frame. The words of the log have the byte order of the machine that wrote it.
    static func isRight(header: UnsafeRawBufferPointer, page: UnsafeRawBufferPointer, after previous: Checksum) -> Bool {
        let stored = Checksum(header, at: checksumPlace)
        return stored == previous.extended(by: header, count: 8, isSwapped: false).extended(by: page, count: page.count, isSwapped: false)
            || stored == previous.extended(by: header, count: 8, isSwapped: true).extended(by: page, count: page.count, isSwapped: true)
    }

    /// Two sums of 32 bits, each of which contains the other.
    struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0

        init() {}

        /// Checksums are stored with the highest byte first.
        init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
            first = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            second = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
        }

        func extended(by bytes: UnsafeRawBufferPointer, count: Int, isSwapped: Bool) -> Checksum {
            guard let start = bytes.baseAddress else { return self }
            guard UInt(bitPattern: start) % 4 == 0, !isSwapped else { return extendedSlowly(by: bytes, count: count, isSwapped: isSwapped) }
            let words = start.assumingMemoryBound(to: UInt32.self)
            var result = self
            var place = 0
            // Eight words in each round: each page of a log is added up here.
            while place + 8 <= count / 4 {
                result.add(words[place], words[place + 1])
                result.add(words[place + 2], words[place + 3])
                result.add(words[place + 4], words[place + 5])
                result.add(words[place + 6], words[place + 7])
                place += 8
            }
            while place + 2 <= count / 4 {
                result.add(words[place], words[place + 1])
                place += 2
            }
            return result
        }

        /// For other byte orders, and bytes at other places.
        private func extendedSlowly(by bytes: UnsafeRawBufferPointer, count: Int, isSwapped: Bool) -> Checksum {
            var result = self
            for place in stride(from: 0, to: count - 7, by: 8) {
                let low = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let high = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                if isSwapped { result.add(low.byteSwapped, high.byteSwapped) } else { result.add(low, high) }
            }
            return result
        }

        @inline(__always)
        private mutating func add(_ low: UInt32, _ high: UInt32) {
            first = first &+ UInt32(littleEndian: low) &+ second
            second = second &+ UInt32(littleEndian: high) &+ first
        }
    }
}
