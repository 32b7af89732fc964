// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A message of `google.firestore.v1` in Hearth's own terms: what a handler works on, on either side of the wire.
///
/// Decoding checks everything that can be wrong with the message alone (names, paths, values, structure) and makes
/// documents canonical; what passes may be handed to a `DocumentService`. Failures are `invalidArgument`.
package protocol WireMessage: Sendable {
    init(decoding bytes: ByteSlice) throws(FirestoreError)
    func encoded() -> [UInt8]
}

/// When a read is to be true (QR-47); at most one was given.
package enum ConsistencySelector: Sendable, Hashable {
    case latest
    case transaction(ByteSlice)
    /// Begin a transaction with the read.
    case newTransaction(RequestedTransactionMode)
    case readTime(TimestampValue)
}

/// `TransactionOptions` (TX-1). Which mode an absent one stands for depends on the call, and is decided in decoding.
package enum RequestedTransactionMode: Sendable, Hashable {
    case readWrite(retrying: ByteSlice?)
    case readOnly(at: TimestampValue?)
}
