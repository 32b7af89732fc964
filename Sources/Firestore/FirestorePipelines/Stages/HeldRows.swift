// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A row that a stage holds until it has seen others, with the variables that belong to it.
struct HeldRow {
    let row: PipelineRow
    let bindings: [EvaluatedValue]
    let weight: Int
}

/// Holds rows within the budget of the execution, and passes them later.
struct RowHolder {
    let execution: Execution
    /// The variables that the pipeline has bound before this stage.
    let slots: [Int]

    func hold(_ row: Row, beside other: Int = 0) throws(FirestoreError) -> HeldRow {
        let stored = row.stored(in: execution.database)
        let bindings = slots.map { execution.frame[$0].owned() }
        let weight = stored.weight + bindings.reduce(0) { $0 + $1.weight } + other
        try execution.budget.hold(weight)
        return HeldRow(row: stored, bindings: bindings, weight: weight)
    }

    func release(_ row: HeldRow) { execution.budget.release(row.weight) }

    /// Gives the variables the values that belong to a row.
    func restore(_ row: HeldRow) { for (slot, value) in zip(slots, row.bindings) { execution.frame[slot] = value } }

    func pass(_ held: HeldRow, to next: any RowReceiver) throws(FirestoreError) -> ScanStep {
        // It is there until the stages behind have taken it.
        defer { release(held) }
        try execution.step()
        restore(held)
        return try next.take(Row(held.row))
    }

    /// Passes rows from the last to the first, and forgets each one that has passed.
    func pass(_ rows: inout [HeldRow], to next: any RowReceiver) throws(FirestoreError) -> ScanStep {
        while let row = rows.popLast() {
            if try pass(row, to: next) == .stop {
                drop(&rows)
                return .stop
            }
        }
        return .next
    }

    func drop(_ rows: inout [HeldRow]) {
        for row in rows { release(row) }
        rows = []
    }
}

extension Execution {
    /// Sorts what may be many elements, and ends when the caller no longer waits.
    func sort<Element>(_ elements: inout [Element], by precedes: (Element, Element) -> Bool) throws(FirestoreError) {
        var failure: FirestoreError?
        elements.sort { left, right in
            // The order is not seen then.
            guard failure == nil else { return false }
            do throws(FirestoreError) { try step() } catch { failure = error }
            return precedes(left, right)
        }
        if let failure { throw failure }
    }
}
