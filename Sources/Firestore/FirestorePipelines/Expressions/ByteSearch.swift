// SPDX-License-Identifier: Apache-2.0

/// Finds a sequence of bytes in others, in time linear in both.
///
/// A short sequence is compared at every place. For a longer one, the table of Knuth, Morris and Pratt says how much of it is still matched
/// after a difference.
struct ByteSearch {
    private static let shortCount = 8

    private let wanted: UnsafeRawBufferPointer
    /// For each byte, the length of the longest proper prefix that ends there.
    private let borders: [Int32]

    init(_ wanted: UnsafeRawBufferPointer) {
        self.wanted = wanted
        guard wanted.count > Self.shortCount else {
            borders = []
            return
        }
        var borders = [Int32](repeating: 0, count: wanted.count)
        var length = 0
        for index in 1..<wanted.count {
            while length > 0, wanted[index] != wanted[length] { length = Int(borders[length - 1]) }
            if wanted[index] == wanted[length] { length += 1 }
            borders[index] = Int32(length)
        }
        self.borders = borders
    }

    /// The first offset at or behind `start`; an empty sequence is everywhere.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard bytes.count - start >= wanted.count else { return nil }
        return borders.isEmpty ? compareEverywhere(bytes, start) : scan(bytes, start)
    }

    private func compareEverywhere(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard let first = wanted.first else { return start }
        var offset = start
        while offset <= bytes.count - wanted.count {
            if bytes[offset] == first, wanted.indices.allSatisfy({ bytes[offset + $0] == wanted[$0] }) { return offset }
            offset += 1
        }
        return nil
    }

    private func scan(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var length = 0
        for offset in start..<bytes.count {
            while length > 0, bytes[offset] != wanted[length] { length = Int(borders[length - 1]) }
            if bytes[offset] == wanted[length] { length += 1 }
            if length == wanted.count { return offset + 1 - length }
        }
        return nil
    }
}
