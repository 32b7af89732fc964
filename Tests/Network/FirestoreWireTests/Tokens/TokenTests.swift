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

    @Test(arguments: [-1, Int64.min]) func `a moment before 1970 is not a token, even if it is well formed`(time: Int64) {
        // LS-4: the checksum is not secret.
        #expect(ListenToken(ListenToken(time: DocumentVersion(microseconds: time)).bytes) == nil)
        let laggard = ListenToken(time: DocumentVersion(microseconds: 5), laggards: [2: DocumentVersion(microseconds: -2)])
        #expect(ListenToken(laggard.bytes) == nil)
    }

    @Test func `a resume token contains the positions of lagging targets`() {
        // LS-10
        let time = DocumentVersion(microseconds: 1_700_000_000_000_000)
        let token = ListenToken(
            time: time, laggards: [1: nil, 2: time, 900: DocumentVersion(microseconds: 1_600_000_000_000_000), .max: nil, 7: DocumentVersion.none])
        #expect(ListenToken(token.bytes) == token)
        let many = ListenToken(time: time, laggards: Dictionary(uniqueKeysWithValues: (1...1_000).map { ($0 * 2, nil) }))
        #expect(ListenToken(many.bytes) == many)
        #expect(many.bytes.count == 13 + 2 * 1_000)
    }

    @Test(arguments: [1, 0x0102_0304, UInt32.max]) func `a resume token names its history, and the run of it`(mark: UInt32) {
        // OP-5
        let time = DocumentVersion(microseconds: 1_700_000_000_000_000)
        for (laggards, run) in [([:], nil), ([2: nil, 8: time], nil), ([:], mark), ([2: nil, 8: time], ~mark)]
            as [([Int32: DocumentVersion?], UInt32?)]
        {
            let token = ListenToken(time: time, laggards: laggards, history: mark, run: run)
            #expect(ListenToken(token.bytes) == token)
            let bytes = token.bytes.array
            #expect(bytes[0] == (run == nil ? 3 : 4))
            #expect(bytes[9..<13].elementsEqual(withUnsafeBytes(of: mark.bigEndian) { Array($0) }))
            if let run { #expect(bytes[13..<17].elementsEqual(withUnsafeBytes(of: run.bigEndian) { Array($0) })) }
            for index in bytes.indices {
                for bit in 0..<8 {
                    var bad = bytes
                    bad[index] ^= 1 << UInt8(bit)
                    #expect(ListenToken(ByteSlice(bad)) == nil)
                }
                #expect(ListenToken(ByteSlice(Array(bytes[..<index]))) == nil)
            }
        }
    }

    @Test func `tokens of before histories had numbers are read as such`() {
        // OT-2: as earlier versions have written them.
        let plain: [UInt8] = [1, 0, 6, 10, 36, 24, 30, 64, 0]
        func checked(_ body: [UInt8]) -> ByteSlice {
            let sum = body.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
            return ByteSlice(body + withUnsafeBytes(of: sum.bigEndian) { Array($0) })
        }
        #expect(ListenToken(checked(plain)) == ListenToken(time: DocumentVersion(microseconds: 0x0006_0A24_181E_4000)))
        #expect(ListenToken(checked([2] + plain.dropFirst() + [2, 0]))?.laggards == [2: nil])
        #expect(ListenToken(checked([2] + plain.dropFirst() + [2, 0]))?.history == nil)
    }

    @Test func `a stream token names its history, and the next one the same`() throws {
        let id = WriteStreamResumption.makeStreamID()
        for mark in [nil, 7] as [UInt32?] {
            let token = WriteStreamToken(number: 5, history: mark)
            #expect(WriteStreamToken(token.bytes(of: id), of: id) == token)
            #expect(WriteStreamToken(token.bytes(of: id), of: WriteStreamResumption.makeStreamID()) == nil)
            let resumption = try #require(WriteStreamResumption(streamID: id, token: token.bytes(of: id)))
            #expect(resumption.history == mark && resumption.token == token.bytes(of: id))
            let answer = WriteResponse(
                streamID: "", streamToken: WriteStreamToken(number: 6, history: mark).bytes(of: id), results: [],
                commitTime: DocumentVersion(microseconds: 1))
            guard case .committed(let next)? = resumption.reading(answer) else {
                Issue.record("not read")
                return
            }
            #expect(next.history == mark && next.number == 6)
            let other = WriteResponse(streamID: "", streamToken: WriteStreamToken(number: 6, history: 8).bytes(of: id))
            #expect(resumption.reading(other) == nil)
        }
    }

    @Test(arguments: [[:], [2: nil], [2: nil, 8: DocumentVersion(microseconds: 1_600_000_000_000_000)]] as [[Int32: DocumentVersion?]])
    func `bytes that are not a resume token are recognised`(laggards: [Int32: DocumentVersion?]) {
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
