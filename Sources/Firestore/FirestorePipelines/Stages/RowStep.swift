// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A stage that makes of every row one row, or none. Used by one thread.
protocol RowStep: AnyObject {
    /// Makes a row of one that is valid during the call.
    func apply(to row: Row) throws(FirestoreError) -> RowOutcome

    /// There are no more rows, or no more are wanted. Called once.
    func end()
}

/// What a stage makes of a row.
enum RowOutcome {
    case row(Row)
    /// A row after which no further one is wanted.
    case last(Row)
    case none
    /// No row, and no further one is wanted.
    case stop
}

extension RowStep {
    func end() {}
}

/// Stages that follow one another, each of which makes of every row one row, or none.
///
/// A loop and no calls of one another: however many they are, a row takes the stack of one stage, and the memory of the row that a stage
/// has taken and of the one that it has made.
final class StepRun: RowReceiver {
    /// From the last to the first: they are put in front of each other.
    private var steps: [(step: any RowStep, place: String?)] = []
    private let execution: Execution
    private let next: any RowReceiver

    init(_ execution: Execution, _ next: any RowReceiver) { (self.execution, self.next) = (execution, next) }

    func put(_ step: any RowStep, in place: String?) { steps.append((step, place)) }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        var flight = RowFlight(row, execution.budget)
        var isLast = false
        for index in steps.indices.reversed() {
            switch try apply(index, to: flight.row) {
            case .row(let made): try flight.replace(by: made)
            case .last(let made):
                isLast = true
                try flight.replace(by: made)
            case .none: return isLast ? .stop : .next
            case .stop: return .stop
            }
        }
        let step = try next.take(flight.row)
        return isLast ? .stop : step
    }

    private func apply(_ index: Int, to row: Row) throws(FirestoreError) -> RowOutcome {
        guard let place = steps[index].place else { return try steps[index].step.apply(to: row) }
        do throws(FirestoreError) { return try steps[index].step.apply(to: row) } catch { throw error.failed(at: place) }
    }

    func end() { for (step, _) in steps.reversed() { step.end() } }
}

/// A row in flight between stages, whose bytes count as memory of the execution from the stage on that has made them.
struct RowFlight: ~Copyable {
    private let budget: PipelineBudget
    private var bytes = 0
    private(set) var row: Row

    init(_ row: Row, _ budget: PipelineBudget) { (self.row, self.budget) = (row, budget) }

    /// The row that comes is counted before the one that goes is forgotten: both are there.
    mutating func replace(by made: Row) throws(FirestoreError) {
        guard made.owner !== row.owner else { return row = made }
        let size = made.fields.bytes.count
        // Smaller rows are not worth counting: a pipeline has few of them in flight.
        let counted = size >= ValueHold.large ? size : 0
        if counted > 0 { try budget.hold(counted) }
        if bytes > 0 { budget.release(bytes) }
        bytes = counted
        row = made
    }

    deinit { if bytes > 0 { budget.release(bytes) } }
}

// MARK: The steps

/// Keeps the rows for which a condition is true.
final class FilterStep: RowStep {
    private let condition: Expression
    private let execution: Execution

    init(_ condition: Expression, _ execution: Execution) { (self.condition, self.execution) = (condition, execution) }

    func apply(to row: Row) throws(FirestoreError) -> RowOutcome {
        // A failure drops the row, like everything else that is not true.
        try condition.evaluate(row, execution).isTrue ? .row(row) : .none
    }
}

/// Gives rows another shape.
final class ShapeStep: RowStep {
    private let shape: RowShape
    private let execution: Execution

    init(_ shape: RowShape, _ execution: Execution) { (self.shape, self.execution) = (shape, execution) }

    func apply(to row: Row) throws(FirestoreError) -> RowOutcome { .row(try shape.apply(to: row, execution)) }
}

/// Skips rows.
final class OffsetStep: CountingStage {
    var rest: Int

    init(_ count: Int) { rest = count }

    func apply(to row: Row) -> RowOutcome {
        guard rest > 0 else { return .row(row) }
        rest -= 1
        return .none
    }
}

/// Passes so many rows, and asks for no more.
final class LimitStep: CountingStage {
    var rest: Int

    init(_ count: Int) { rest = count }

    func apply(to row: Row) -> RowOutcome {
        guard rest > 0 else { return .stop }
        rest -= 1
        return rest == 0 ? .last(row) : .row(row)
    }
}

/// Passes each row on its own with a probability.
final class FractionStep: RowStep {
    private let fraction: Double
    private let execution: Execution

    init(_ fraction: Double, _ execution: Execution) { (self.fraction, self.execution) = (fraction, execution) }

    func apply(to row: Row) -> RowOutcome { Double.random(in: 0..<1, using: &execution.random) < fraction ? .row(row) : .none }
}

/// Binds variables to values of the row.
final class BindStep: RowStep {
    /// What the values take that are bound.
    private var held = 0
    private let bindings: [(slot: Int, value: Expression)]
    private let execution: Execution

    init(_ bindings: [(slot: Int, value: Expression)], _ execution: Execution) {
        (self.bindings, self.execution) = (bindings, execution)
    }

    func apply(to row: Row) throws(FirestoreError) -> RowOutcome {
        // All see the variables as they were before.
        var values: [EvaluatedValue] = []
        var bytes = 0
        do throws(FirestoreError) {
            for binding in bindings {
                let value = try binding.value.value(row, execution)
                bytes += value.ownedBytes
                try execution.budget.hold(value.ownedBytes)
                values.append(value)
            }
        } catch {
            execution.budget.release(bytes)
            throw error
        }
        for (binding, value) in zip(bindings, values) { execution.frame[binding.slot] = value }
        execution.budget.release(held)
        held = bytes
        return .row(row)
    }

    func end() {
        execution.budget.release(held)
        held = 0
    }
}
