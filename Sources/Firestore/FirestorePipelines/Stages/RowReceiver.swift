// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What takes the rows of a stage: the next stage, or the end of a pipeline. Used by one thread.
protocol RowReceiver: AnyObject {
    /// Takes a row, which is valid during the call. `.stop`: no further row is wanted.
    func take(_ row: Row) throws(FirestoreError) -> ScanStep

    /// There are no more rows, or no more are wanted. Called once.
    func end() throws(FirestoreError)
}

/// The end of a pipeline.
final class RowEnd: RowReceiver {
    private let body: (Row) throws(FirestoreError) -> ScanStep

    init(_ body: @escaping (Row) throws(FirestoreError) -> ScanStep) { self.body = body }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep { try body(row) }

    func end() {}
}

/// Keeps the rows for which a condition is true.
final class FilterStage: RowReceiver {
    private let condition: Expression
    private let execution: Execution
    private let next: any RowReceiver

    init(_ condition: Expression, _ execution: Execution, _ next: any RowReceiver) {
        (self.condition, self.execution, self.next) = (condition, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        // A failure drops the row, like everything else that is not true.
        try condition.evaluate(row, execution).isTrue ? next.take(row) : .next
    }

    func end() throws(FirestoreError) { try next.end() }
}

/// Gives rows another shape.
final class ShapeStage: RowReceiver {
    private let shape: RowShape
    private let execution: Execution
    private let next: any RowReceiver

    init(_ shape: RowShape, _ execution: Execution, _ next: any RowReceiver) {
        (self.shape, self.execution, self.next) = (shape, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep { try next.take(shape.apply(to: row, execution)) }

    func end() throws(FirestoreError) { try next.end() }
}

/// Skips rows.
final class OffsetStage: CountingStage {
    var rest: Int
    private let next: any RowReceiver

    init(_ count: Int, _ next: any RowReceiver) { (rest, self.next) = (count, next) }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        guard rest == 0 else {
            rest -= 1
            return .next
        }
        return try next.take(row)
    }

    func end() throws(FirestoreError) { try next.end() }
}

/// Passes so many rows, and asks for no more.
final class LimitStage: CountingStage {
    var rest: Int
    private let next: any RowReceiver

    init(_ count: Int, _ next: any RowReceiver) { (rest, self.next) = (count, next) }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        guard rest > 0 else { return .stop }
        rest -= 1
        let step = try next.take(row)
        return rest == 0 ? .stop : step
    }

    func end() throws(FirestoreError) { try next.end() }
}

/// Binds variables to values of the row.
final class BindStage: RowReceiver {
    /// What the values take that are bound.
    private var held = 0
    private let bindings: [(slot: Int, value: Expression)]
    private let execution: Execution
    private let next: any RowReceiver

    init(_ bindings: [(slot: Int, value: Expression)], _ execution: Execution, _ next: any RowReceiver) {
        (self.bindings, self.execution, self.next) = (bindings, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        // All see the variables as they were before.
        execution.budget.release(held)
        held = 0
        var values: [EvaluatedValue] = []
        for binding in bindings {
            let value = try binding.value.value(row, execution)
            held += value.ownedBytes
            try execution.budget.hold(value.ownedBytes)
            values.append(value)
        }
        for (binding, value) in zip(bindings, values) { execution.frame[binding.slot] = value }
        return try next.take(row)
    }

    func end() throws(FirestoreError) {
        execution.budget.release(held)
        try next.end()
    }
}

/// Says in failures which stage has failed. Those of the stages behind it say so already.
final class FailurePlace: RowReceiver {
    private let place: String
    private let stage: any RowReceiver

    init(_ place: String, _ stage: any RowReceiver) { (self.place, self.stage) = (place, stage) }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        do throws(FirestoreError) { return try stage.take(row) } catch { throw placed(error) }
    }

    func end() throws(FirestoreError) {
        do throws(FirestoreError) { try stage.end() } catch { throw placed(error) }
    }

    private func placed(_ error: FirestoreError) -> FirestoreError { error.code == .invalidArgument ? error.placed(place) : error }
}
