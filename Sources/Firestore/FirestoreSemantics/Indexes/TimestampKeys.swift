// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The entries of an index whose first value is a timestamp.
package enum TimestampKeys {
    /// All of them, the earliest first if the first column is ascending.
    package static let range = IndexRange(
        lower: [IndexValueEncoding.tag(.timestamp)], upper: [IndexValueEncoding.tag(.timestamp) + 1])

    /// The timestamp of an ascending column at the beginning of a key; nil for another value.
    package static func timestamp(of key: UnsafeRawBufferPointer) -> TimestampValue? {
        guard key.count >= 13, key[0] == IndexValueEncoding.tag(.timestamp) else { return nil }
        let seconds = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) ^ 1 << 63
        let nanoseconds = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 9, as: UInt32.self))
        return TimestampValue(seconds: Int64(bitPattern: seconds), nanoseconds: Int32(bitPattern: nanoseconds))
    }
}
