// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

struct RoundTripTests {
    @Test(arguments: MessageSample.all) func `decoding undoes encoding`(sample: MessageSample) throws {
        #expect(try sample.ours(sample.bytes) == sample.bytes)
    }

    /// Same length: SwiftProtobuf preserves what it does not know, but writes what it knows as proto3 has it, so that a field of a
    /// wrong number or type would come out longer or shorter, or be missing from the JSON.
    @Test(arguments: MessageSample.all) func `SwiftProtobuf reads our messages, and we read its`(sample: MessageSample) throws {
        let theirs = try sample.theirs(sample.bytes)
        #expect(theirs.count == sample.bytes.count)
        #expect(try sample.ours(theirs) == sample.bytes)
    }

    @Test(arguments: MessageSample.all) func `a message in two halves is the same message`(sample: MessageSample) throws {
        // Every field of the message separately, with an unknown field in between.
        let whole = ByteSlice(sample.bytes)
        var fields = RawFieldBytes(whole)
        var scattered: [UInt8] = []
        while let field = fields.next() { scattered += [0xF8, 0xFF, 0x03, 0x01] + field }
        #expect(try sample.ours(scattered) == sample.bytes)
    }

    @Test(arguments: MessageSample.all) func `cut and changed messages are rejected or understood`(sample: MessageSample) {
        for length in 0..<min(sample.bytes.count, 400) { _ = try? sample.ours(Array(sample.bytes[..<length])) }
        var generator = SeededGenerator(seed: UInt64(sample.bytes.count))
        for _ in 0..<300 where !sample.bytes.isEmpty {
            var bytes = sample.bytes
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let once = try? sample.ours(bytes) else { continue }
            // What was understood is understood again, and then stays as it is.
            #expect(throws: Never.self) { try sample.ours(once) == once }
        }
    }
}

/// The top-level fields of a message, each with its tag.
private struct RawFieldBytes {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: ByteSlice) { self.bytes = bytes.array }

    private mutating func varint() -> Int {
        var value = 0
        var shift = 0
        while true {
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { return value }
        }
    }

    mutating func next() -> [UInt8]? {
        guard position < bytes.count else { return nil }
        let start = position
        switch varint() & 7 {
        case 0: _ = varint()
        case 1: position += 8
        case 2:
            let length = varint()
            position += length
        default: position += 4
        }
        return Array(bytes[start..<position])
    }
}
