// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import FirestoreRPC

struct MessageDeframerTests {
    private func deframer(limit: Int = 1 << 20) -> MessageDeframer {
        MessageDeframer(limit: limit, oversizedCode: .invalidArgument)
    }

    @Test func `any cut of a stream gives the same messages`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            let messages = (0..<10).map { _ in (0..<Int.random(in: 0...300, using: &random)).map { UInt8(truncatingIfNeeded: $0) } }
            var rest = messages.flatMap { Array(ByteBuffer(framing: $0).readableBytesView) }[...]
            var deframer = deframer()
            var got: [[UInt8]] = []
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...100, using: &random))
                rest = rest.dropFirst(piece.count)
                deframer.append(ByteBuffer(bytes: piece))
                while let message = try deframer.next() { got.append(message.array) }
                deframer.keepRest()
            }
            #expect(got == messages)
            #expect(deframer.isEmpty)
        }
    }

    @Test func `the length is checked before anything is collected`() {
        var deframer = deframer(limit: 100)
        deframer.append(ByteBuffer(bytes: [0, 0, 0, 0, 101]))
        let failure = #expect(throws: RPCStatus.self) { try deframer.next() }
        #expect(failure?.code == .invalidArgument)
    }

    @Test func `buffered bytes do not share the memory that the socket read into`() throws {
        var deframer = deframer()
        var read = ByteBuffer(repeating: 0, count: 1 << 16)
        deframer.append(read.readSlice(length: 3) ?? ByteBuffer())
        #expect(try deframer.next() == nil)
        deframer.keepRest()
        #expect(deframer.bufferedCount == 3)
    }

    @Test(arguments: [UInt8(2), 9, 255])
    func `a flag that is neither 0 nor 1 is an error`(flag: UInt8) {
        var deframer = deframer()
        deframer.append(ByteBuffer(bytes: [flag, 0, 0, 0, 0]))
        #expect(throws: RPCStatus.self) { try deframer.next() }
    }

    @Test func `compressed without an announced encoding is unimplemented`() {
        var deframer = deframer()
        deframer.append(ByteBuffer(bytes: [1, 0, 0, 0, 0]))
        let failure = #expect(throws: RPCStatus.self) { try deframer.next() }
        #expect(failure?.code == .unimplemented)
    }

    /// `printf 'hello hello hello' | gzip -n`
    private static let gzipped: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00, 0x80, 0x88, 0xF9, 0xE5, 0x11, 0, 0, 0,
    ]

    @Test func `gzip is inflated, and other data is an error`() throws {
        let inflated = try GzipInflater.inflate(ByteSlice(Self.gzipped), limit: 100, oversizedCode: .invalidArgument)
        #expect(String(decoding: inflated.array, as: UTF8.self) == "hello hello hello")
        let failure = #expect(throws: RPCStatus.self) {
            try GzipInflater.inflate(ByteSlice(Self.gzipped), limit: 16, oversizedCode: .invalidArgument)
        }
        #expect(failure?.code == .invalidArgument)
        for count in 0..<Self.gzipped.count {
            #expect(throws: RPCStatus.self) {
                try GzipInflater.inflate(ByteSlice(Array(Self.gzipped[..<count])), limit: 100, oversizedCode: .invalidArgument)
            }
        }
    }
}
