// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import HearthBase

/// What a committer counts: one entry for each group, whatever its size.
struct CommitCounts {
    private(set) var figures = StoreFigures()

    /// A group was applied between two moments, and then stored or lost.
    mutating func add(_ group: [PendingCommit], begun: DispatchTime, applied: DispatchTime, stored: DispatchTime) {
        figures.commits += group.count
        figures.groupSizes.add(Double(group.count))
        figures.syncTimes.add(Self.seconds(from: applied, to: stored))
        if let first = group.first { figures.queueWaits.add(Self.seconds(from: first.submitted, to: begun)) }
    }

    private static func seconds(from start: DispatchTime, to end: DispatchTime) -> Double {
        Double(end.uptimeNanoseconds.subtractingReportingOverflow(min(start.uptimeNanoseconds, end.uptimeNanoseconds)).partialValue) / 1e9
    }
}
