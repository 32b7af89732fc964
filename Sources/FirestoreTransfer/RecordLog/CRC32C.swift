// SPDX-License-Identifier: Apache-2.0

/// The Castagnoli checksum, and the mask that LevelDB applies to it in its logs.
enum CRC32C {
    /// Eight tables of 256 words: eight bytes per step.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
            tables[byte] = crc
        }
        for byte in 0..<256 {
            for table in 1..<8 {
                let previous = tables[(table - 1) * 256 + byte]
                tables[table * 256 + byte] = previous >> 8 ^ tables[Int(previous & 0xFF)]
            }
        }
        return tables
    }()

    /// The checksum of the bytes of `checksum` and the given ones.
    static func extend(_ checksum: UInt32, with bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var crc = ~checksum
            var index = 0
            while index + 8 <= bytes.count {
                let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)) ^ crc
                let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
                crc = tables[7 * 256 + Int(low & 0xFF)] ^ tables[6 * 256 + Int(low >> 8 & 0xFF)]
                crc ^= tables[5 * 256 + Int(low >> 16 & 0xFF)] ^ tables[4 * 256 + Int(low >> 24)]
                crc ^= tables[3 * 256 + Int(high & 0xFF)] ^ tables[2 * 256 + Int(high >> 8 & 0xFF)]
                crc ^= tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                index += 8
            }
            while index < bytes.count {
                crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
                index += 1
            }
            return ~crc
        }
    }

    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { extend(0, with: bytes) }

    /// The checksum of bytes that contain their own checksum is weak; LevelDB therefore stores it rotated and shifted.
    static func masked(_ checksum: UInt32) -> UInt32 { (checksum >> 15 | checksum << 17) &+ 0xA282_EAD8 }
}
