// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A pipeline whose rows are a value of another one's row. It reads the same snapshot, and the variables that were bound before.
struct Subpipeline: Sendable {
    enum Kind: String, Sendable {
        /// All rows.
        case array
        /// The only row, or `null`.
        case scalar
    }

    let kind: Kind
    let pipeline: CheckedPipeline
    let inputs: SubpipelineInputs
    /// Its place among the sub-pipelines of the request.
    let number: Int

    func evaluate(_ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        guard let key = inputs.key(execution) else { return try run(row, execution) }
        if let known = execution.memos[number]?[key] { return known }
        let value = try run(row, execution)
        try execution.memos[number, default: SubpipelineMemo()].set(value, for: key, execution.budget)
        return value
    }

    private func run(_ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        var result = ArrayBuilder()
        var held = 0
        defer { execution.budget.release(held) }
        var only: EvaluatedValue?
        var count = 0
        try PipelineRun.run(pipeline, below: row, execution) { (inner) throws(FirestoreError) in
            let value = value(of: inner)
            count += 1
            switch kind {
            case .array:
                let before = result.byteCount
                result.append(value)
                held += result.byteCount - before
                try execution.budget.hold(result.byteCount - before)
            case .scalar: only = value.owned()
            }
            return kind == .scalar && count > 1 ? .stop : .next
        }
        switch kind {
        case .array: return result.value()
        case .scalar: return count > 1 ? .fail("Subpipeline returned multiple results.") : only ?? .null
        }
    }

    /// The value of the only field of the pipeline's rows, or the whole row.
    private func value(of row: Row) -> EvaluatedValue {
        if let field = pipeline.onlyField {
            guard let view = field.withUnsafeBytes({ row.fields[$0] }) else { return .null }
            return .encoded(view, owner: row.owner)
        }
        var map = MapBuilder()
        for (name, view) in row.fields { map.set(name, .encoded(view, owner: row.owner)) }
        return map.value()
    }
}
