// SPDX-License-Identifier: Apache-2.0

/// Writes the text form of pipelines.
enum PipelineTextPrinter {
    static func text(of stage: PipelineStage) -> String {
        let options = stage.options.sorted { compareUTF8($0.key, $1.key) < 0 }.map { "\(name($0.key)): \(text(of: $0.value))" }
        guard let kind = stage.kind, let arguments = arguments(of: stage, PipelineStageForm(kind)) else {
            let all = [quoted(stage.name)] + stage.arguments.map(text) + options
            return "raw_stage(\(all.joined(separator: ", ")))"
        }
        return "\(stage.name)(\((arguments + options).joined(separator: ", ")))"
    }

    /// nil if the stage has other arguments than its kind.
    private static func arguments(of stage: PipelineStage, _ form: PipelineStageForm) -> [String]? {
        let arguments = stage.arguments
        switch form {
        case .fields:
            guard arguments.count <= 1 else { return nil }
            guard let map = arguments.first else { return stage.kind == .update || stage.kind == .upsert ? [] : nil }
            return fields(map)
        case .groups:
            guard arguments.count == 2, let accumulators = fields(arguments[0]), let groups = fields(arguments[1]) else { return nil }
            return groups.isEmpty ? accumulators : accumulators + ["groups: [\(groups.joined(separator: ", "))]"]
        case .orders:
            var orders: [String] = []
            for argument in arguments {
                guard let order = order(argument) else { return nil }
                orders.append(order)
            }
            return orders
        case .aliased:
            guard arguments.count == 2, case .field(let alias) = arguments[1] else { return nil }
            return ["\(text(of: arguments[0])) as \(alias.canonical)"]
        case .sample:
            guard arguments.count == 2, let mode = string(arguments[1]), isWord(mode) else { return nil }
            return ["\(text(of: arguments[0])) \(mode)"]
        case .names: return arguments.map(text)
        case .nearest: return arguments.map(text)
        case .replacement:
            guard arguments.count == 2, let mode = string(arguments[1]) else { return nil }
            return mode == PipelineStageForm.usualMode ? [text(of: arguments[0])] : arguments.map(text)
        case .expressions: return arguments.map(text)
        }
    }

    /// The entries of a map of fields; nil for any other argument.
    private static func fields(_ argument: PipelineArgument) -> [String]? {
        argument.entries?.map { entry in
            if case .field(let path) = entry.value, path.canonical == entry.key { return entry.key }
            let isPath = (try? PathCheck.fieldPath(wire: entry.key)) != nil
            return "\(text(of: entry.value)) as \(isPath ? entry.key : quoted(entry.key))"
        }
    }

    private static func order(_ argument: PipelineArgument) -> String? {
        guard let entries = argument.entries, entries.count == 2, entries[0].key == "direction", entries[1].key == "expression",
            let direction = string(entries[0].value), isWord(direction)
        else { return nil }
        return "\(text(of: entries[1].value)) \(direction)"
    }

    static func text(of argument: PipelineArgument) -> String {
        switch argument {
        case .constant(let bytes): (try? bytes.value).map(text) ?? "null"
        case .field(let path): PipelineTextParser.isLiteral(path.canonical) ? "field(\(path.canonical))" : path.canonical
        case .variable(let name): isWord(name) ? "$\(name)" : "variable(\(quoted(name)))"
        case .function(let function): call(function)
        case .pipeline(let stages):
            if stages.first?.kind?.isSource == true {
                stages.map(text).joined(separator: ".")
            } else {
                "pipeline(\(stages.map(text).joined(separator: ".")))"
            }
        case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
        case .map(let entries): "{\(entries.map { "\(name($0.key)): \(text(of: $0.value))" }.joined(separator: ", "))}"
        }
    }

    private static func call(_ function: PipelineFunction) -> String {
        let options = function.options.sorted { compareUTF8($0.key, $1.key) < 0 }.map { "\(name($0.key)): \(text(of: $0.value))" }
        let all = (function.arguments.map(text) + options).joined(separator: ", ")
        // Names that the text form uses itself, and names that are no words, are called by `call`.
        guard isWord(function.name), !PipelineTextParser.isReserved(function.name) else {
            return "call(\(quoted(function.name))\(all.isEmpty ? "" : ", ")\(all))"
        }
        return "\(function.name)(\(all))"
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .double(let value):
            if value.isNaN { return "NaN" }
            if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
            return "\(value)"
        case .timestamp(let value): return "timestamp(\(quoted(value.text)))"
        case .string(let value): return quoted(value)
        case .bytes(let bytes):
            let digits = Array("0123456789ABCDEF")
            return "b\"\(String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))\""
        case .reference(let name):
            let isPlain = name.utf8.first == UInt8(ascii: "/") && name.utf8.count > 1 && name.utf8.allSatisfy(isPlainInReference)
            return isPlain ? name : "reference(\(quoted(name)))"
        case .geoPoint(let point): return "geo_point(\(point.latitude), \(point.longitude))"
        case .array(let elements): return "[\(elements.map(text).joined(separator: ", "))]"
        case .map(let map):
            if let components = map.vectorComponents { return "vector(\(components.map { text($0) }.joined(separator: ", ")))" }
            return "{\(map.entries.map { "\(name($0.name)): \(text($0.value))" }.joined(separator: ", "))}"
        }
    }

    /// Bytes that end no reference.
    static func isPlainInReference(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "@"), UInt8(ascii: "="): true
        default: false
        }
    }

    private static func name(_ name: String) -> String { isWord(name) ? name : quoted(name) }

    static func isWord(_ name: String) -> Bool { FieldPathSegments.isSimpleIdentifier(name) }

    private static func string(_ argument: PipelineArgument) -> String? {
        guard case .constant(let bytes) = argument, case .string(let text)? = try? bytes.value else { return nil }
        return text
    }

    private static func quoted(_ text: String) -> String { JSON.string(text).text() }
}

extension FieldMap {
    /// The components of a vector.
    fileprivate var vectorComponents: [Value]? {
        guard entries.count == 2, case .string("__vector__")? = self["__type__"], case .array(let components)? = self["value"] else {
            return nil
        }
        return components
    }
}

extension PipelineArgument {
    /// The entries of a map of arguments, constants included; nil for any other argument.
    package var entries: [PipelineEntry]? {
        switch self {
        case .map(let entries): return entries
        case .constant(let bytes):
            guard case .map(let map)? = try? bytes.value else { return nil }
            return map.entries.map { PipelineEntry($0.name, .value($0.value)) }
        case .field, .variable, .function, .pipeline, .array: return nil
        }
    }
}
