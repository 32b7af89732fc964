// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The stream token of a Write stream that can be resumed: how many batches have been answered, and a checksum that detects
/// bytes that are not a token of this stream.
///
///     01  version
///     8   the number of the last batch that is answered, big-endian
///     4   checksum of the nine bytes before and the stream's id
///
/// Where the database has a history, its mark follows the number:
///
///     02  version
///     8   the number of the last batch that is answered, big-endian
///     4   the mark of the history, big-endian
///     4   checksum of the bytes before and the stream's id
package struct WriteStreamToken: Sendable, Hashable {
    /// Batches are counted from 1 over all connections of the stream; 0 before the first.
    package let number: Int64
    /// The history that the batches were applied in (`DatabaseHistory.mark`); nil in tokens without one.
    package let history: UInt32?

    private static let numberEnd = 9
    private static let checksumLength = 4

    package init(number: Int64, history: UInt32? = nil) {
        self.number = number
        self.history = history
    }

    /// nil for anything else.
    package init?(_ token: ByteSlice, of streamID: String) {
        let bytes = token.array
        guard let version = bytes.first, version == 1 || version == 2 else { return nil }
        let end = Self.numberEnd + (version == 1 ? 0 : 4)
        guard bytes.count == end + Self.checksumLength else { return nil }
        let checksum = bytes[end...].reduce(0) { $0 << 8 | UInt32($1) }
        guard checksum == Self.checksum(bytes[..<end], streamID) else { return nil }
        let number = bytes[1..<Self.numberEnd].reduce(0) { $0 << 8 | UInt64($1) }
        // The checksum can be forged: no stream comes so far, and numbers after the last one would overflow.
        guard number < UInt64(Int64.max / 2) else { return nil }
        self.number = Int64(number)
        history = version == 1 ? nil : bytes[Self.numberEnd..<end].reduce(0) { $0 << 8 | UInt32($1) }
    }

    package func bytes(of streamID: String) -> ByteSlice {
        var bytes: [UInt8] = [history == nil ? 1 : 2]
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        if let history { withUnsafeBytes(of: history.bigEndian) { bytes.append(contentsOf: $0) } }
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
