// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The handling of a database file that has an earlier format, or is not the file that was open before.
package struct StoreOpening: Sendable {
    /// Whether a file of an earlier format is copied before it is migrated.
    package var keepsMigrationCopy: Bool
    /// Whether the file is known to be what its history says: a copy that is continued.
    package var continuesHistory = false
    /// Whether the run of this opening (`DatabaseRuns`) begins immediately, and not with the first commit: what is issued from now on
    /// names it.
    package var beginsRun = false
    /// Whether a failure of power may have left a log with a gap and commits behind it that were never promised: only where the process
    /// that wrote it did not wait for the disk.
    package var logMayHaveGaps = true
    /// Whether the file is opened for a repair: damage that a repair can mend is then accepted.
    package var isForRepair = false
    package var log = LogLimits()
    package var clock: any WallClock
    /// Makes the number of a new history.
    package var makeHistory: @Sendable () -> UInt64
    /// Makes the number of a new run.
    package var makeRun: @Sendable () -> UInt32 = DatabaseRuns.randomMark

    package init(
        keepsMigrationCopy: Bool = true, clock: any WallClock = SystemClock(),
        makeHistory: @escaping @Sendable () -> UInt64 = DatabaseHistory.randomNumber
    ) {
        self.keepsMigrationCopy = keepsMigrationCopy
        self.clock = clock
        self.makeHistory = makeHistory
    }
}
