// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The framing of LevelDB's logs, which the files of an export use for their records.
///
/// A file is a sequence of blocks of 32 KiB. A block contains fragments, each with a header of seven bytes:
///
///     4  checksum of type and content (CRC-32C, masked), little-endian
///     2  length of the content, little-endian
///     1  type: the fragment is a whole record, or the first, a middle, or the last part of one
///
/// If fewer than seven bytes are left in a block they are zero, and the next fragment begins in the next block.
enum RecordLogFormat {
    static let blockSize = 32_768
    static let headerSize = 7
    /// A document takes up to a megabyte, and as an entity not much more; no document exceeds this.
    static let maximumRecord = 64 << 20

    enum FragmentType: UInt8 {
        case whole = 1, first, middle, last
    }

    /// The checksum of a fragment by type.
    static func checksum(of content: UnsafeRawBufferPointer, _ type: FragmentType) -> UInt32 {
        let start = withUnsafeBytes(of: type.rawValue) { CRC32.castagnoli.checksum($0) }
        return masked(CRC32.castagnoli.extend(start, with: content))
    }

    /// The checksum of bytes that contain their own checksum is weak; LevelDB therefore stores it rotated and shifted.
    static func masked(_ checksum: UInt32) -> UInt32 { (checksum >> 15 | checksum << 17) &+ 0xA282_EAD8 }
}
