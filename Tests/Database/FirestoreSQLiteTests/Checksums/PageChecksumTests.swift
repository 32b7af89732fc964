// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import FirestoreSQLite

@Suite struct PageChecksumTests {
    private func page(_ size: Int = 8_192, seed: UInt64 = 7) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private func checksum(_ page: [UInt8], _ number: UInt32 = 3) -> UInt64 { page.withUnsafeBytes { PageChecksum.of($0, number: number) } }

    /// Files that exist must stay readable.
    @Test func `the checksum of a page never changes`() {
        let page = (0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        #expect(checksum(page, 1) == 17_856_766_461_817_778_464)
        #expect(checksum(Array(page.prefix(4_096)), 2) == 4_524_073_233_435_296_188)
    }

    @Test func `every bit of a page counts, except those of the checksum itself`() {
        var page = page(1_024)
        let right = checksum(page)
        for bit in 0..<8 * (1_024 - PageChecksum.size) {
            page[bit / 8] ^= 1 << (bit % 8)
            #expect(checksum(page) != right, "bit \(bit)")
            page[bit / 8] ^= 1 << (bit % 8)
        }
        page[1_023] ^= 1
        #expect(checksum(page) == right)
    }

    @Test func `damage to many bytes, exchanged words and moved content count`() {
        var generator = SeededGenerator(seed: 1)
        let page = page()
        let right = checksum(page)
        for _ in 0..<2_000 {
            var other = page
            for _ in 0..<30 { other[Int.random(in: 0..<8_184, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator) }
            #expect(checksum(other) != right)
        }
        for distance in [8, 16, 32, 64, 512, 4_096] {
            var other = page
            for place in 0..<8 { other.swapAt(place, place + distance) }
            #expect(checksum(other) != right, "\(distance)")
            other = Array(page[distance...]) + Array(page[..<distance])
            #expect(checksum(other) != right, "\(distance)")
        }
        // The highest bits of two words, which many sums lose.
        for first in 0..<64 {
            for second in (first + 1)..<64 {
                var other = page
                other[8 * first + 7] ^= 0x80
                other[8 * second + 7] ^= 0x80
                #expect(checksum(other) != right, "\(first) \(second)")
            }
        }
    }

    @Test func `a page in the place of another one does not have its checksum, and one of zeros never has`() {
        let page = page()
        #expect(Set((1...10_000).map { checksum(page, UInt32($0)) }).count == 10_000)
        let zeros = [UInt8](repeating: 0, count: 8_192)
        zeros.withUnsafeBytes { zeros in #expect(!(1...100_000).contains { PageChecksum.isRight(zeros, number: $0) }) }
    }

    @Test func `the place of a page in memory does not count`() {
        let page = page()
        for distance in 0..<8 {
            let moved = [UInt8](repeating: 1, count: distance) + page
            let found = moved.withUnsafeBytes { PageChecksum.of(UnsafeRawBufferPointer(rebasing: $0[distance...]), number: 3) }
            #expect(found == checksum(page))
        }
    }
}
