// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What happens when a database file is opened that is of an earlier format, or is not the file that was open before.
package struct StoreOpening: Sendable {
    /// Whether a file of an earlier format is copied before it is migrated.
    package var keepsMigrationCopy: Bool
    package var clock: any WallClock
    /// Makes the number of a new history.
    package var makeHistory: @Sendable () -> UInt64

    package init(
        keepsMigrationCopy: Bool = true, clock: any WallClock = SystemClock(),
        makeHistory: @escaping @Sendable () -> UInt64 = DatabaseHistory.randomNumber
    ) {
        self.keepsMigrationCopy = keepsMigrationCopy
        self.clock = clock
        self.makeHistory = makeHistory
    }
}
