// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

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
        _ = try holder.pass(&rows, to: next)
    }
}
