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
    /// All of them, from the last to the first.
    fileprivate var stages: [any RowReceiver] = []
    /// The run that the next step in front becomes a part of; nil if it begins another one.
    private var run: StepRun?

    init(first: any RowReceiver) { (self.first, behindFilters) = (first, first) }

    /// Puts a stage in front of the others. `place` names it in failures; nil for a stage that does not fail.
    mutating func put(_ stage: any RowReceiver, in place: String?, expected: Int?) {
        first = place.map { FailurePlace($0, stage) } ?? stage
        stages.append(first)
        run = nil
        (sort, group, self.expected) = (stage as? SortStage, stage as? GroupStage, expected)
        behindFilters = first
    }

    /// Puts a step in front of the others. The filters with which the chain begins are a run of their own.
    mutating func put(_ step: any RowStep, in place: String?, expected: Int?, _ execution: Execution, isLeadingFilter: Bool) {
        if let stage = step as? any CountingStage { counting.append(stage) }
        if isLeadingFilter, first === behindFilters { run = nil }
        if let run {
            run.put(step, in: place)
        } else {
            let run = StepRun(execution, first)
            run.put(step, in: place)
            stages.append(run)
            (first, self.run) = (run, run)
        }
        guard !isLeadingFilter else { return }
        (sort, group) = (nil, nil)
        if !(step is FilterStep) { self.expected = expected }
        behindFilters = first
    }
}

extension StageChain {
    /// There are no more rows, or no more are wanted.
    func end() throws(FirestoreError) { for stage in stages.reversed() { try stage.end() } }
}

/// A stage with a number of rows that it has yet to take.
protocol CountingStage: RowStep {
    var rest: Int { get set }
}
