// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

struct TokenTests {
    @Test(arguments: [0, 1, 1_700_000_000_000_000, Int64.max]) func `a resume token holds its moment`(time: Int64) {
        let token = ListenToken(time: DocumentVersion(microseconds: time))
        #expect(ListenToken(token.bytes) == token)
        #expect(token.bytes.count == 13)
    }

    @Test(arguments: [-1, Int64.min]) func `a moment before 1970 is no token, however well it is made`(time: Int64) {
        // LS-4: the checksum is not secret.
        #expect(ListenToken(ListenToken(time: DocumentVersion(microseconds: time)).bytes) == nil)
        let laggard = ListenToken(time: DocumentVersion(microseconds: 5), laggards: [2: DocumentVersion(microseconds: -2)])
        #expect(ListenToken(laggard.bytes) == nil)
    }

    @Test func `a resume token says which targets stand elsewhere`() {
        // LS-10
        let time = DocumentVersion(microseconds: 1_700_000_000_000_000)
        let token = ListenToken(
            time: time, laggards: [1: nil, 2: time, 900: DocumentVersion(microseconds: 1_600_000_000_000_000), .max: nil, 7: DocumentVersion.none])
        #expect(ListenToken(token.bytes) == token)
        let many = ListenToken(time: time, laggards: Dictionary(uniqueKeysWithValues: (1...1_000).map { ($0 * 2, nil) }))
        #expect(ListenToken(many.bytes) == many)
        #expect(many.bytes.count == 13 + 2 * 1_000)
    }

    @Test(arguments: [[:], [2: nil], [2: nil, 8: DocumentVersion(microseconds: 1_600_000_000_000_000)]] as [[Int32: DocumentVersion?]])
    func `bytes that are no resume token are recognised`(laggards: [Int32: DocumentVersion?]) {
        // LS-4
        let good = ListenToken(time: DocumentVersion(microseconds: 1_700_000_000_000_000), laggards: laggards).bytes.array
        #expect(ListenToken(.empty) == nil)
        #expect(ListenToken(ByteSlice(Array(good.dropLast()))) == nil)
        #expect(ListenToken(ByteSlice(good + [0])) == nil)
        for index in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << UInt8(bit)
                #expect(ListenToken(ByteSlice(bad)) == nil)
            }
        }
    }
}
