// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineReader {
    /// Reads a `Value` that may be, or contain, an expression.
    mutating func argument(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> PipelineArgument {
        try Self.argument(bytes, try expression(bytes, depth: depth))
    }

    /// A value without expressions is copied once, however deep it is in others.
    private static func argument(_ bytes: ByteSlice, _ expression: PipelineArgument?) throws(FirestoreError) -> PipelineArgument {
        if let expression { return expression }
        do {
            return .constant(try FieldRewriter.value(bytes, as: .constant))
        } catch {
            throw error.error(in: "a constant")
        }
    }

    /// nil for a value without expressions.
    private mutating func expression(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> PipelineArgument? {
        guard depth <= PipelineLimits.expressionDepth else {
            throw .invalidArgument("the expression nests more than \(PipelineLimits.expressionDepth) levels deep")
        }
        var content = OneofField()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1, 2, 11: content.take(varint: field)
            case 3: content.take(fixed64: field)
            case 6, 8, 9, 10, 20, 21: content.take(message: field)
            case 5, 17, 18, 19, 22: content.take(bytes: field)
            default: break
            }
        }
        switch content.number {
        case 6: return try map(content.bytes, depth: depth)
        case 9: return try array(content.bytes, depth: depth)
        case 19: return .field(try PathCheck.fieldPath(lenient: try String(wire: content.bytes)))
        case 20: return .function(try function(content.bytes, depth: depth))
        case 21: return .pipeline(try stages(content.bytes, depth: depth))
        case 22:
            let name = try String(wire: content.bytes)
            guard !name.utf8.isEmpty else { throw .invalidArgument("a variable has no name") }
            return .variable(name)
        default: return nil
        }
    }

    private mutating func array(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> PipelineArgument? {
        var elements: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.append(to: &elements) }
        }
        guard let read = try expressions(elements, depth: depth + 1) else { return nil }
        var arguments: [PipelineArgument] = []
        arguments.reserveCapacity(elements.count)
        for (element, known) in zip(elements, read) { arguments.append(try Self.argument(element, known)) }
        return .array(arguments)
    }

    private mutating func map(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> PipelineArgument? {
        var parts: [MapEntry] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1, let bytes = field.bytes { parts.append(try MapEntry(bytes)) }
        }
        guard let read = try expressions(parts.map(\.value), depth: depth + 1) else { return nil }
        var entries: [PipelineEntry] = []
        entries.reserveCapacity(parts.count)
        for (part, known) in zip(parts, read) { entries.append(PipelineEntry(part.key, try Self.argument(part.value, known))) }
        return .map(Self.sorted(entries))
    }

    /// The expressions among values, nil for each of the others; nil if there are none.
    private mutating func expressions(_ values: [ByteSlice], depth: Int) throws(FirestoreError) -> [PipelineArgument?]? {
        var read: [PipelineArgument?]?
        for (index, value) in values.enumerated() {
            guard let expression = try expression(value, depth: depth) else { continue }
            if read == nil {
                try count(elements: values.count)
                read = Array(repeating: nil, count: values.count)
            }
            read?[index] = expression
        }
        return read
    }

    /// By the UTF-8 bytes of the keys. Of several entries with one key the last is used.
    private static func sorted(_ entries: [PipelineEntry]) -> [PipelineEntry] {
        var sorted: [PipelineEntry] = []
        // Stable, so that the last stays the last.
        for entry in entries.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
            if let last = sorted.last, equalUTF8(last.key, entry.key) { sorted.removeLast() }
            sorted.append(entry)
        }
        return sorted
    }
}

extension ReverseWriter {
    /// A `Value` with an argument.
    mutating func argument(_ number: Int, _ argument: PipelineArgument) {
        if case .constant(let bytes) = argument { return value(number, bytes) }
        message(number) { writer in
            switch argument {
            case .constant: break
            case .field(let path): writer.element(19, path.canonical)
            case .variable(let name): writer.element(22, name)
            case .function(let function): writer.call(20, function.name, function.arguments, function.options)
            case .pipeline(let stages): writer.pipeline(21, stages)
            case .array(let elements):
                writer.message(9) { writer in
                    for element in elements.reversed() { writer.argument(1, element) }
                }
            case .map(let entries):
                writer.message(6) { writer in
                    for entry in entries.reversed() { writer.entry(1, entry.key, entry.value) }
                }
            }
        }
    }
}
