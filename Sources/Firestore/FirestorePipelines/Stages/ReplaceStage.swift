// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Makes a map of the row the row.
final class ReplaceStage: RowReceiver {
    private let expression: Expression
    private let mode: ReplacementMode
    private let execution: Execution
    private let next: any RowReceiver

    init(_ expression: Expression, _ mode: ReplacementMode, _ execution: Execution, _ next: any RowReceiver) {
        (self.expression, self.mode, self.execution, self.next) = (expression, mode, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        let value = try expression.value(row, execution)
        guard value.isAbsent || value.type == .map else {
            throw .invalidArgument("replace_with takes a map, not a value of the type \(value.type.name)")
        }
        return try next.take(replacement(of: row, by: value))
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

    func end() throws(FirestoreError) { try next.end() }
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
