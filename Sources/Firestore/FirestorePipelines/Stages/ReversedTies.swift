// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Rows that come in the order of a sort, but those that it does not distinguish in the opposite order.
struct ReversedTies {
    private let keys: [SortKey]
    private let holder: RowHolder
    /// The values of the keys that the rows have in common.
    private var values: [EvaluatedValue] = []
    private var rows: [HeldRow] = []

    init(_ keys: [SortKey], _ holder: RowHolder) { (self.keys, self.holder) = (keys, holder) }

    /// Holds a row, after it has passed those that it does not equal.
    mutating func take(_ row: Row, most: Int?, to next: any RowReceiver) throws(FirestoreError) -> ScanStep {
        var found: [EvaluatedValue] = []
        for key in keys { found.append(try key.expression.evaluate(row, holder.execution)) }
        if !rows.isEmpty, !isTied(found), try flush(to: next) == .stop { return .stop }
        if rows.isEmpty { values = found.map { $0.owned() } }
        rows.append(try holder.hold(row))
        // The first ones are the last ones wanted.
        if let most, rows.count >= 2 * most + 64 { drop(rows.count - most) }
        return .next
    }

    private func isTied(_ found: [EvaluatedValue]) -> Bool {
        zip(found, values).allSatisfy { ComparisonFunctions.compare($0, $1) == 0 }
    }

    private mutating func drop(_ count: Int) {
        for row in rows[..<count] { holder.release(row) }
        rows.removeFirst(count)
    }

    /// Passes the rows it holds.
    mutating func flush(to next: any RowReceiver) throws(FirestoreError) -> ScanStep {
        while let row = rows.popLast() {
            guard try holder.pass(row, to: next) == .next else { return .stop }
        }
        return .next
    }
}
