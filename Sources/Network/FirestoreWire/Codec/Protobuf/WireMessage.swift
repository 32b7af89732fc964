// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A message of `google.firestore.v1` as Hearth represents it: the form that handlers work on, on either side of the wire.
///
/// Decoding checks everything that can be wrong with the message alone (names, paths, values, structure) and makes documents
/// canonical; the result may be passed to a `DocumentService`. Failures are `invalidArgument`.
package protocol WireMessage: Sendable {
    init(decoding bytes: ByteSlice) throws(FirestoreError)
    func encoded() -> [UInt8]
}

/// The moment of a read (QR-47); at most one is given.
package enum ConsistencySelector: Sendable, Hashable {
    case latest
    case transaction(ByteSlice)
    /// Begin a transaction with the read.
    case newTransaction(RequestedTransactionMode)
    case readTime(TimestampValue)
}

/// `TransactionOptions` (TX-1). The mode of absent options depends on the call, and is determined in decoding.
package enum RequestedTransactionMode: Sendable, Hashable {
    case readWrite(retrying: ByteSlice?)
    case readOnly(at: TimestampValue?)
}
