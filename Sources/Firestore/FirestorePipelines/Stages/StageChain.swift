// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The stages of a pipeline, each of which passes rows to the next one.
struct StageChain {
    private(set) var first: any RowReceiver
    /// The first one behind the filters with which the chain begins, for rows that are known to pass them.
    private(set) var behindFilters: any RowReceiver
    /// The stage behind the filters with which the chain begins, if the source can do its work.
    private(set) var sort: SortStage?
    private(set) var group: GroupStage?
    /// About how many rows are wanted behind the first sort; nil for all.
    private(set) var expected: Int?
    /// The stages that count rows, from the last to the first.
    private(set) var counting: [any CountingStage] = []

    init(first: any RowReceiver) { (self.first, behindFilters) = (first, first) }

    /// Puts a stage in front of the others. `place` names it in failures; nil for a stage that does not fail.
    mutating func put(_ stage: any RowReceiver, in place: String?, expected: Int?) {
        if let stage = stage as? any CountingStage { counting.append(stage) }
        first = place.map { FailurePlace($0, stage) } ?? stage
        guard !(stage is FilterStage) else { return }
        (sort, group, self.expected) = (stage as? SortStage, stage as? GroupStage, expected)
        behindFilters = first
    }
}

/// A stage with a number of rows that it has yet to take.
protocol CountingStage: RowReceiver {
    var rest: Int { get set }
}
