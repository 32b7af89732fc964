// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreIndexing
package import FirestorePipelines
import FirestoreSQLite
package import FirestoreStorage

/// Which database to open, and how.
package struct EngineConfiguration: Sendable {
    package enum Location: Sendable {
        case file(path: String)
        /// Deleted when the engine shuts down.
        case memory
        /// A database of a place that several processes share.
        case cluster(any StoreCluster)
    }

    package var location: Location
    package var durability: Durability
    /// Only reads the file, which may then be in a place that cannot be written. Commits fail with `permissionDenied`.
    package var isReadOnly = false
    package var databaseID: DatabaseID
    package var clock: any WallClock
    /// How far back the change log reaches, in microseconds (QR-48: an hour).
    package var logRetention: Int64
    /// Refuses commits while the disk is nearly full; nil if nothing is refused.
    package var writeAdmission: (any WriteAdmission)?
    /// What follows the refusal of a read at a moment before that; empty for nothing.
    package var pastReadAdvice: @Sendable (DocumentVersion) -> String = { _ in "" }
    /// How much longer the change log is kept for readers that must not miss a commit.
    package var logHolds = LogHoldLimits()
    package var queue: CommitQueueLimits
    package var transactions: TransactionLimits
    /// How long transactions that are retried delay others.
    var retries = RetryLine.Limits()
    /// How indexes come into being.
    package var indexPolicy: IndexPolicy
    package var indexLimits: IndexLimits
    /// What one execution of a pipeline may use.
    package var pipelines = PipelineLimits()
    /// What all executions hold together.
    package var pipelineMemory = PipelineMemory.process
    /// The clock of their turns and deadlines.
    package var pipelineClock: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Whether a file of an earlier format is copied before it is migrated: `X.sqlite.format2` beside `X.sqlite`.
    package var keepsMigrationCopy = true
    /// Makes the number of a new history.
    package var makeHistory: @Sendable () -> UInt64 = DatabaseHistory.randomNumber
    /// Whether the process that wrote the log at the file may not have waited for the disk. The `durability` of this process says nothing
    /// about that.
    package var logMayHaveGaps = true
    /// Whether a file begins its run (`DatabaseRuns`) when it is opened: for a server, whose tokens outlive the process. Otherwise it does
    /// with its first commit.
    package var beginsRun = false
    /// When the documents are deleted that have expired.
    package var expiry = ExpirySettings()
    /// The limits of the outcomes that are stored for Write streams that clients may resume.
    package var sequences = SequenceLimits()

    /// When the write-ahead log of a file is shortened.
    var log = LogLimits()

    package init(
        location: Location, durability: Durability = .full, databaseID: DatabaseID,
        clock: any WallClock = SystemClock(), logRetention: Int64 = 3_600_000_000,
        queue: CommitQueueLimits = CommitQueueLimits(), transactions: TransactionLimits = TransactionLimits(),
        indexPolicy: IndexPolicy = .automatic, indexLimits: IndexLimits = IndexLimits()
    ) {
        self.location = location
        self.durability = durability
        self.databaseID = databaseID
        self.clock = clock
        self.logRetention = logRetention
        self.queue = queue
        self.transactions = transactions
        self.indexPolicy = indexPolicy
        self.indexLimits = indexLimits
    }
}

extension EngineConfiguration {
    var opening: StoreOpening {
        var opening = StoreOpening(keepsMigrationCopy: keepsMigrationCopy, clock: clock, makeHistory: makeHistory)
        opening.logMayHaveGaps = logMayHaveGaps
        opening.log = log
        opening.beginsRun = beginsRun
        return opening
    }
}

/// Limits of pending commits; beyond them `submit` blocks.
package struct CommitQueueLimits: Sendable {
    package var bytes = 32 * 1_024 * 1_024
    package var commits = 4_096
    /// The approximate maximum written in one transaction, all of which the write-ahead log has to hold.
    package var groupBytes = 8 * 1_024 * 1_024
}
