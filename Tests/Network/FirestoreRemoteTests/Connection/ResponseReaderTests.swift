// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Testing

@testable import FirestoreRemote

/// The messages of an answer, and when their consumer is woken.
struct ResponseReaderTests {
    private static func message(_ count: Int) -> ByteSlice { ByteSlice([UInt8](repeating: 7, count: count)) }

    private static func all(_ stream: ResponseReader) async throws -> [Int] {
        var sizes: [Int] = []
        while let message = try await stream.next() { sizes.append(message.count) }
        return sizes
    }

    @Test(arguments: [false, true]) func `all messages come in order, then the end`(asWhole: Bool) async throws {
        let stream = ResponseReader(asWhole: asWhole)
        async let sizes = Self.all(stream)
        for count in [0, 3, 1, 2] { stream.receive(Self.message(count)) }
        stream.ended(nil, trailers: RPCMetadata())
        #expect(try await sizes == [0, 3, 1, 2])
    }

    @Test(arguments: [false, true]) func `an end with a status is an error, after the responses before it`(asWhole: Bool) async throws {
        let stream = ResponseReader(asWhole: asWhole)
        stream.receive(Self.message(1))
        stream.ended(RPCStatus(.aborted, "no"), trailers: RPCMetadata())
        #expect(try await stream.next()?.count == 1)
        let error = await #expect(throws: FirestoreError.self) { try await stream.next() }
        #expect(error?.code == .aborted)
    }

    @Test func `a caller that collects the whole answer is resumed before too much of it is held`() async throws {
        let stream = ResponseReader(asWhole: true)
        async let first = stream.next()
        // No end follows: without a limit the consumer would never be woken.
        for _ in 0..<32 { stream.receive(Self.message(64 << 10)) }
        #expect(try await first?.count == 64 << 10)
        stream.ended(nil, trailers: RPCMetadata())
        #expect(try await Self.all(stream).count == 31)
    }
}
