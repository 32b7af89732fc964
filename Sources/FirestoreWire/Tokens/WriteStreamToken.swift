// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The stream token of a Write stream that can be resumed: how many batches have been answered, and a checksum that detects
/// bytes that are not a token of this stream.
///
///     01  version
///     8   the number of the last batch that is answered, big-endian
///     4   checksum of the nine bytes before and the stream's id
package struct WriteStreamToken: Sendable, Hashable {
    /// Batches are counted from 1 over all connections of the stream; 0 before the first.
    package let number: Int64

    private static let bodyLength = 9
    private static let length = 13

    package init(number: Int64) { self.number = number }

    /// nil for anything else.
    package init?(_ token: ByteSlice, of streamID: String) {
        guard token.count == Self.length else { return nil }
        let bytes = token.array
        let checksum = bytes[Self.bodyLength...].reduce(0) { $0 << 8 | UInt32($1) }
        guard bytes[0] == 1, checksum == Self.checksum(bytes[..<Self.bodyLength], streamID) else { return nil }
        let number = bytes[1..<Self.bodyLength].reduce(0) { $0 << 8 | UInt64($1) }
        // The checksum can be forged: no stream comes so far, and numbers after the last one would overflow.
        guard number < UInt64(Int64.max / 2) else { return nil }
        self.number = Int64(number)
    }

    package func bytes(of streamID: String) -> ByteSlice {
        var bytes: [UInt8] = [1]
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        let checksum = Self.checksum(bytes[...], streamID)
        withUnsafeBytes(of: checksum.bigEndian) { bytes.append(contentsOf: $0) }
        return ByteSlice(bytes)
    }

    /// FNV-1a.
    private static func checksum(_ bytes: ArraySlice<UInt8>, _ streamID: String) -> UInt32 {
        func add(_ sum: UInt32, _ byte: UInt8) -> UInt32 { (sum ^ UInt32(byte)) &* 0x0100_0193 }
        return streamID.utf8.reduce(bytes.reduce(0x811C_9DC5, add), add)
    }
}
