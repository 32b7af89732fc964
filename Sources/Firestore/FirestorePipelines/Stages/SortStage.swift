// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Sorts rows. Rows with equal keys keep their order.
final class SortStage: RowReceiver {
    /// The order in which the rows come.
    enum Order {
        /// One that rows with equal keys keep.
        case any
        /// None that means something: rows with equal keys get the order of their names.
        case none
        /// Sorted by the keys; rows with equal keys in the order of their names.
        case given
        /// Sorted by the keys; rows with equal keys are reversed.
        case tiesReversed
    }

    private struct Entry {
        let keys: [EvaluatedValue]
        let number: Int
        let held: HeldRow
    }

    private let keys: [SortKey]
    /// How many rows are wanted; nil for all.
    let most: Int?
    var order = Order.any
    private let holder: RowHolder
    private let next: any RowReceiver
    private var ties: ReversedTies
    private var entries: [Entry] = []
    private var number = 0

    init(_ keys: [SortKey], most: Int?, _ holder: RowHolder, _ next: any RowReceiver) {
        (self.keys, self.most, self.holder, self.next) = (keys, most, holder, next)
        ties = ReversedTies(keys, holder)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        guard most != 0 else { return .stop }
        switch order {
        case .given: return try next.take(row)
        case .tiesReversed: return try ties.take(row, most: most, to: next)
        case .any, .none: entries.append(try entry(of: row))
        }
        number += 1
        // With room for as many again, sorting costs little for each row.
        if let most, entries.count >= 2 * most + 64 { try cut(to: most) }
        return .next
    }

    private func entry(of row: Row) throws(FirestoreError) -> Entry {
        var values: [EvaluatedValue] = []
        var hold = ValueHold(holder.execution)
        for key in keys {
            // What is missing or has failed sorts as null.
            let value = try key.expression.evaluate(row, holder.execution).owned()
            try hold.add(value)
            values.append(value)
        }
        let held = try holder.hold(row, beside: values.reduce(0) { $0 + $1.weight })
        return Entry(keys: values, number: number, held: held)
    }

    /// Passes the rows it holds, in order; nothing is held any more.
    func flush() throws(FirestoreError) -> ScanStep {
        guard try ties.flush(to: next) == .next else { return .stop }
        try cut(to: most ?? entries.count)
        var rows = entries.reversed().map(\.held)
        entries = []
        return try holder.pass(&rows, to: next)
    }

    private func cut(to most: Int) throws(FirestoreError) {
        try holder.execution.sort(&entries, by: precedes)
        guard entries.count > most else { return }
        for entry in entries[most...] { holder.release(entry.held) }
        entries.removeLast(entries.count - most)
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        for (index, key) in keys.enumerated() {
            let order = ComparisonFunctions.compare(left.keys[index], right.keys[index])
            if order != 0 { return key.isDescending ? order > 0 : order < 0 }
        }
        if case .none = order {
            let order = PathOrdering.compare(left.held.row.name ?? "", right.held.row.name ?? "")
            if order != 0 { return order < 0 }
        }
        return left.number < right.number
    }

    func end() throws(FirestoreError) {
        _ = try flush()
    }
}
