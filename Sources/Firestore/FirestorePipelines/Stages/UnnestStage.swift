// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Passes a row for every element of an array.
final class UnnestStage: RowReceiver {
    private let unnesting: Unnesting
    private let execution: Execution
    private let next: any RowReceiver

    init(_ unnesting: Unnesting, _ execution: Execution, _ next: any RowReceiver) {
        (self.unnesting, self.execution, self.next) = (unnesting, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        let value = try unnesting.array.value(row, execution)
        var hold = ValueHold(execution)
        try hold.add(made: value, from: row)
        guard let elements = value.elements else {
            // What is no array passes once, with an index of null.
            return try pass(row, [(unnesting.index, .null)])
        }
        for (index, element) in elements.enumerated() {
            try execution.step()
            let fields = [(unnesting.alias, value.part(element)), (unnesting.index, EvaluatedValue.integer(Int64(index)))]
            if try pass(row, fields) == .stop { return .stop }
        }
        return .next
    }

    private func pass(_ row: Row, _ fields: [(name: ByteSlice?, value: EvaluatedValue)]) throws(FirestoreError) -> ScanStep {
        try execution.budget.admit(fields.reduce(row.fields.bytes.count) { $0 + $1.value.weight })
        // The row that it comes from stays until all have passed, and is counted where it was made.
        var flight = RowFlight(row, execution.budget)
        try flight.replace(by: row.setting(fields))
        return try next.take(flight.row)
    }

    func end() {}
}

extension Row {
    /// With fields set; a later entry of one name counts.
    func setting(_ values: [(name: ByteSlice?, value: EvaluatedValue)]) -> Row {
        var map = MapBuilder()
        for (name, view) in fields { map.set(name, .encoded(view, owner: owner)) }
        for (name, value) in values { if let name { map.set(name.buffer, value) } }
        return replacing(map.fields())
    }
}
