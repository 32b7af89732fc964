// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Decides when to prune the change log, and how much of it in one step.
struct ChangeLogRetention {
    struct Step: Equatable {
        let horizon: DocumentVersion
        let limit: Int
    }

    /// Microseconds of history to keep.
    let window: Int64
    /// How far back the log is kept for readers that must not miss a commit.
    let holds: LogHoldLimits
    /// Whether the log was kept for a reader when it was cut last, and about how much has been added since.
    private var isHeld = false
    private var heldBytes = 0
    private var writtenSince = 0
    private var nextTime: Int64 = 0
    private var isBehind = true
    private var volume = LogVolume()

    private static let smallestStep = 1_000
    private static let pause: Int64 = 60_000_000

    init(window: Int64, holds: LogHoldLimits = LogHoldLimits()) {
        self.window = window
        self.holds = holds
    }

    /// What to do after a commit group that changed `written` documents; usually nothing.
    mutating func step(now: Int64, written: Int) -> Step? {
        writtenSince += written
        guard isBehind || writtenSince >= 10 * Self.smallestStep || now >= nextTime else { return nil }
        // Twice the number of added entries: a backlog shrinks while writing continues.
        let limit = max(Self.smallestStep, 2 * writtenSince)
        return Step(horizon: DocumentVersion(microseconds: now - window), limit: limit)
    }

    /// Notes what a group has added to the log.
    mutating func added(_ commits: [CommittedChanges], now: Int64) {
        volume.add(commits.reduce(0) { $0 + $1.logBytes }, now: now)
        if isHeld { heldBytes += commits.reduce(0) { $0 + $1.bytes } }
    }

    /// About the bytes of the log that were added by this process.
    var bytes: Int { volume.bytes }

    /// For how many seconds the log reaches back; nil if this process has not cut it.
    func age(now: Int64) -> Double? { volume.start.map { Double(max(now - $0.microseconds, 0)) / 1_000_000 } }

    /// Nothing before this moment is left in the log.
    mutating func wasCut(at horizon: DocumentVersion) { volume.cut(at: horizon) }

    /// Readers of the log that stand before this moment are dropped when it is cut at `horizon`.
    func earliestHold(before horizon: DocumentVersion, now: Int64) -> DocumentVersion {
        heldBytes > holds.bytes ? horizon : min(horizon, DocumentVersion(microseconds: now - window - holds.window))
    }

    mutating func held(_ isHeld: Bool) {
        self.isHeld = isHeld
        if !isHeld { heldBytes = 0 }
    }

    /// - Parameter horizon: That of the step, or an earlier moment for which the log is kept.
    mutating func pruned(_ count: Int, of step: Step, to horizon: DocumentVersion, now: Int64) {
        writtenSince = 0
        nextTime = now + Self.pause
        isBehind = count == step.limit
        if !isBehind { wasCut(at: horizon) }
    }
}

/// How long the change log is kept for readers that must not miss a commit, beyond the time that it is kept anyway.
package struct LogHoldLimits: Sendable {
    /// In microseconds.
    package var window: Int64 = 86_400_000_000
    /// About the size of the changes.
    package var bytes = 4 << 30

    package init() {}
}
