// SPDX-License-Identifier: Apache-2.0

/// The runs in which a database file was written: one for each time that it was opened.
///
/// A file that is put back by hand, as it was at an earlier moment, has the same history as before and nothing beside it that says so. Its
/// next run has another number. A token names the run in which it was issued, and with its time exactly one commit: the file has that
/// commit if it knows the run, and if the run had come so far when the next one began. Times alone do not distinguish them: the file soon
/// has those of the lost commits again.
package struct DatabaseRuns: Sendable, Hashable {
    package struct Run: Sendable, Hashable {
        /// Random; what tokens contain.
        package let mark: UInt32
        /// The last commit before the run.
        package let start: DocumentVersion

        package init(mark: UInt32, start: DocumentVersion) {
            self.mark = mark
            self.start = start
        }
    }

    /// The number of runs that are remembered. Tokens of earlier ones are not known any more.
    package static let maximum = 256

    /// The oldest first.
    package let all: [Run]
    /// Whether all runs of the history are known, so that tokens that name no run are from before the first one.
    package let isComplete: Bool

    package init(_ all: [Run] = [], isComplete: Bool = true) {
        self.all = all
        self.isComplete = isComplete
    }

    /// The present run; nil before the first.
    package var mark: UInt32? { all.last?.mark }

    /// The last commit when the file was opened: what another place knows of this file beyond it, the file has lost. nil before the first
    /// run.
    package var opened: DocumentVersion? { all.last?.start }

    /// These runs and another one, which begins behind a commit.
    package func appending(_ mark: UInt32, after start: DocumentVersion) -> DatabaseRuns {
        let all = all + [Run(mark: mark, start: start)]
        return DatabaseRuns(Array(all.suffix(Self.maximum)), isComplete: isComplete && all.count <= Self.maximum)
    }

    /// Whether the file has the commit that a token names. `mark`: nil for tokens from before runs had numbers.
    package func includes(_ mark: UInt32?, at time: DocumentVersion) -> Bool {
        guard let mark else {
            guard isComplete else { return false }
            return all.first.map { time <= $0.start } ?? true
        }
        guard let place = all.lastIndex(where: { $0.mark == mark }) else { return false }
        return place + 1 == all.count || time <= all[place + 1].start
    }

    /// A number for a new run. Never 0.
    package static func randomMark() -> UInt32 { .random(in: 1 ... .max) }
}
