// SPDX-License-Identifier: Apache-2.0

/// The checksum of a page of a database file, in its last eight bytes (decision 65).
///
/// A word of the page that differs always gives another checksum, because every step is reversible: the next state of a lane has as many
/// values as the word, and as the state before. More words that differ are not seen in one of 2^64 cases. The page's number is a part of
/// it, so that a page in the place of another one is seen, too.
package enum PageChecksum {
    /// The reserved bytes at the end of each page, as SQLite calls them.
    package static let size = 8

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let seeds: (UInt64, UInt64, UInt64, UInt64) = (
        0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89
    )

    /// The checksum of all bytes of a page but the last eight. Pages are numbered from 1, as in SQLite.
    package static func of(_ page: UnsafeRawBufferPointer, number: UInt32) -> UInt64 {
        guard let start = page.baseAddress else { return 0 }
        guard UInt(bitPattern: start) % 8 == 0 else {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: page.count, alignment: 8)
            defer { copy.deallocate() }
            copy.copyMemory(from: page)
            return of(UnsafeRawBufferPointer(copy), number: number)
        }
        return words(start.assumingMemoryBound(to: UInt64.self), (page.count - size) / 8, UInt64(number))
    }

    /// Four lanes, so that the processor multiplies four words at a time.
    private static func words(_ words: UnsafePointer<UInt64>, _ count: Int, _ number: UInt64) -> UInt64 {
        var (a, b, c, d) = seeds
        a ^= number &* factor
        var place = 0
        while place + 4 <= count {
            a = step(a, words[place])
            b = step(b, words[place + 1])
            c = step(c, words[place + 2])
            d = step(d, words[place + 3])
            place += 4
        }
        while place < count {
            a = step(a, words[place])
            place += 1
        }
        var result = step(UInt64(count) ^ seeds.3, a)
        result = step(result, b)
        result = step(result, c)
        result = step(result, d)
        result ^= result >> 29
        result = result &* factor
        return result ^ (result >> 32)
    }

    @inline(__always)
    private static func step(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ UInt64(littleEndian: word)) &* factor
        return product << 31 | product >> 33
    }

    /// Whether a page has its checksum.
    package static func isRight(_ page: UnsafeRawBufferPointer, number: UInt32) -> Bool { stored(in: page) == of(page, number: number) }

    /// Puts its checksum into a page.
    package static func store(in page: UnsafeMutableRawBufferPointer, number: UInt32) {
        page.storeBytes(of: of(UnsafeRawBufferPointer(page), number: number).littleEndian, toByteOffset: page.count - size, as: UInt64.self)
    }

    private static func stored(in page: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: page.loadUnaligned(fromByteOffset: page.count - size, as: UInt64.self))
    }
}
