// SPDX-License-Identifier: Apache-2.0

/// Gzip files put together by hand, with blocks that are stored as they are.
enum GzipBytes {
    static func member(_ content: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var rest = Array(content)[...]
        repeat {
            let piece = rest.prefix(10_000)
            rest = rest.dropFirst(piece.count)
            let count = UInt16(piece.count)
            bytes += [rest.isEmpty ? 1 : 0] + little(count) + little(~count) + piece
        } while !rest.isEmpty
        return bytes + little(checksum(content)) + little(UInt32(content.count))
    }

    private static func little(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func checksum(_ content: some Collection<UInt8>) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~sum
    }
}
