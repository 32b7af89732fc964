// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineRequest {
    /// Reads `StructuredPipeline`. Checks its form and its depth; what stages and functions mean is not known here.
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var pipeline = EmbeddedMessage()
        var options: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: pipeline.merge(field)
            case 2: field.append(to: &options)
            default: break
            }
        }
        var stages = PipelineReader()
        do throws(FirestoreError) {
            self.init(
                try stages.stages(pipeline.bytes ?? .empty), options: try stages.options(options, depth: 1))
        } catch {
            throw stages.located(error)
        }
    }
}

/// Reads stages, functions and their arguments, and knows where it is, for errors.
struct PipelineReader {
    private enum Place {
        case stage(Int, String)
        case function(String)
    }

    /// Around what is being read, the innermost last. Stays as it is when something is wrong.
    private var places: [Place] = []
    private var pipelines = 0
    /// What was read, pipelines in each other included.
    private var counts = PipelineCounts()

    /// Names may be as long as a message.
    private static let nameBytes = 100

    // MARK: Stages

    /// Reads `Pipeline`.
    mutating func stages(_ bytes: ByteSlice, depth: Int = 0) throws(FirestoreError) -> [PipelineStage] {
        guard pipelines <= PipelineLimits.pipelineDepth else {
            throw .invalidArgument("pipelines nest more than \(PipelineLimits.pipelineDepth) levels deep")
        }
        if pipelines > 0 { try counts.addPipeline() }
        pipelines += 1
        var stages: [PipelineStage] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 1, let bytes = field.bytes else { continue }
            try counts.addStages(1)
            let call = try NamedCall(bytes)
            places.append(.stage(stages.count + 1, call.name))
            try counts.addStage(call.name, arguments: call.arguments.count, options: call.options.count)
            stages.append(
                PipelineStage(
                    call.name, try arguments(call.arguments, of: call.name, depth: depth + 1),
                    options: try options(call.options, depth: depth + 1)))
            places.removeLast()
        }
        pipelines -= 1
        return stages
    }

    /// Reads `Function`.
    mutating func function(_ bytes: ByteSlice, depth: Int) throws(FirestoreError) -> PipelineFunction {
        let call = try NamedCall(bytes)
        places.append(.function(call.name))
        try counts.addFunction(call.name, arguments: call.arguments.count, options: call.options.count)
        let function = PipelineFunction(
            call.name, try arguments(call.arguments, depth: depth + 1), options: try options(call.options, depth: depth + 1))
        places.removeLast()
        return function
    }

    private mutating func arguments(
        _ values: [ByteSlice], of stage: String? = nil, depth: Int
    ) throws(FirestoreError) -> [PipelineArgument] {
        var arguments: [PipelineArgument] = []
        arguments.reserveCapacity(values.count)
        for value in values {
            let argument = try argument(value, depth: depth)
            if let stage, let count = argument.entryCount { try counts.addEntries(count, of: stage) }
            arguments.append(argument)
        }
        return arguments
    }

    /// The elements or entries of a value that contains expressions.
    mutating func count(elements: Int) throws(FirestoreError) { try counts.addExpressions(elements) }

    /// Of several options with one name the last is used.
    mutating func options(_ entries: [ByteSlice], depth: Int) throws(FirestoreError) -> [String: PipelineArgument] {
        var options: [String: PipelineArgument] = [:]
        for bytes in entries {
            let entry = try MapEntry(bytes)
            options[entry.key] = try argument(entry.value, depth: depth)
        }
        return options
    }

    // MARK: Errors

    /// The error with the stage in which it is, and the innermost function: `stage 2 (where), function equal`.
    func located(_ error: FirestoreError) -> FirestoreError {
        var steps: [String] = []
        for (index, place) in places.enumerated() {
            switch place {
            case .stage(let number, let name): steps.append("stage \(number) (\(Self.shown(name)))")
            case .function(let name): if index == places.count - 1 { steps.append("function \(Self.shown(name))") }
            }
        }
        if let location = error.location { steps.append(location) }
        var located = error
        located.location = steps.isEmpty ? nil : steps.joined(separator: ", ")
        return located
    }

    private static func shown(_ name: String) -> String {
        name.utf8.count <= nameBytes ? name : String(decoding: name.utf8.prefix(nameBytes), as: UTF8.self) + "…"
    }
}

/// `Pipeline.Stage` and `Function`, which have the same fields.
private struct NamedCall {
    var name = ""
    var arguments: [ByteSlice] = []
    var options: [ByteSlice] = []

    init(_ bytes: ByteSlice) throws(FirestoreError) {
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try field.read(&name)
            case 2: field.append(to: &arguments)
            case 3: field.append(to: &options)
            default: break
            }
        }
    }
}

/// An entry of a map from names to values.
struct MapEntry {
    var key = ""
    private var content = EmbeddedMessage()

    /// Empty if the entry has none.
    var value: ByteSlice { content.bytes ?? .empty }

    init(_ bytes: ByteSlice) throws(FirestoreError) {
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { try field.read(&key) }
            if field.number == 2 { content.merge(field) }
        }
    }
}

extension ReverseWriter {
    /// `Pipeline`
    mutating func pipeline(_ number: Int, _ stages: [PipelineStage]) {
        message(number) { writer in
            for stage in stages.reversed() { writer.call(1, stage.name, stage.arguments, stage.options) }
        }
    }

    mutating func call(_ number: Int, _ name: String, _ arguments: [PipelineArgument], _ options: [String: PipelineArgument]) {
        message(number) { writer in
            writer.options(3, options)
            for argument in arguments.reversed() { writer.argument(2, argument) }
            writer.text(1, name)
        }
    }

    /// In the order of their names, so that equal pipelines have equal bytes.
    mutating func options(_ number: Int, _ options: [String: PipelineArgument]) {
        for (name, argument) in options.sorted(by: { compareUTF8($0.key, $1.key) > 0 }) { entry(number, name, argument) }
    }

    /// An entry of a map from names to values.
    mutating func entry(_ number: Int, _ key: String, _ argument: PipelineArgument) {
        message(number) { writer in
            writer.argument(2, argument)
            writer.text(1, key)
        }
    }
}
