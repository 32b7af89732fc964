// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineModel {
    private struct Group {
        var keys: [Value]
        var rows: [ModelRow]
    }

    /// Groups are in the order of their keys.
    func grouped(_ rows: [ModelRow], by stage: PipelineStage, _ outer: ModelRow) throws -> [ModelRow] {
        let isDistinct = stage.kind == .distinct
        let accumulators = isDistinct ? [] : stage.arguments[0].entries ?? []
        let keys = (isDistinct ? stage.arguments[0] : stage.arguments[1]).entries ?? []
        var groups: [Group] = []
        for row in rows {
            let values = try keys.map { try value($0.value, row).orNull }
            if let index = groups.firstIndex(where: { zip($0.keys, values).allSatisfy { ModelOrder.equals($0, $1) } }) {
                groups[index].keys = zip(groups[index].keys, values).map(Self.shown)
                groups[index].rows.append(row)
            } else {
                groups.append(Group(keys: values, rows: [row]))
            }
        }
        if groups.isEmpty, keys.isEmpty, !isDistinct { groups = [Group(keys: [], rows: [])] }
        groups.sort { left, right in
            zip(left.keys, right.keys).map { ModelOrder.compare($0, $1) }.first { $0 != 0 }.map { $0 < 0 } ?? false
        }
        return try groups.map { group in
            var fields = FieldMap()
            for (key, value) in zip(keys, group.keys) { fields[Self.alias(key.key).segments[0]] = value }
            for accumulator in accumulators {
                guard case .function(let function) = accumulator.value else { throw ModelFault() }
                let values = try group.rows.map { row in try function.arguments.first.map { try value($0, row) } }
                fields[Self.alias(accumulator.key).segments[0]] = try accumulate(function.name, values)
            }
            return try named(ModelRow(fields: fields, variables: outer.variables))
        }
    }

    /// Of equal values the one that a group shows: an integer before a double, 0.0 before -0.0, whatever is read first.
    private static func shown(_ left: Value, _ right: Value) -> Value {
        compareBytes(ValueBytes(left).bytes, ValueBytes(right).bytes) ? left : right
    }

    private static func compareBytes(_ left: ByteSlice, _ right: ByteSlice) -> Bool { !right.array.lexicographicallyPrecedes(left.array) }

    /// `values` has nil for every row if the function has no argument.
    private func accumulate(_ name: String, _ values: [ModelResult?]) throws -> Value {
        let present = values.compactMap { $0 }.filter { !$0.isNothing }.map(\.orNull)
        switch name {
        case "count": return .integer(Int64(values.count { $0?.isNothing != true }))
        case "count_if":
            guard present.allSatisfy({ $0.kind == .boolean }) else { throw ModelFault() }
            return .integer(Int64(present.count { ModelResult.value($0).isTrue }))
        case "count_distinct": return .integer(Int64(Self.distinct(present).count))
        case "sum", "average":
            var total = ModelTotal()
            for value in present { total.add(value) }
            return name == "sum" ? total.sum : total.average
        case "minimum", "maximum":
            return present.reduce(.null) { best, value in
                if best.kind == .null { return value }
                let order = ModelOrder.compare(value, best)
                if order == 0 { return Self.shown(best, value) }
                return (order < 0) == (name == "minimum") ? value : best
            }
        case "first": return (values.first ?? nil)?.orNull ?? .null
        case "last": return (values.last ?? nil)?.orNull ?? .null
        case "array_agg": return .array(values.map { $0?.orNull ?? .null })
        case "array_agg_distinct": return .array(Self.distinct(values.map { $0?.orNull ?? .null }))
        default: throw ModelFault()
        }
    }

    private static func distinct(_ values: [Value]) -> [Value] {
        values.reduce(into: []) { result, value in
            if !result.contains(where: { ModelOrder.equals($0, value) }) { result.append(value) }
        }
    }
}
