// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

extension PipelineCheck {
    /// The memory for computing a constant, and for all of a request.
    private static let (foldedBytes, allFoldedBytes) = (64 << 10, 1 << 20)

    /// Resolves an expression of a pipeline at a depth in others.
    mutating func expression(
        _ argument: PipelineArgument, _ variables: Variables, depth: Int
    ) throws(FirestoreError) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        // The messages of a server are checked while they are read; pipelines of this process come as they were built.
        guard nesting <= PipelineLimits.expressionDepth else {
            throw .invalidArgument("the expression nests more than \(PipelineLimits.expressionDepth) levels deep")
        }
        switch argument {
        case .constant(let bytes): return .constant(Shared(fullName(bytes)))
        case .field(let path):
            if path.segments.count == 1, let attribute = DocumentAttribute(rawValue: path.segments[0]) { return .document(attribute) }
            return .field(Shared(CompiledPath(path)))
        case .variable(let name):
            guard let slot = variables[name] else {
                throw .invalidArgument("unknown variable “\(name.quoted)”; bind it by a stage let before it is read")
            }
            if !inputs.slots.contains(slot) { inputs.slots.append(slot) }
            return .variable(slot: slot)
        case .function(let function): return try call(function, variables, depth: depth)
        case .pipeline: throw .invalidArgument("a pipeline is a value only as the argument of array or scalar")
        case .array(let elements):
            return try call(PipelineFunction(ConstructorFunctions.array, elements), variables, depth: depth)
        case .map(let entries):
            let arguments = entries.flatMap { [.value(.string($0.key)), $0.value] }
            return folded(
                .call(FunctionCall(try Self.function(ConstructorFunctions.map), try expressions(arguments, variables, depth: depth))))
        }
    }

    private mutating func expressions(
        _ arguments: [PipelineArgument], _ variables: Variables, depth: Int
    ) throws(FirestoreError) -> [Expression] {
        var expressions: [Expression] = []
        for argument in arguments { expressions.append(try expression(argument, variables, depth: depth)) }
        return expressions
    }

    /// A reference that begins with a slash is a path in this database.
    private func fullName(_ bytes: ValueBytes) -> ValueBytes {
        defer { withExtendedLifetime(bytes) {} }
        guard let name = bytes.view.referenceBytes, name.first == UInt8(ascii: "/") else { return bytes }
        return ValueBytes(.reference(database.documentsPrefix + String(decoding: name.dropFirst(), as: UTF8.self)))
    }

    private mutating func call(
        _ function: PipelineFunction, _ variables: Variables, depth: Int
    ) throws(FirestoreError) -> Expression {
        if let kind = Subpipeline.Kind(rawValue: function.name), case .pipeline(let stages)? = function.arguments.first {
            try Self.count(function, 1...1)
            return .subpipeline(Shared(try subpipeline(kind, stages, variables, depth: depth + 1)))
        }
        if let kind = ElementFunction.Kind(rawValue: function.name) { return try elements(kind, function, variables, depth: depth) }
        switch function.name {
        case "current_document", "current_context":
            try Self.count(function, 0...0)
            return .currentDocument
        case Subpipeline.Kind.scalar.rawValue: throw .invalidArgument("scalar takes a pipeline")
        default: break
        }
        let definition = try Self.function(function.name)
        if function.name == ArithmeticFunctions.rand { inputs.areAll = false }
        try Self.count(function, definition.arity)
        let pairs = function.name == MapFunctions.set ? function.arguments.dropFirst() : function.arguments[...]
        if [ConstructorFunctions.map, MapFunctions.set].contains(function.name), !pairs.count.isMultiple(of: 2) {
            throw .invalidArgument("\(function.name) takes keys and values in turns, and the last key has no value")
        }
        return folded(.call(FunctionCall(definition, try expressions(function.arguments, variables, depth: depth))))
    }

    private mutating func subpipeline(
        _ kind: Subpipeline.Kind, _ stages: [PipelineStage], _ variables: Variables, depth: Int
    ) throws(FirestoreError) -> Subpipeline {
        let outer = inputs
        let own = slots
        let number = pipelines
        inputs = SubpipelineInputs()
        let pipeline = try pipeline(stages, variables, depth: depth)
        var inner = inputs
        inner.slots = inner.slots.filter { $0 < own }.sorted()
        inputs = outer
        for slot in inner.slots where !inputs.slots.contains(slot) { inputs.slots.append(slot) }
        inputs.areAll = inputs.areAll && inner.areAll
        return Subpipeline(kind: kind, pipeline: pipeline, inputs: inner, number: number)
    }

    private static func function(_ name: String) throws(FirestoreError) -> FunctionDefinition {
        if let definition = FunctionTable[name] { return definition }
        if AccumulatorFunction(rawValue: name) != nil {
            throw .invalidArgument("\(name.quoted) is an aggregate function, which only the stage aggregate takes")
        }
        if ["score", "document_matches", "matches", "snippet"].contains(name) {
            throw .invalidArgument("the function \(name.quoted) belongs to the stage search, which is not offered by this database")
        }
        throw .invalidArgument("there is no function “\(name.quoted)”")
    }

    private static func count(_ function: PipelineFunction, _ count: ClosedRange<Int>) throws(FirestoreError) {
        guard count.contains(function.arguments.count) else {
            throw .invalidArgument("the function \(function.name) takes \(text(of: count)), not \(function.arguments.count)")
        }
    }

    /// `array_filter(array, alias, condition)` and `array_transform(array, alias [, index alias], expression)`.
    private mutating func elements(
        _ kind: ElementFunction.Kind, _ function: PipelineFunction, _ variables: Variables, depth: Int
    ) throws(FirestoreError) -> Expression {
        try Self.count(function, kind == .filter ? 3...3 : 3...4)
        let array = try expression(function.arguments[0], variables, depth: depth)
        var inner = variables
        let element = newSlot()
        inner[try Self.string(function.arguments[1], "the alias of an element")] = element
        var index: Int?
        if function.arguments.count == 4 {
            let slot = newSlot()
            inner[try Self.string(function.arguments[2], "the alias of an index")] = slot
            index = slot
        }
        let body = try expression(function.arguments[function.arguments.count - 1], inner, depth: depth)
        return .elements(Shared(ElementFunction(kind: kind, array: array, element: element, index: index, body: body)))
    }

    /// A function of constants is a constant.
    private mutating func folded(_ expression: Expression) -> Expression {
        guard expression.isConstant, folded < Self.allFoldedBytes else { return expression }
        // The value may be one of its constants.
        defer { withExtendedLifetime(expression) {} }
        // A request may have many: what is larger is evaluated when it is needed, in the budget of the execution.
        let budget = PipelineBudget(limits: PipelineLimits(memory: Self.foldedBytes))
        let execution = Execution(
            database: database, time: TimestampValue(seconds: 0, nanoseconds: 0), budget: budget, source: nil, slots: 0)
        guard let value = try? expression.evaluate(Row(.empty), execution) else { return expression }
        folded += value.weight
        switch value {
        case .absent: return .absent
        case .failure(let failure): return .failed(Shared(failure.reason))
        default: return .constant(Shared(ValueBytes(canonical: value.withView { ByteSlice(copying: $0.buffer) })))
        }
    }
}
