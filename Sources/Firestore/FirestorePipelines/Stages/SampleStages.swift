// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Passes each row on its own with a probability.
final class FractionStage: RowReceiver {
    private let fraction: Double
    private let execution: Execution
    private let next: any RowReceiver

    init(_ fraction: Double, _ execution: Execution, _ next: any RowReceiver) {
        (self.fraction, self.execution, self.next) = (fraction, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        Double.random(in: 0..<1, using: &execution.random) < fraction ? try next.take(row) : .next
    }

    func end() throws(FirestoreError) { try next.end() }
}

/// Passes so many rows, chosen at random, in random order.
final class SampleStage: RowReceiver {
    private let count: Int
    private let holder: RowHolder
    private let next: any RowReceiver
    private var rows: [HeldRow] = []
    private var seen = 0

    init(_ count: Int, _ holder: RowHolder, _ next: any RowReceiver) { (self.count, self.holder, self.next) = (count, holder, next) }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        guard count > 0 else { return .stop }
        seen += 1
        if rows.count < count {
            rows.append(try holder.hold(row))
            return .next
        }
        // The n-th row replaces one of the sample with the probability count / n, so that every subset is equally likely.
        let place = Int.random(in: 0..<seen, using: &holder.execution.random)
        if place < count {
            let held = try holder.hold(row)
            holder.release(rows[place])
            rows[place] = held
        }
        return .next
    }

    func end() throws(FirestoreError) {
        rows.shuffle(using: &holder.execution.random)
        let sample = rows
        rows = []
        for row in sample where try holder.pass(row, to: next) == .stop { break }
        try next.end()
    }
}
