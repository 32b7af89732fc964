// SPDX-License-Identifier: Apache-2.0

/// Finds the types that expressions can have, and warns where an operation cannot succeed (SR-131).
///
/// Nothing is known of arguments and of the fields of documents, so only what the text itself says is wrong is reported.
struct TypeCheck {
    private let program: Program
    /// The types of every node, once it has been visited.
    private(set) var types: [TypeSet]
    private(set) var warnings: [RulesIssue] = []
    private var results: [TypeSet?]
    /// The types of the parameters and variables of the function that is visited.
    private var locals: [TypeSet] = []

    /// - Parameter order: The functions, each after those that it calls, so that the visit of one does not lead into the next.
    init(_ program: Program, _ statements: [[AllowStatement]], order: [Int]) {
        self.program = program
        types = Array(repeating: .any, count: program.nodes.count)
        results = Array(repeating: nil, count: program.functions.count)
        for index in order { _ = result(of: index) }
        for statement in statements.joined() {
            guard let condition = statement.condition else { continue }
            let type = visit(condition)
            if type.isDisjoint(with: .bool) {
                warn(
                    "Invalid type. Permission statements expect a boolean value. Received one of [\(type.names)].", at: condition)
            }
        }
    }

    private mutating func warn(_ message: String, at node: NodeID) { warnings.append(.warning(message, at: program.ranges[node])) }

    /// Calls are acyclic, and each function is visited once.
    private mutating func result(of index: Int) -> TypeSet {
        if let known = results[index] { return known }
        let function = program.functions[index]
        let outer = locals
        defer { locals = outer }
        locals = Array(repeating: .any, count: function.parameters.count)
        for variable in function.variables { locals.append(visit(variable)) }
        let result = visit(function.result)
        results[index] = result
        return result
    }

    // MARK: Nodes

    @discardableResult
    private mutating func visit(_ node: NodeID) -> TypeSet {
        let type = type(of: node)
        types[node] = type
        return type
    }

    private mutating func visit(_ node: Int32) -> TypeSet { visit(Int(node)) }

    /// Visits an operand, and warns if it cannot have one of the types.
    private mutating func expect(_ expected: TypeSet, _ node: Int32) {
        let type = visit(node)
        if type.isDisjoint(with: expected.union(.constraint)) {
            warn("Invalid type. Received one of [\(type.names)]. Expected one of [\(expected.names)].", at: Int(node))
        }
    }

    private mutating func type(of node: NodeID) -> TypeSet {
        switch program.nodes[node] {
        case .constant(let index): return TypeSet(program.constants[Int(index)].type)
        case .boolean: return .bool
        case .integer: return .int
        case .null: return .null
        case .request: return .map
        case .resource: return [.map, .null]
        case .capture(_, let isGlob): return isGlob ? .path : .string
        case .local(let index): return locals.indices.contains(Int(index)) ? locals[Int(index)] : .any
        case .unknownName: return .any
        case .not(let operand):
            expect(.bool, operand)
            return .bool
        case .negate(let operand):
            expect([.int, .float, .duration], operand)
            return possible(types[Int(operand)].intersection([.int, .float, .duration]))
        case .and(let left, let right), .or(let left, let right):
            expect(.bool, left)
            expect(.bool, right)
            return .bool
        case .equal(let left, let right), .notEqual(let left, let right):
            checkComparable(visit(left), visit(right), at: node)
            return .bool
        case .comparison(let op, let left, let right):
            checkOrdered(op.rawValue, visit(left), visit(right), at: node)
            return .bool
        case .arithmetic(let op, let left, let right): return arithmetic(op, left, right, at: node)
        case .membership(let left, let right):
            let element = visit(left)
            expect([.list, .set, .map], right)
            if types[Int(right)] == .map, element.isDisjoint(with: [.string, .constraint]) {
                warn("Invalid type. Received one of [\(element.names)]. Expected one of [string].", at: Int(left))
            }
            return .bool
        case .typeTest(let operand, _):
            _ = visit(operand)
            return .bool
        case .conditional(let condition, let then, let otherwise):
            expect(.bool, condition)
            let (first, second) = (visit(then), visit(otherwise))
            if first.isDisjoint(with: second) {
                warn("Ternary operator result if condition is true has a different type than if condition is false.", at: node)
            }
            return first.union(second)
        default: return rareType(of: node)
        }
    }

    private mutating func rareType(of node: NodeID) -> TypeSet {
        switch program.nodes[node] {
        case .member(let base, let name):
            expect([.map, .path], base)
            return member(Int(base), program.strings[Int(name)])
        case .index(let base, let index):
            expect([.list, .string, .map, .path], base)
            _ = visit(index)
            return types[Int(base)] == .string ? .string : .any
        case .slice(let base, let from, let to):
            expect([.list, .string, .path], base)
            for bound in [from, to] where bound >= 0 { expect(.int, bound) }
            return possible(types[Int(base)].intersection([.list, .string, .path]))
        case .list(let operands):
            for index in operands.range { _ = visit(program.operands[index]) }
            return .list
        case .map(let operands):
            for (offset, index) in operands.range.enumerated() {
                if offset.isMultiple(of: 2) { expect(.string, program.operands[index]) } else { _ = visit(program.operands[index]) }
            }
            return .map
        case .path(let index):
            for case .expression(let part) in program.paths[Int(index)] {
                expect([.string, .int, .float, .bool, .null, .path], Int32(part))
            }
            return .path
        case .call(let function, let operands):
            for index in operands.range { _ = visit(program.operands[index]) }
            return result(of: Int(function))
        case .access(let access, let operand):
            expect(.path, operand)
            return access.isExistence ? .bool : access.isAfter ? [.map, .null] : .map
        case .library(let function, let operands): return library(function, operands)
        case .method(let method, let receiver, let operands): return self.method(method, receiver, operands, at: node)
        default:
            for child in program.children(of: node) { visit(child) }
            return .any
        }
    }

    /// The error has been reported once; nothing follows from it.
    private func possible(_ types: TypeSet) -> TypeSet { types.isEmpty ? .any : types }

    // MARK: Operators

    private mutating func checkComparable(_ left: TypeSet, _ right: TypeSet, at node: NodeID) {
        // Integers and floats are compared by value.
        let numbers = !left.isDisjoint(with: .number) && !right.isDisjoint(with: .number)
        if left.isDisjoint(with: right), !numbers, !left.union(right).contains(.constraint) {
            warn("The sub-expressions are not comparable, so this comparison will always return false.", at: node)
        }
    }

    private mutating func checkOrdered(_ op: String, _ left: TypeSet, _ right: TypeSet, at node: NodeID) {
        let kinds: [TypeSet] = [.string, .bytes, .number, .duration, .timestamp, .constraint]
        let fits = kinds.contains { !left.isDisjoint(with: $0) && !right.isDisjoint(with: $0) }
        if !fits {
            warn("Invalid type. Received: [\(left.names)] \(op) [\(right.names)]. Expected operands of one ordered type.", at: node)
        }
    }

    private mutating func arithmetic(_ op: Arithmetic, _ left: Int32, _ right: Int32, at node: NodeID) -> TypeSet {
        let (left, right) = (visit(left), visit(right))
        func both(_ type: TypeSet) -> Bool { left.contains(type) && right.contains(type) }
        var result: TypeSet = []
        if both(.int) { result.insert(.int) }
        if !left.isDisjoint(with: .number), !right.isDisjoint(with: .number), left.contains(.float) || right.contains(.float) {
            result.insert(.float)
        }
        if op == .add, both(.string) { result.insert(.string) }
        if op == .add || op == .subtract {
            if both(.duration) { result.insert(.duration) }
            if left.contains(.timestamp), right.contains(.duration) { result.insert(.timestamp) }
        }
        if op == .add, left.contains(.duration), right.contains(.timestamp) { result.insert(.timestamp) }
        if op == .subtract, both(.timestamp) { result.insert(.duration) }
        if result.isEmpty {
            warn("Invalid type. Received: [\(left.names)] \(op.rawValue) [\(right.names)].", at: node)
            return .any
        }
        return result
    }

    // MARK: Members, functions and methods

    private func member(_ base: NodeID, _ name: String) -> TypeSet {
        switch program.nodes[base] {
        case .request:
            switch name {
            case "auth", "resource": return [.map, .null]
            case "method": return .string
            case "time": return .timestamp
            case "path": return .path
            case "query": return .map
            default: return .any
            }
        case .resource: return documentMember(name)
        case .access: return documentMember(name)
        case .member(let outer, let outerName):
            guard case .request = program.nodes[Int(outer)] else { return .any }
            switch (program.strings[Int(outerName)], name) {
            case ("auth", "uid"): return [.string, .null]
            case ("auth", "token"): return .map
            case ("resource", _): return documentMember(name)
            case ("query", "limit"): return [.int, .null]
            case ("query", "offset"): return .int
            default: return .any
            }
        default: return .any
        }
    }

    private func documentMember(_ name: String) -> TypeSet {
        switch name {
        case "data": .map
        case "id": .string
        case "__name__": .path
        default: .any
        }
    }

    private mutating func library(_ function: LibraryFunction, _ operands: Operands) -> TypeSet {
        let signatures = Signature.functions(function.rawValue)
        let arguments = operands.range.map { program.operands[$0] }
        if function == .debug {
            for argument in arguments { _ = visit(argument) }
            return arguments.first.map { types[Int($0)] } ?? .any
        }
        for (position, argument) in arguments.enumerated() {
            expect(signatures.reduce(into: TypeSet()) { $0.formUnion($1.parameters[position]) }, argument)
        }
        return signatures.reduce(into: TypeSet()) { $0.formUnion($1.result) }
    }

    private mutating func method(_ method: MethodName, _ receiver: Int32, _ operands: Operands, at node: NodeID) -> TypeSet {
        let count = Int(operands.count)
        let candidates = Signature.methods(method.rawValue).filter { $0.parameters.count == count }
        let receivers = candidates.reduce(into: TypeSet()) { types, signature in
            if let type = signature.receiver { types.insert(TypeSet(type)) }
        }
        expect(receivers, receiver)
        let base = types[Int(receiver)]
        let possible = candidates.filter { signature in signature.receiver.map { base.contains(TypeSet($0)) } ?? false }
        for (position, index) in operands.range.enumerated() {
            let expected = (possible.isEmpty ? candidates : possible).reduce(into: TypeSet()) { $0.formUnion($1.parameters[position]) }
            expect(expected, program.operands[index])
        }
        return possible.isEmpty ? .any : possible.reduce(into: TypeSet()) { $0.formUnion($1.result) }
    }
}
