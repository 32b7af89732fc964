// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What stages take.
extension PipelineCheck {
    static func count(_ stage: PipelineStage, _ count: ClosedRange<Int>) throws(FirestoreError) {
        guard count.contains(stage.arguments.count) else {
            throw .invalidArgument("\(stage.name.quoted) takes \(text(of: count)), not \(stage.arguments.count)")
        }
    }

    static func text(of count: ClosedRange<Int>) -> String {
        func arguments(_ count: Int) -> String { count == 1 ? "1 argument" : "\(count) arguments" }
        if count.upperBound >= FunctionDefinition.many { return "at least \(arguments(count.lowerBound))" }
        return count.count == 1 ? arguments(count.lowerBound) : "\(count.lowerBound) to \(arguments(count.upperBound))"
    }

    static func string(_ argument: PipelineArgument, _ what: String) throws(FirestoreError) -> String {
        guard case .constant(let bytes) = argument, case .string(let text) = try bytes.value else {
            throw .invalidArgument("\(what) is a string, not \(wireKind(of: argument))")
        }
        return text
    }

    static func count(_ argument: PipelineArgument, _ what: String) throws(FirestoreError) -> Int {
        guard case .constant(let bytes) = argument, case .integer(let count) = try bytes.value else {
            throw .invalidArgument("\(what) is an integer, not \(wireKind(of: argument))")
        }
        guard count >= 0 else { throw .invalidArgument("\(what) is \(count); it must not be negative") }
        return Int(clamping: count)
    }

    /// A field by its name, as where its value is written.
    static func field(_ argument: PipelineArgument, _ what: String) throws(FirestoreError) -> FieldPathSegments {
        guard case .field(let path) = argument else { throw .invalidArgument("\(what) is a field, not \(wireKind(of: argument))") }
        return path
    }

    /// The one name of a field where nested fields cannot be written.
    static func name(_ path: FieldPathSegments) throws(FirestoreError) -> ByteSlice {
        guard path.segments.count == 1 else {
            throw .invalidArgument(
                "The nested field reference '\(path.quoted)' is not supported in its current use case; "
                    + "enclose the name in back-ticks if its dots belong to it, or give the value another alias")
        }
        try checkAlias(path)
        return ByteSlice(Array(path.segments[0].utf8))
    }

    /// The entries of a map of fields. `name` is what the protocol calls it.
    static func fields(_ argument: PipelineArgument, _ name: String = "fields") throws(FirestoreError) -> [PipelineEntry] {
        guard let entries = argument.entries else {
            throw .invalidArgument("Expected \(name) to be MAP_VALUE, but was \(wireKind(of: argument)).")
        }
        return entries
    }

    static func alias(_ text: String) throws(FirestoreError) -> FieldPathSegments {
        let path = try PathCheck.fieldPath(lenient: text)
        try checkAlias(path)
        return path
    }

    private static func checkAlias(_ path: FieldPathSegments) throws(FirestoreError) {
        let first = path.segments[0]
        guard first.utf8.count >= 4, first.hasPrefix("__"), first.hasSuffix("__") else { return }
        guard path.segments.count == 1, DocumentAttribute(rawValue: first) != nil else {
            throw .invalidArgument("the alias “\(path.quoted)” is reserved; names must not begin and end with two underscores")
        }
    }

    /// The kind of an argument, as the protocol calls it.
    static func wireKind(of argument: PipelineArgument) -> String {
        switch argument {
        case .field: return "FIELD_REFERENCE_VALUE"
        case .variable: return "VARIABLE_REFERENCE_VALUE"
        case .function: return "FUNCTION_VALUE"
        case .pipeline: return "PIPELINE_VALUE"
        case .array: return "ARRAY_VALUE"
        case .map: return "MAP_VALUE"
        case .constant(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            return switch bytes.view.kind {
            case .null, .malformed: "NULL_VALUE"
            case .boolean: "BOOLEAN_VALUE"
            case .integer: "INTEGER_VALUE"
            case .double: "DOUBLE_VALUE"
            case .timestamp: "TIMESTAMP_VALUE"
            case .string: "STRING_VALUE"
            case .bytes: "BYTES_VALUE"
            case .reference: "REFERENCE_VALUE"
            case .geoPoint: "GEO_POINT_VALUE"
            case .array: "ARRAY_VALUE"
            case .map: "MAP_VALUE"
            }
        }
    }
}
