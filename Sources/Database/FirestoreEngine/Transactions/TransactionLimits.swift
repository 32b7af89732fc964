// SPDX-License-Identifier: Apache-2.0

/// Limits of open transactions (TX-8), in microseconds and approximate bytes of memory.
package struct TransactionLimits: Sendable {
    /// From beginning to commit.
    package var lifetime: Int64 = 270_000_000
    /// Between two uses.
    package var idle: Int64 = 60_000_000
    /// The bytes that one transaction stores about its reads. As much as the service allows a transaction to have in all.
    package var bytes = 10 * megabyte
    /// All transactions together.
    package var total = Share(transactions: 10_000, bytes: 256 * megabyte)
    /// Those of one user.
    package var user = Share(transactions: 1_000, bytes: 32 * megabyte)
    /// Those of all anonymous callers: half of the total, so that callers who need no account leave room for users.
    package var anonymous = Share(transactions: 5_000, bytes: 128 * megabyte)
    /// Those of all users and anonymous callers: the rest is for administrators.
    package var withoutAdministrators = Share(transactions: 9_000, bytes: 224 * megabyte)

    package struct Share: Sendable {
        /// Open at the same time.
        package var transactions: Int
        /// The bytes that all transactions store about their reads.
        package var bytes: Int

        static let none = Share(transactions: 0, bytes: 0)

        static func + (left: Share, right: Share) -> Share {
            Share(transactions: left.transactions + right.transactions, bytes: left.bytes + right.bytes)
        }

        static func - (left: Share, right: Share) -> Share {
            Share(transactions: left.transactions - right.transactions, bytes: left.bytes - right.bytes)
        }
    }

    private static let megabyte = 1_024 * 1_024
}
