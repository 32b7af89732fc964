// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Decides when to prune the change log, and how much of it in one step.
struct ChangeLogRetention {
    struct Step: Equatable {
        let horizon: DocumentVersion
        let limit: Int
    }

    /// Microseconds of history to keep.
    let window: Int64
    private var writtenSince = 0
    private var nextTime: Int64 = 0
    private var isBehind = true

    private static let smallestStep = 1_000
    private static let pause: Int64 = 60_000_000

    init(window: Int64) { self.window = window }

    /// What to do after a commit group that changed `written` documents; usually nothing.
    mutating func step(now: Int64, written: Int) -> Step? {
        writtenSince += written
        guard isBehind || writtenSince >= 10 * Self.smallestStep || now >= nextTime else { return nil }
        // Twice the number of added entries: a backlog shrinks while writing continues.
        let limit = max(Self.smallestStep, 2 * writtenSince)
        return Step(horizon: DocumentVersion(microseconds: now - window), limit: limit)
    }

    mutating func pruned(_ count: Int, of step: Step, now: Int64) {
        writtenSince = 0
        nextTime = now + Self.pause
        isBehind = count == step.limit
    }
}
