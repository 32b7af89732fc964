// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

@testable import FirestoreWire

struct BloomFilterTests {
    private let database = DatabaseID(projectID: "p")

    private func keys(_ count: Int, from first: Int = 0) -> [DocumentKey] {
        (first..<(first + count)).map { DocumentKey(trusted: "c/doc\($0)") }
    }

    @Test(arguments: [(1, 12, 4, 7), (2, 13, 8, 3), (3, 14, 12, 5)])
    func `filters have the sizes recorded from the service`(count: Int, hashCount: Int, bytes: Int, padding: Int) {
        let filter = BloomFilter(keys(count), in: database)
        #expect(filter.hashCount == hashCount)
        #expect(filter.bits.count == bytes)
        #expect(filter.padding == padding)
        #expect(filter.isValid)
    }

    @Test(arguments: [1, 2, 3, 50, 1_000]) func `added keys are found, and hardly any other`(count: Int) {
        let filter = BloomFilter(keys(count), in: database)
        #expect(filter.filter(keys(count), in: database) == keys(count))
        #expect(filter.mightContain(keys(1)[0], in: database))
        // Steps through so few bits meet again.
        #expect(filter.filter(keys(5_000, from: 10_000), in: database).count <= (count <= 3 ? 50 : 1))
        #expect(!filter.mightContain(keys(1)[0], in: DatabaseID(projectID: "q")))
    }

    @Test func `the empty filter holds nothing`() {
        let filter = BloomFilter([], in: database)
        #expect(filter == BloomFilter(bits: [], padding: 0, hashCount: 0))
        #expect(filter.isValid && !filter.mightContain(keys(1)[0], in: database))
    }

    @Test(arguments: [
        BloomFilter(bits: [1], padding: 8, hashCount: 1), BloomFilter(bits: [1], padding: -1, hashCount: 1),
        BloomFilter(bits: [1], padding: 0, hashCount: -1), BloomFilter(bits: [1], padding: 0, hashCount: 0),
        BloomFilter(bits: [], padding: 1, hashCount: 0), BloomFilter(bits: [1], padding: 0, hashCount: .max),
    ]) func `senseless filters are invalid`(filter: BloomFilter) throws {
        // LS-27
        #expect(!filter.isValid)
        let message = ListenResponse.filter(ExistenceFilter(target: 1, count: 1, names: filter)).encoded()
        guard case .filter(let decoded) = try ListenResponse(decoding: ByteSlice(message)) else { return }
        #expect(decoded.names == nil)
    }

    /// The test suite of RFC 1321, and the lengths around the ends of blocks.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"), ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ]) func `MD5 is RFC 1321's`(text: String, hash: String) {
        let digest = Array(text.utf8).withUnsafeBytes(MD5.hash)
        #expect(digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hash)
    }
}
