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
        guard let elements = value.elements else {
            // What is no array passes once, with an index of null.
            return try next.take(row.setting([(unnesting.index, .null)]))
        }
        for (index, element) in elements.enumerated() {
            try execution.step()
            let unnested = row.setting([(unnesting.alias, value.part(element)), (unnesting.index, .integer(Int64(index)))])
            if try next.take(unnested) == .stop { return .stop }
        }
        return .next
    }

    func end() throws(FirestoreError) { try next.end() }
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
