// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Evaluates expressions from their form as it was written, without resolving anything before.
extension PipelineModel {
    func evaluate(_ argument: PipelineArgument, _ row: ModelRow) throws -> ModelResult {
        switch argument {
        case .constant(let bytes): return .value(try bytes.value)
        case .field(let path): return field(path.segments[...], row)
        case .variable(let name):
            guard let value = row.variables[name] else { throw ModelFault() }
            return value
        case .array(let elements): return try call("array", elements, row)
        case .map(let entries): return try call("map", entries.flatMap { [.value(.string($0.key)), $0.value] }, row)
        case .function(let function): return try call(function.name, function.arguments, row)
        case .pipeline: throw ModelFault()
        }
    }

    /// Where a failure ends the request.
    func value(_ argument: PipelineArgument, _ row: ModelRow) throws -> ModelResult {
        let value = try evaluate(argument, row)
        if value.isFailed { throw ModelFault() }
        return value
    }

    private func field(_ segments: ArraySlice<String>, _ row: ModelRow) -> ModelResult {
        if segments.count == 1, segments.first == "__name__" {
            return row.path.map { .value(.reference(database.documentsPrefix + $0)) } ?? .absent
        }
        var map = row.fields
        for (index, segment) in segments.enumerated() {
            guard let value = map[segment] else { return .absent }
            if index == segments.count - 1 { return .value(value) }
            guard let inner = value.plainMap else { return .absent }
            map = inner
        }
        return .absent
    }

    // MARK: Calls

    private func call(_ name: String, _ arguments: [PipelineArgument], _ row: ModelRow) throws -> ModelResult {
        if case .pipeline(let stages)? = arguments.first { return try pipeline(name, stages, row) }
        switch name {
        case "and": return try decide(arguments, by: false, row)
        case "or": return try decide(arguments, by: true, row)
        case "conditional":
            let condition = try evaluate(arguments[0], row)
            if condition.isTrue { return try evaluate(arguments[1], row) }
            guard condition.boolean == false || condition.isNothing else { return .failed }
            return try evaluate(arguments[2], row)
        case "is_error": return .boolean(try evaluate(arguments[0], row).isFailed)
        case "if_error":
            let value = try evaluate(arguments[0], row)
            return value.isFailed ? try evaluate(arguments[1], row) : value
        case "if_absent":
            let value = try evaluate(arguments[0], row)
            return value.isAbsent ? try evaluate(arguments[1], row) : value
        case "if_null", "coalesce":
            for argument in arguments.dropLast() {
                let value = try evaluate(argument, row)
                if !value.isNothing { return value }
            }
            return try evaluate(arguments[arguments.count - 1], row)
        case "array_filter", "array_transform": return try elements(name, arguments, row)
        case "current_document":
            var map = row.fields
            if let path = row.path { map["__name__"] = .reference(database.documentsPrefix + path) }
            return .value(.map(map))
        default: return try call(try function(name), arguments, row)
        }
    }

    /// What most functions do with arguments that are failures, of other types, `null` or missing.
    private func call(_ function: ModelFunction, _ arguments: [PipelineArgument], _ row: ModelRow) throws -> ModelResult {
        var values: [ModelResult] = []
        var isNull = false
        for (index, argument) in arguments.enumerated() {
            let value = try evaluate(argument, row)
            if value.isFailed { return .failed }
            if let wanted = function.parameters[min(index, function.parameters.count - 1)] {
                if value.isNothing {
                    isNull = true
                } else if !wanted.contains(value.orNull.kind) {
                    return .failed
                }
            }
            values.append(value)
        }
        return isNull ? .null : function.body(values)
    }

    private func decide(_ arguments: [PipelineArgument], by deciding: Bool, _ row: ModelRow) throws -> ModelResult {
        var (hasFailed, hasNull) = (false, false)
        for argument in arguments {
            let value = try evaluate(argument, row)
            switch value.boolean {
            case deciding?: return .boolean(deciding)
            case _?: continue
            case nil: if value.isNothing { hasNull = true } else { hasFailed = true }
            }
        }
        return hasFailed ? .failed : hasNull ? .null : .boolean(!deciding)
    }

    /// `array_filter(array, "e", condition)` and `array_transform(array, "e", expression)`.
    private func elements(_ name: String, _ arguments: [PipelineArgument], _ row: ModelRow) throws -> ModelResult {
        let array = try evaluate(arguments[0], row)
        if array.isFailed { return .failed }
        if array.isNothing { return .null }
        guard let elements = array.orNull.elements, case .constant(let alias) = arguments[1], case .string(let variable) = try alias.value
        else { return .failed }
        var result: [Value] = []
        for element in elements {
            var inner = row
            inner.variables[variable] = .value(element)
            let value = try evaluate(arguments[2], inner)
            if value.isFailed { return .failed }
            if name == "array_transform" { result.append(value.orNull) } else if value.isTrue { result.append(element) }
        }
        return .value(.array(result))
    }

    // MARK: Pipelines

    private func pipeline(_ name: String, _ stages: [PipelineStage], _ row: ModelRow) throws -> ModelResult {
        let rows = try stream(stages, below: row)
        let only = Self.onlyField(of: stages)
        var values: [Value] = []
        while let row = try rows() {
            values.append(only.map { row.fields[$0] ?? .null } ?? .map(row.fields))
            if name == "scalar", values.count == 2 { return .failed }
        }
        return name == "scalar" ? .value(values.first ?? .null) : .value(.array(values))
    }

    /// The one field that the rows have by their last stage of this kind; nil if they may have others.
    private static func onlyField(of stages: [PipelineStage]) -> String? {
        var only: String?
        for stage in stages {
            switch stage.kind {
            case .select, .distinct, .aggregate:
                let names = Set(stage.arguments.flatMap { $0.entries ?? [] }.map { alias($0.key).segments[0] })
                only = names.count == 1 && names.first != "__name__" ? names.first : nil
            case .where, .sort, .limit, .offset, .let: continue
            default: only = nil
            }
        }
        return only
    }
}
