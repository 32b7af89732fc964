// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Makes a map of the row the row.
final class ReplaceStep: RowStep {
    private let expression: Expression
    private let mode: ReplacementMode
    private let execution: Execution

    init(_ expression: Expression, _ mode: ReplacementMode, _ execution: Execution) {
        (self.expression, self.mode, self.execution) = (expression, mode, execution)
    }

    func apply(to row: Row) throws(FirestoreError) -> RowOutcome {
        let value = try expression.value(row, execution)
        guard value.isAbsent || value.type == .map else {
            throw .invalidArgument("replace_with takes a map, not a value of the type \(value.type.name)")
        }
        // The map, and the row that is made of it.
        try execution.budget.admit(row.fields.bytes.count + 2 * value.weight)
        return .row(try replacement(of: row, by: value))
    }

    private func replacement(of row: Row, by value: EvaluatedValue) throws(FirestoreError) -> Row {
        var map = MapBuilder()
        switch mode {
        case .full:
            if let entries = value.entries { map.set(entries, of: value) }
            return try Row(MapBuilder.empty).applying(map)
        case .overwriting, .nesting:
            for (name, view) in row.fields { map.set(name, .encoded(view, owner: row.owner)) }
            if let entries = value.entries { map.set(entries, of: value) }
        case .keeping:
            if let entries = value.entries { map.set(entries, of: value) }
            for (name, view) in row.fields { map.set(name, .encoded(view, owner: row.owner)) }
        }
        return try row.applying(map)
    }
}

extension MapBuilder {
    fileprivate static let empty = ByteSlice.empty

    /// The value of a name, which is taken out.
    mutating func remove(_ attribute: DocumentAttribute) -> EvaluatedValue? {
        guard let value = self[attribute.rawValue] else { return nil }
        set(attribute.rawValue, .absent)
        return value
    }
}

extension Row {
    /// With the entries of a map as its fields; the name and the times of a document in it become those of the row.
    func applying(_ map: MapBuilder) throws(FirestoreError) -> Row {
        var map = map
        var row = self
        for attribute in [DocumentAttribute.name, .createTime, .updateTime] {
            if let value = map.remove(attribute) { try row.set(attribute, to: value, from: self) }
        }
        return row.replacing(map.fields())
    }
}
