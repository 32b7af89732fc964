#if Remote
import FirestoreCore
import FirestoreWire
import Testing

struct TokenTests {
    @Test(arguments: [0, 1, -1, 1_700_000_000_000_000, Int64.max, .min]) func `a resume token holds its moment`(time: Int64) {
        let token = ResumeToken(time: DocumentVersion(microseconds: time))
        #expect(ResumeToken(token.bytes) == token)
        #expect(token.bytes.count == 13)
    }

    @Test func `bytes that are no resume token are recognised`() {
        // LS-4
        let good = ResumeToken(time: DocumentVersion(microseconds: 1_700_000_000_000_000)).bytes.array
        #expect(ResumeToken(.empty) == nil)
        #expect(ResumeToken(ByteSlice(Array(good.dropLast()))) == nil)
        #expect(ResumeToken(ByteSlice(good + [0])) == nil)
        for index in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << UInt8(bit)
                #expect(ResumeToken(ByteSlice(bad)) == nil)
            }
        }
    }
}
#endif
