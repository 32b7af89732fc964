#if Remote
package import FirestoreCore

/// The bytes by which clients know a transaction: its number, big-endian.
package struct TransactionToken: Sendable, Hashable {
    package var transaction: TransactionID

    package init(_ transaction: TransactionID) { self.transaction = transaction }

    /// nil for bytes that cannot be one (TX-7: unknown to any server).
    package init?(_ token: ByteSlice) {
        guard token.count == 8 else { return nil }
        transaction = TransactionID(token.array.reduce(0) { $0 << 8 | UInt64($1) })
    }

    package var bytes: ByteSlice {
        withUnsafeBytes(of: transaction.number.bigEndian) { ByteSlice(copying: $0) }
    }
}
#endif
