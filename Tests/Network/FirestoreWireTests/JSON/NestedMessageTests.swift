// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreWire

/// Bytes of a client that were not checked yet, as the console shows them.
struct NestedMessageTests {
    /// A value within so many arrays.
    private static func nested(_ depth: Int) -> ByteSlice {
        func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            var length = content.count
            var bytes = [number << 3 | 2]
            while length >= 0x80 {
                bytes.append(UInt8(length & 0x7F) | 0x80)
                length >>= 7
            }
            return bytes + [UInt8(length)] + content
        }
        var value = [UInt8(2) << 3, 1]  // An integer.
        for _ in 0..<depth { value = field(9, field(1, value)) }
        return ByteSlice(value)
    }

    @Test func `a message that nests deeper than documents can is rejected, not followed`() throws {
        let json = try JSONFromProtobuf.json(Self.nested(20), as: .value)
        #expect(json.bytes().count > 20)
        #expect(throws: FirestoreError.self) { try JSONFromProtobuf.json(Self.nested(5_000), as: .value) }
    }
}
