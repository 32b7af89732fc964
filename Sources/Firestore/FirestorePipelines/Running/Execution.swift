// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// One execution of a pipeline over one snapshot. Used by one thread.
final class Execution {
    let database: DatabaseID
    /// The time of the request: the value of `current_timestamp` everywhere in it.
    let time: TimestampValue
    let budget: PipelineBudget
    let counters: QueryCounters
    /// nil while functions of constants are folded.
    let source: (any DocumentSource)?
    /// Learns which indexes the sources need.
    var observe: ((StructuredQuery, QueryCounters) -> Void)?
    /// The page that is made; nil where all rows are.
    var pages: PipelinePages?
    var random: any RandomNumberGenerator
    /// The variables by slot: those of stages, of outer pipelines, and of functions that bind elements.
    var frame: [EvaluatedValue]
    /// Patterns that were compiled, and what is left of the budget of all matching.
    var patterns = PatternMemory()
    var zones = CompiledTexts<TimeZoneRules?>()
    /// What sub-pipelines have given, by their numbers.
    var memos: [Int: SubpipelineMemo] = [:]
    /// How many documents the sources may still look at; nil for all.
    var documentsLeft: Int?
    /// Whether they would have had to look at more.
    private(set) var isGivenUp = false
    /// Whether the budget counts its steps.
    private let isAttempt: Bool
    /// How many steps a row takes more than one: those of a pipeline with many expressions take long.
    var stepsPerRow = 0
    /// The steps until the next look at the caller.
    private var rest = stepsBetweenLooks
    private static let stepsBetweenLooks = 256
    /// A function that reads a value takes a step for so many bytes of it.
    private static let bytesPerStep = 1_024

    init(
        database: DatabaseID, time: TimestampValue, budget: PipelineBudget, counters: QueryCounters = QueryCounters(),
        source: (any DocumentSource)?, random: any RandomNumberGenerator = SystemRandomNumberGenerator(), slots: Int
    ) {
        self.database = database
        self.time = time
        self.budget = budget
        self.counters = counters
        self.source = source
        self.random = random
        isAttempt = budget.isAttempt
        frame = Array(repeating: .absent, count: slots)
    }

    /// Ends the execution, whose rows mean nothing.
    func giveUp() { isGivenUp = true }

    /// Counts a document that a source looks at. Returns whether it may.
    func mayLook() -> Bool {
        guard let left = documentsLeft else { return true }
        documentsLeft = left - 1
        if left <= 0 { giveUp() }
        return left > 0
    }

    /// Counts a row, or a turn of a long loop, and now and then looks whether the caller still waits.
    func step() throws(FirestoreError) { try step(1) }

    /// Counts a row of a source, with all that is computed for it.
    func stepRow() throws(FirestoreError) { try step(1 + stepsPerRow) }

    /// Counts that a function reads a value: a call with a large one takes as long as many turns.
    func step(over value: EvaluatedValue) throws(FirestoreError) {
        guard case .encoded(let view, _) = value, view.count >= Self.bytesPerStep else { return }
        try step(view.count / Self.bytesPerStep)
    }

    private func step(_ count: Int) throws(FirestoreError) {
        rest -= count
        guard rest <= 0 else { return }
        let counted = Self.stepsBetweenLooks - rest
        rest = Self.stepsBetweenLooks
        if isAttempt { try budget.attempted(counted) }
        try budget.check()
    }
}
