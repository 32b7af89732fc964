#if Remote
package import FirestoreCore

/// What a listener hands in to be told only what has changed since (LS-4): a moment, and enough besides to recognise bytes
/// that are no token of ours.
///
///     01  version
///     8   microseconds since 1970, big-endian
///     4   checksum of the nine bytes before
package struct ResumeToken: Sendable, Hashable {
    package var time: DocumentVersion

    private static let version: UInt8 = 1
    private static let checked = 9
    private static let length = 13

    package init(time: DocumentVersion) { self.time = time }

    /// nil for anything else.
    package init?(_ token: ByteSlice) {
        let bytes = token.array
        guard bytes.count == Self.length, bytes[0] == Self.version else { return nil }
        let checksum = bytes[Self.checked...].reduce(0) { $0 << 8 | UInt32($1) }
        guard checksum == Self.checksum(bytes[..<Self.checked]) else { return nil }
        let microseconds = bytes[1..<Self.checked].reduce(0) { $0 << 8 | UInt64($1) }
        time = DocumentVersion(microseconds: Int64(bitPattern: microseconds))
    }

    package var bytes: ByteSlice {
        var bytes = [Self.version]
        withUnsafeBytes(of: time.microseconds.bigEndian) { bytes.append(contentsOf: $0) }
        let checksum = Self.checksum(bytes[...])
        withUnsafeBytes(of: checksum.bigEndian) { bytes.append(contentsOf: $0) }
        return ByteSlice(bytes)
    }

    /// FNV-1a.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
#endif
