// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineModel {
    func stage(_ stage: PipelineStage, _ rows: @escaping Stream, _ outer: ModelRow) throws -> Stream {
        switch stage.kind {
        case .where:
            return {
                while let row = try rows() { if try evaluate(stage.arguments[0], row).isTrue { return row } }
                return nil
            }
        case .select, .addFields, .removeFields, .replaceWith, .let: return { try rows().map { try changed($0, by: stage) } }
        case .sort: return Self.stream(after: rows) { try sorted($0, by: stage) }
        case .limit:
            var rest = try number(stage)
            return {
                rest -= 1
                return rest < 0 ? nil : try rows()
            }
        case .offset:
            var rest = try number(stage)
            return {
                while rest > 0, try rows() != nil { rest -= 1 }
                return try rows()
            }
        case .unnest:
            var waiting: [ModelRow] = []
            return {
                while waiting.isEmpty {
                    guard let row = try rows() else { return nil }
                    waiting = try unnested(row, by: stage)
                }
                return waiting.removeFirst()
            }
        case .union:
            guard case .pipeline(let stages)? = stage.arguments.first else { throw ModelFault() }
            var other: Stream?
            return {
                if other == nil, let row = try rows() { return row }
                let rest = try other ?? stream(stages, below: ModelRow(variables: outer.variables))
                other = rest
                return try rest()
            }
        case .aggregate, .distinct: return Self.stream(after: rows) { try grouped($0, by: stage, outer) }
        default: throw ModelFault()
        }
    }

    private func number(_ stage: PipelineStage) throws -> Int {
        guard case .constant(let bytes)? = stage.arguments.first, case .integer(let number) = try bytes.value else { throw ModelFault() }
        return Int(number)
    }

    static func alias(_ text: String) -> FieldPathSegments {
        (try? PathCheck.fieldPath(wire: text)) ?? FieldPathSegments([text])
    }

    // MARK: Shapes

    private func changed(_ row: ModelRow, by stage: PipelineStage) throws -> ModelRow {
        switch stage.kind {
        case .select:
            var result = ModelRow(variables: row.variables)
            for entry in stage.arguments[0].entries ?? [] { try set(entry, in: &result, from: row, keepsMaps: true) }
            return result
        case .addFields:
            var result = row
            for entry in stage.arguments[0].entries ?? [] { try set(entry, in: &result, from: row, keepsMaps: false) }
            return result
        case .removeFields:
            var result = row
            for case .field(let path) in stage.arguments {
                if path.isDocumentID { result.path = nil } else { result.fields.put(path.segments[...], nil, keepsMaps: false) }
            }
            return result
        case .let:
            var result = row
            for entry in stage.arguments[0].entries ?? [] { result.variables[entry.key] = try value(entry.value, row) }
            return result
        default: return try replaced(row, by: stage)
        }
    }

    private func set(_ entry: PipelineEntry, in result: inout ModelRow, from row: ModelRow, keepsMaps: Bool) throws {
        let value = try value(entry.value, row)
        let path = Self.alias(entry.key)
        if path.isDocumentID { return result.path = try self.path(value) }
        result.fields.put(path.segments[...], value.isAbsent ? nil : value.orNull, keepsMaps: keepsMaps)
    }

    /// The document that a value names.
    private func path(_ value: ModelResult) throws -> String? {
        if value.isAbsent { return nil }
        guard case .reference(let name) = value.orNull else { throw ModelFault() }
        return String(name.dropFirst(database.documentsPrefix.count))
    }

    private func replaced(_ row: ModelRow, by stage: PipelineStage) throws -> ModelRow {
        let value = try value(stage.arguments[0], row)
        guard value.isAbsent || value.orNull.plainMap != nil else { throw ModelFault() }
        let map = value.orNull.plainMap ?? FieldMap()
        guard case .constant(let bytes)? = stage.arguments.last, case .string(let mode) = try bytes.value else { throw ModelFault() }
        var result = row
        switch mode {
        case "full_replace": result = ModelRow(fields: map, variables: row.variables)
        case "merge_overwrite_existing": for (name, value) in map.entries { result.fields[name] = value }
        default: for (name, value) in map.entries where row.fields[name] == nil { result.fields[name] = value }
        }
        return try named(result)
    }

    /// With the name that is among the fields as the name of the row.
    func named(_ row: ModelRow) throws -> ModelRow {
        guard let name = row.fields["__name__"] else { return row }
        var row = row
        row.path = try path(.value(name))
        row.fields["__name__"] = nil
        return row
    }

    private func unnested(_ row: ModelRow, by stage: PipelineStage) throws -> [ModelRow] {
        var index: String?
        if case .field(let path)? = stage.options["index_field"] { index = path.segments[0] }
        guard case .field(let alias) = stage.arguments[1] else { throw ModelFault() }
        guard let elements = try value(stage.arguments[0], row).orNull.elements else {
            var row = row
            if let index { row.fields[index] = .null }
            return [row]
        }
        return elements.enumerated().map { position, element in
            var row = row
            row.fields[alias.segments[0]] = element
            if let index { row.fields[index] = .integer(Int64(position)) }
            return row
        }
    }

    // MARK: Orders

    private func sorted(_ rows: [ModelRow], by stage: PipelineStage) throws -> [ModelRow] {
        var keys: [(expression: PipelineArgument, isDescending: Bool)] = []
        for argument in stage.arguments {
            let entries = argument.entries ?? []
            guard let expression = entries.first(where: { $0.key == "expression" })?.value else { throw ModelFault() }
            let direction = entries.first { $0.key == "direction" }.map { PipelineText.print($0.value) }
            keys.append((expression, direction == #""descending""#))
        }
        let values = try rows.map { row in try keys.map { try evaluate($0.expression, row).orNull } }
        let order = rows.indices.sorted { left, right in
            for (index, key) in keys.enumerated() {
                let order = ModelOrder.compare(values[left][index], values[right][index])
                if order != 0 { return key.isDescending ? order > 0 : order < 0 }
            }
            return left < right
        }
        return order.map { rows[$0] }
    }
}

extension FieldMap {
    /// Sets or removes what is at a path. Maps on the way appear where something is written, or `keepsMaps`.
    fileprivate mutating func put(_ path: ArraySlice<String>, _ value: Value?, keepsMaps: Bool) {
        guard let first = path.first else { return }
        guard path.count > 1 else { return self[first] = value }
        let old = self[first]?.plainMap
        guard old != nil || value != nil || keepsMaps else { return }
        var inner = old ?? FieldMap()
        inner.put(path.dropFirst(), value, keepsMaps: keepsMaps)
        // Below a missing map nothing appears.
        if old != nil || !inner.isEmpty || keepsMaps { self[first] = .map(inner) }
    }
}
