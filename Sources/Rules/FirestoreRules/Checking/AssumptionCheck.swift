// SPDX-License-Identifier: Apache-2.0

/// Finds where a condition can grant a list that its filters do not justify (SR-96), and warns about it.
///
/// In a list, `resource.data` has the fields that the query's filters mention, and no others; documents have others. A condition
/// whose answer depends on a field's absence then holds for the query and not for its documents. The same is true of the kind of
/// a number: a filter `n == 1` also finds 1.0.
///
/// The official emulator grants such lists. Hearth does so too, but only at the places that this check finds; everywhere else values
/// that the filters do not determine are undefined. The check may therefore overlook a place, and never opens one.
struct AssumptionCheck {
    /// Where a value comes from.
    struct Origin: OptionSet {
        let rawValue: UInt8
        /// `resource` or `resource.data`: a map with unknown keys.
        static let document = Origin(rawValue: 1)
        /// A part of `resource.data`: a map with unknown keys, or a number of unknown kind.
        static let field = Origin(rawValue: 2)
        /// A list or map with such a value in it.
        static let container = Origin(rawValue: 4)
    }

    struct Use: OptionSet {
        let rawValue: UInt8
        /// Something is granted if it is true.
        static let positive = Use(rawValue: 1)
        /// Something is granted if it is false.
        static let negative = Use(rawValue: 2)
        static let value = Use(rawValue: 4)
        /// Something is granted if a list contains an element.
        static let contents = Use(rawValue: 8)

        /// The use of the operand of a negation.
        var negated: Use {
            var result = subtracting([.positive, .negative])
            if contains(.positive) { result.insert(.negative) }
            if contains(.negative) { result.insert(.positive) }
            return result
        }
    }

    let program: Program
    let types: [TypeSet]
    var origins: [Origin]
    var uses: [Use]
    /// Of the parameters and variables of each function.
    var localOrigins: [[Origin]]
    var localUses: [[Use]]
    var resultOrigins: [Origin]
    var resultUses: [Use]
    var hasChanged = false
    private(set) var nodes: Set<NodeID> = []
    private(set) var warnings: [RulesIssue] = []

    init(_ rules: CompiledRules, types: [TypeSet]) {
        program = rules.program
        self.types = types
        origins = Array(repeating: [], count: program.nodes.count)
        uses = Array(repeating: [], count: program.nodes.count)
        localOrigins = program.functions.map { Array(repeating: [], count: $0.parameters.count + $0.variables.count) }
        localUses = program.functions.map { Array(repeating: [], count: $0.parameters.count + $0.variables.count) }
        resultOrigins = Array(repeating: [], count: program.functions.count)
        resultUses = Array(repeating: [], count: program.functions.count)
        let conditions = rules.statements.joined().filter { $0.methods.contains(.list) }.compactMap(\.condition)
        guard !conditions.isEmpty else { return }
        // Origins and uses only grow, so this ends.
        repeat {
            hasChanged = false
            for condition in conditions { visit(condition, .positive, function: nil) }
            for (index, function) in program.functions.enumerated() where !resultUses[index].isEmpty {
                for (position, variable) in function.variables.enumerated() {
                    let local = function.parameters.count + position
                    visit(variable, localUses[index][local], function: index)
                    grow(\.localOrigins[index][local], origins[variable])
                }
                visit(function.result, resultUses[index], function: index)
                grow(\.resultOrigins[index], origins[function.result])
            }
        } while hasChanged
        for node in program.nodes.indices where !uses[node].isEmpty { report(node) }
    }

    mutating func note(_ node: NodeID, _ message: String, withStrictLists strictMessage: String, field: String?) {
        nodes.insert(node)
        var issue = RulesIssue(.warning, message, at: program.ranges[node], field: field)
        issue.strictMessage = strictMessage
        warnings.append(issue)
    }

    private mutating func grow(_ origins: WritableKeyPath<AssumptionCheck, Origin>, _ more: Origin) {
        if !self[keyPath: origins].isSuperset(of: more) {
            self[keyPath: origins].formUnion(more)
            hasChanged = true
        }
    }

    private mutating func grow(_ uses: WritableKeyPath<AssumptionCheck, Use>, _ more: Use) {
        if !self[keyPath: uses].isSuperset(of: more) {
            self[keyPath: uses].formUnion(more)
            hasChanged = true
        }
    }

    // MARK: The use of values, and their sources

    private mutating func visit(_ node: NodeID, _ use: Use, function: Int?) {
        grow(\.uses[node], use)
        let origin = visitParts(of: node, used: uses[node], function)
        grow(\.origins[node], origin)
    }

    /// Visits what a node consists of. Returns the origin of its value.
    private mutating func visitParts(of node: NodeID, used all: Use, _ function: Int?) -> Origin {
        switch program.nodes[node] {
        case .resource: return .document
        case .local(let index):
            guard let function else { return [] }
            grow(\.localUses[function][Int(index)], all)
            return localOrigins[function][Int(index)]
        case .not(let operand):
            visit(Int(operand), all.negated, function: function)
            return []
        case .and(let left, let right), .or(let left, let right):
            visit(Int(left), all, function: function)
            visit(Int(right), all, function: function)
            return []
        case .conditional(let condition, let then, let otherwise):
            visit(Int(condition), [.positive, .negative], function: function)
            visit(Int(then), all, function: function)
            visit(Int(otherwise), all, function: function)
            return origins[Int(then)].union(origins[Int(otherwise)])
        case .call(let callee, let operands): return visitCall(of: Int(callee), operands, used: all, function)
        case .library(.debug, let operands):
            for index in operands.range { visit(Int(program.operands[index]), all, function: function) }
            return origins[Int(program.operands[operands.range.lowerBound])]
        case .membership(let left, let right):
            visit(Int(left), .value, function: function)
            visit(Int(right), all == .positive ? .contents : .value, function: function)
            return []
        case .method(let method, let receiver, let operands):
            let isLookup = method == .hasAll || method == .hasAny
            visit(Int(receiver), isLookup && all == .positive ? .contents : .value, function: function)
            for index in operands.range { visit(Int(program.operands[index]), .value, function: function) }
            return result(of: method, Int(receiver), operands)
        default:
            for child in program.children(of: node) { visit(child, .value, function: function) }
            return originOfValue(node)
        }
    }

    private mutating func visitCall(of callee: Int, _ operands: Operands, used all: Use, _ function: Int?) -> Origin {
        grow(\.resultUses[callee], all)
        for (position, index) in operands.range.enumerated() {
            let argument = Int(program.operands[index])
            visit(argument, localUses[callee][position], function: function)
            grow(\.localOrigins[callee][position], origins[argument])
        }
        return resultOrigins[callee]
    }

    /// The origin of what is made of the values of its parts.
    private func originOfValue(_ node: NodeID) -> Origin {
        let hasOrigin = program.children(of: node).contains { !origins[$0].isEmpty }
        return switch program.nodes[node] {
        case .member(let base, let name): member(Int(base), program.strings[Int(name)])
        case .index(let base, _): member(Int(base), "")
        case .list, .map: hasOrigin ? .container : []
        case .arithmetic: hasOrigin ? .field : []
        case .negate(let operand): origins[Int(operand)]
        case .slice(let base, _, _): origins[Int(base)]
        default: []
        }
    }

    private func member(_ base: NodeID, _ name: String) -> Origin {
        let origin = origins[base]
        var result: Origin = []
        // `resource.data` is a document like `resource`; its members are fields.
        if origin.contains(.document) { result.insert(name == "data" || name.isEmpty ? [.document, .field] : .field) }
        if origin.contains(.field) { result.insert(.field) }
        if origin.contains(.container) { result.formUnion([.document, .field, .container]) }
        return result
    }

    private func result(of method: MethodName, _ receiver: NodeID, _ operands: Operands) -> Origin {
        let parts = [receiver] + operands.range.map { Int(program.operands[$0]) }
        let origin = parts.reduce(into: Origin()) { $0.formUnion(origins[$1]) }
        switch method {
        case .get: return origin.isEmpty ? [] : [.document, .field, .container]
        case .values, .concat, .removeAll: return origin.isEmpty ? [] : .container
        default: return []
        }
    }
}
