// SPDX-License-Identifier: Apache-2.0

/// Checksums of 32 bits.
package struct CRC32: Sendable {
    /// The polynomial of Ethernet, gzip and zip.
    package static let ieee = CRC32(polynomial: 0xEDB8_8320)
    /// Castagnoli's polynomial, of iSCSI and LevelDB.
    package static let castagnoli = CRC32(polynomial: 0x82F6_3B78)

    /// Eight tables of 256 words: eight bytes per step.
    private let tables: [UInt32]

    /// - Parameter polynomial: With its bits reversed.
    private init(polynomial: UInt32) {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ polynomial : crc >> 1 }
            tables[byte] = crc
        }
        for byte in 0..<256 {
            for table in 1..<8 {
                let previous = tables[(table - 1) * 256 + byte]
                tables[table * 256 + byte] = previous >> 8 ^ tables[Int(previous & 0xFF)]
            }
        }
        self.tables = tables
    }

    /// The checksum of the bytes of `checksum` and the given ones.
    package func extend(_ checksum: UInt32, with bytes: UnsafeRawBufferPointer) -> UInt32 {
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

    package func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { extend(0, with: bytes) }
}
