// SPDX-License-Identifier: Apache-2.0

/// Limits of open transactions (TX-8), in microseconds.
package struct TransactionLimits: Sendable {
    /// From beginning to commit.
    package var lifetime: Int64
    /// Between two uses.
    package var idle: Int64
    /// Open at the same time.
    package var count: Int

    package init(lifetime: Int64 = 270_000_000, idle: Int64 = 60_000_000, count: Int = 10_000) {
        self.lifetime = lifetime
        self.idle = idle
        self.count = count
    }
}
