// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineCheck {
    mutating func distinct(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> Grouping {
        try Self.count(stage, 1...1)
        let entries = try Self.fields(stage.arguments[0])
        guard !entries.isEmpty else { throw .invalidArgument("distinct takes at least one field") }
        var grouping = Grouping(keys: [], accumulators: [])
        grouping.isDistinct = true
        grouping.keys = try keys(entries, state)
        return grouping
    }

    mutating func aggregate(_ stage: PipelineStage, _ state: StageState) throws(FirestoreError) -> Grouping {
        try Self.count(stage, 1...2)
        let accumulators = try Self.fields(stage.arguments[0], "accumulators")
        guard !accumulators.isEmpty else { throw .invalidArgument("aggregate requires at least one accumulator") }
        let groups = stage.arguments.count == 2 ? try Self.fields(stage.arguments[1], "groups") : []
        var grouping = Grouping(keys: try keys(groups, state), accumulators: [])
        let names = Set(grouping.keys.map(\.name))
        for entry in accumulators {
            let name = try Self.name(try Self.alias(entry.key))
            guard !names.contains(name) else {
                throw .invalidArgument("“\(entry.key.quoted)” is the alias of a group and of an accumulator")
            }
            let (function, argument) = try accumulator(entry.value, state)
            grouping.accumulators.append((name, function, argument))
        }
        return grouping
    }

    private mutating func keys(
        _ entries: [PipelineEntry], _ state: StageState
    ) throws(FirestoreError) -> [(name: ByteSlice, value: Expression)] {
        var keys: [(name: ByteSlice, value: Expression)] = []
        for entry in entries {
            let name = try Self.name(try Self.alias(entry.key))
            keys.append((name, try expression(entry.value, state.variables, depth: state.depth)))
        }
        return keys
    }

    private mutating func accumulator(
        _ argument: PipelineArgument, _ state: StageState
    ) throws(FirestoreError) -> (AccumulatorFunction, Expression?) {
        guard case .function(let call) = argument, let function = AccumulatorFunction(rawValue: call.name) else {
            let name = if case .function(let call) = argument { "the function \(call.name.quoted)" } else { Self.wireKind(of: argument) }
            throw .invalidArgument("an accumulator is an aggregate function such as count or sum, not \(name)")
        }
        guard function.arity.contains(call.arguments.count) else {
            throw .invalidArgument("\(call.name) takes \(Self.text(of: function.arity)), not \(call.arguments.count)")
        }
        let value = try call.arguments.first.map { argument throws(FirestoreError) in
            try expression(argument, state.variables, depth: state.depth)
        }
        return (function, value)
    }
}

extension Grouping {
    /// The name of the only field of its rows; nil if they have others.
    var onlyField: ByteSlice? { keys.count + accumulators.count == 1 ? keys.first?.name ?? accumulators.first?.name : nil }
}
