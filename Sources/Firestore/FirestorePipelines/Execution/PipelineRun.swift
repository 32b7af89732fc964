// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Runs a pipeline: a chain of stages, into which its source pushes rows.
enum PipelineRun {
    /// Passes the rows of a pipeline to `body`, in order. `outer` is the row of the pipeline that it is part of.
    static func run(
        _ pipeline: CheckedPipeline, below outer: Row?, _ execution: Execution,
        _ body: @escaping (Row) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let chain = chain(pipeline, RowEnd(body), execution)
        // Without its loop nothing would look at the deadline of a pipeline in another one.
        try execution.budget.check()
        try feed(pipeline.source, below: outer, to: chain, execution)
        try chain.end()
    }

    private static func feed(
        _ source: CheckedSource, below outer: Row?, to chain: StageChain, _ execution: Execution
    ) throws(FirestoreError) {
        switch source {
        case .scope(let scope, let condition): try SourceScan(scope, condition, execution).run(to: chain)
        case .subcollection(let path, let condition):
            guard let name = outer?.name(in: execution.database), let key = DocumentKey(name: name, in: execution.database) else {
                throw .invalidArgument("subcollection needs an outer row that is a document of this database")
            }
            let scope = QueryScope.collection(CollectionPath(trusted: key.path + "/" + path))
            try SourceScan(scope, condition, execution).run(to: chain)
        case .documents(let keys):
            for key in keys {
                try execution.step()
                guard let document = try execution.source?.document(key) else { continue }
                execution.counters.documentsRead += 1
                if try chain.first.take(Row(document)) == .stop { return }
            }
        case .literals(let rows):
            for row in rows {
                let value = try row.value(Row(.empty), execution)
                try execution.step()
                var map = MapBuilder()
                if let entries = value.entries { map.set(entries, of: value) }
                try execution.budget.admit(2 * map.byteCount)
                var flight = RowFlight(Row(.empty), execution.budget)
                try flight.replace(by: Row(map.fields()))
                if try chain.first.take(flight.row) == .stop { return }
            }
        }
    }

    // MARK: The chain

    static func chain(_ pipeline: CheckedPipeline, _ end: any RowReceiver, _ execution: Execution) -> StageChain {
        var chain = StageChain(first: end)
        // The variables that each stage holds with its rows: those that were bound before it.
        var bound: [[Int]] = []
        var slots: [Int] = []
        for stage in pipeline.stages {
            bound.append(slots)
            if case .bind(let bindings) = stage.stage { slots += bindings.map(\.slot) }
        }
        let leading = pipeline.stages.prefix { if case .filter = $0.stage { true } else { false } }.count
        for (index, stage) in pipeline.stages.enumerated().reversed() {
            let place = stage.stage.mayFail ? stage.place : nil
            let expected = wanted(after: index, in: pipeline.stages, throughFilters: true)
            if let step = step(stage.stage, execution) {
                chain.put(step, in: place, expected: expected, execution, isLeadingFilter: index < leading)
            } else {
                let holder = RowHolder(execution: execution, slots: bound[index])
                let receiver = receiver(stage.stage, most: wanted(after: index, in: pipeline.stages), holder, chain.first)
                chain.put(receiver, in: place, expected: expected)
            }
        }
        return chain
    }

    /// How many rows the stages behind a sort take from it, at least if filters among them drop some; nil for all.
    private static func wanted(after index: Int, in stages: [PlacedStage], throughFilters: Bool = false) -> Int? {
        var offset = 0
        for stage in stages[(index + 1)...] {
            switch stage.stage {
            case .offset(let count): offset = offset.addingReportingOverflow(count).partialValue
            case .limit(let count):
                let (sum, overflow) = offset.addingReportingOverflow(count)
                // More than fits into memory need not be bounded.
                return overflow || sum < 0 || sum > 1 << 30 ? nil : sum
            case .shape, .bind: continue
            case .filter where throughFilters: continue
            default: return nil
            }
        }
        return nil
    }

    /// A stage that makes of every row one row, or none; nil for another one.
    private static func step(_ stage: CheckedStage, _ execution: Execution) -> (any RowStep)? {
        switch stage {
        case .filter(let condition): FilterStep(condition, execution)
        case .shape(let shape): ShapeStep(shape, execution)
        case .offset(let count): OffsetStep(count)
        case .limit(let count): LimitStep(count)
        case .sample(.fraction(let fraction)): FractionStep(fraction, execution)
        case .bind(let bindings): BindStep(bindings, execution)
        case .replace(let expression, let mode): ReplaceStep(expression, mode, execution)
        case .sort, .sample(.rows), .aggregate, .unnest, .union, .nearest: nil
        }
    }

    private static func receiver(
        _ stage: CheckedStage, most: Int?, _ holder: RowHolder, _ next: any RowReceiver
    ) -> any RowReceiver {
        switch stage {
        case .sort(let keys): return SortStage(keys, most: most, holder, next)
        case .sample(.rows(let count)): return SampleStage(count, holder, next)
        case .aggregate(let grouping): return GroupStage(grouping, holder.execution, next)
        case .unnest(let unnesting): return UnnestStage(unnesting, holder.execution, next)
        case .union(let other): return UnionStage(other, holder, next)
        case .nearest(let nearest): return NearestStage(nearest, holder, next)
        case .filter, .shape, .offset, .limit, .sample(.fraction), .bind, .replace: preconditionFailure("the stage is a step")
        }
    }
}
