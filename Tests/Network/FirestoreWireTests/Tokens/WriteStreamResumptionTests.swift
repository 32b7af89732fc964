// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

/// Tokens and ids of Write streams that can be resumed (decision 28).
struct WriteStreamResumptionTests {
    private static let id = "hearth-0123456789abcdef0123456789abcdef"
    private let database = DatabaseID(projectID: "library")

    private func resumption(_ number: Int64) throws -> WriteStreamResumption {
        try #require(WriteStreamResumption(streamID: Self.id, token: WriteStreamToken(number: number).bytes(of: Self.id)))
    }

    @Test(arguments: [0, 1, 255, 256, Int64.max / 2 - 1]) func `a stream token holds its number`(number: Int64) {
        let bytes = WriteStreamToken(number: number).bytes(of: Self.id)
        #expect(bytes.count == 13)
        #expect(WriteStreamToken(bytes, of: Self.id)?.number == number)
        #expect(WriteStreamToken(bytes, of: Self.id + "0") == nil)
    }

    @Test(arguments: [-1, Int64.min, Int64.max, Int64.max / 2]) func `no token has an impossible number, however well it is made`(number: Int64) {
        #expect(WriteStreamToken(WriteStreamToken(number: number).bytes(of: Self.id), of: Self.id) == nil)
    }

    @Test func `bytes that are not a stream token are recognised`() {
        let good = WriteStreamToken(number: 7).bytes(of: Self.id).array
        #expect(WriteStreamToken(.empty, of: Self.id) == nil)
        #expect(WriteStreamToken(ByteSlice(Array(good.dropLast())), of: Self.id) == nil)
        #expect(WriteStreamToken(ByteSlice(good + [0]), of: Self.id) == nil)
        for index in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << UInt8(bit)
                #expect(WriteStreamToken(ByteSlice(bad), of: Self.id) == nil)
            }
        }
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<10_000 {
            let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(WriteStreamToken(ByteSlice(bytes), of: Self.id) == nil)
        }
    }

    @Test func `a handshake asks, and the answer says whether the server agrees`() throws {
        let request = WriteStreamResumption.request(opening: database)
        let sent = try WriteRequest(decoding: ByteSlice(request.encoded()))
        #expect(WriteStreamResumption.isWanted(by: sent))
        #expect(sent.streamID.isEmpty && sent.streamToken.isEmpty && sent.writes.isEmpty)
        #expect(!WriteStreamResumption.isWanted(by: WriteRequest(database: database)))
        for labels in [[("hearth-resumable", "0")], [("hearth-resumable", "")], [("other", "1")]] {
            #expect(!WriteStreamResumption.isWanted(by: WriteRequest(database: database, labels: labels)))
        }
        let token = WriteStreamToken(number: 0).bytes(of: Self.id)
        #expect(WriteStreamResumption(agreement: WriteResponse(streamID: Self.id, streamToken: token)) == (try resumption(0)))
        let others: [(String, ByteSlice)] = [
            ("", .empty), ("", token), ("AbCdEf", token), (Self.id, .empty), (Self.id, ByteSlice([1, 2, 3])), ("hearth-", token),
        ]
        for (id, token) in others { #expect(WriteStreamResumption(agreement: WriteResponse(streamID: id, streamToken: token)) == nil) }
    }

    @Test func `stored state resumes the stream`() throws {
        let resumption = try resumption(7)
        #expect(resumption.number == 7)
        let sent = try WriteRequest(decoding: ByteSlice(resumption.request(resuming: database).encoded()))
        #expect(WriteStreamResumption(streamID: sent.streamID, token: sent.streamToken) == resumption)
        #expect(WriteStreamResumption.isWanted(by: sent) && sent.writes.isEmpty)
        #expect(WriteStreamResumption(agreement: WriteResponse(streamID: resumption.streamID, streamToken: resumption.token)) == resumption)
    }

    @Test func `responses are read in order, and a failure is distinguished from a commit`() throws {
        let time = DocumentVersion(microseconds: 5)
        func response(_ number: Int64, _ time: DocumentVersion?) -> WriteResponse {
            WriteResponse(streamID: "", streamToken: WriteStreamToken(number: number).bytes(of: Self.id), commitTime: time)
        }
        let resumption = try resumption(7)
        #expect(resumption.reading(response(8, time)) == .committed(try self.resumption(8)))
        #expect(resumption.reading(response(8, nil)) == .failed(try self.resumption(8)))
        for number: Int64 in [0, 7, 9] { #expect(resumption.reading(response(number, time)) == nil) }
        #expect(resumption.reading(WriteResponse(streamID: "", streamToken: .empty, commitTime: time)) == nil)
    }

    @Test func `the error of a lost stream is recognised by its code and the beginning of its text`() {
        #expect(WriteStreamResumption.isLost(.sequenceLost("why")))
        let text = FirestoreError.sequenceLost("why").description
        #expect(WriteStreamResumption.isLost(FirestoreError(.failedPrecondition, text)))
        #expect(!WriteStreamResumption.isLost(FirestoreError(.aborted, text)))
        #expect(!WriteStreamResumption.isLost(FirestoreError(.failedPrecondition, "no document to update")))
    }

    @Test func `ids are long, and differ`() {
        var generator = SeededGenerator(seed: 1)
        let ids = (0..<100).map { _ in WriteStreamResumption.makeStreamID(using: &generator) }
        #expect(Set(ids).count == 100)
        #expect(ids.allSatisfy { $0.utf8.count == 39 && WriteStreamResumption.isResumable($0) })
        #expect(WriteStreamResumption.makeStreamID() != WriteStreamResumption.makeStreamID())
        #expect(!WriteStreamResumption.isResumable(AutoID.make()))
        #expect(!WriteStreamResumption.isResumable("hearth-" + String(repeating: "a", count: 58)))
    }

    @Test func `batches are distinguished by their writes, whatever the token`() throws {
        func digest(_ writes: [Write], _ token: ByteSlice = .empty) throws -> UInt64 {
            try WriteRequest.digest(of: ByteSlice(WriteRequest(database: database, streamToken: token, writes: writes).encoded()))
        }
        let batches: [[Write]] = [
            [.set("c/a")], [.set("c/b")], [.set("c/a"), .set("c/b")], [.set("c/b"), .set("c/a")], [.delete("c/a")],
            [.set("c/a", ("n", .integer(1)))], [.increment("c/a", "n")], [.increment("c/a", "n", by: 2)],
        ]
        #expect(Set(try batches.map { try digest($0) }).count == batches.count)
        for batch in batches { #expect(try digest(batch, ByteSlice([1, 2])) == digest(batch)) }
        #expect(throws: FirestoreError.self) { try WriteRequest.digest(of: ByteSlice([0xFF, 0xFF])) }
    }
}
