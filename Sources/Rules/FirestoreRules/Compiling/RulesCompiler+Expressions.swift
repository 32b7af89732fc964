// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Expressions: names become numbers, calls are checked.
extension RulesCompiler {
    mutating func compile(_ expression: Expression, in scope: Scope) -> NodeID {
        let range = expression.range
        switch expression.kind {
        case .null: return add(.null, range)
        case .boolean(let value): return add(.boolean(value), range)
        case .integer(let value): return add(.integer(value), range)
        case .float(let value): return constant(.float(value), range)
        case .string(let value): return constant(.string(value), range)
        case .bytes(let value): return constant(.bytes(ByteSlice(value)), range)
        case .variable(let name): return variable(name, in: scope)
        case .not(let operand): return add(.not(short(operand, scope)), range)
        case .negate(let operand): return add(.negate(short(operand, scope)), range)
        case .typeTest(let operand, let type): return add(.typeTest(short(operand, scope), type), range)
        case .binary(let op, let left, let right):
            return add(Self.node(op, short(left, scope), short(right, scope)), range)
        case .conditional(let condition, let then, let otherwise):
            return add(.conditional(short(condition, scope), short(then, scope), short(otherwise, scope)), range)
        case .member(let base, let name): return add(.member(short(base, scope), name: string(name.text)), range)
        case .index(let base, let index): return add(.index(short(base, scope), short(index, scope)), range)
        case .slice(let base, let from, let to):
            let base = short(base, scope)
            let from = from.map { short($0, scope) } ?? -1
            return add(.slice(base, from: from, to: to.map { short($0, scope) } ?? -1), range)
        case .list(let elements): return add(.list(operands(elements.map { compile($0, in: scope) })), range)
        case .map(let entries):
            return add(.map(operands(entries.flatMap { [compile($0.key, in: scope), compile($0.value, in: scope)] })), range)
        case .path(let parts): return path(parts, range, in: scope)
        case .call(let name, let arguments): return call(name, arguments, range, in: scope)
        case .methodCall(let receiver, let name, let arguments):
            return methodCall(receiver, name, arguments, range, in: scope)
        }
    }

    private static func node(_ op: BinaryOperator, _ left: Int32, _ right: Int32) -> Node {
        switch op {
        case .or: .or(left, right)
        case .and: .and(left, right)
        case .in: .membership(left, right)
        case .equal: .equal(left, right)
        case .notEqual: .notEqual(left, right)
        case .less: .comparison(.less, left, right)
        case .lessOrEqual: .comparison(.lessOrEqual, left, right)
        case .greater: .comparison(.greater, left, right)
        case .greaterOrEqual: .comparison(.greaterOrEqual, left, right)
        case .add: .arithmetic(.add, left, right)
        case .subtract: .arithmetic(.subtract, left, right)
        case .multiply: .arithmetic(.multiply, left, right)
        case .divide: .arithmetic(.divide, left, right)
        case .remainder: .arithmetic(.remainder, left, right)
        }
    }

    // MARK: Parts of the program

    private mutating func add(_ node: Node, _ range: SourceRange) -> NodeID {
        rules.program.nodes.append(node)
        rules.program.ranges.append(range)
        return rules.program.nodes.count - 1
    }

    private mutating func short(_ expression: Expression, _ scope: Scope) -> Int32 { Int32(compile(expression, in: scope)) }

    private mutating func constant(_ value: RulesValue, _ range: SourceRange) -> NodeID {
        rules.program.constants.append(value)
        return add(.constant(Int32(rules.program.constants.count - 1)), range)
    }

    private mutating func string(_ text: String) -> Int32 {
        // Names are ASCII, for which equality of strings is equality of bytes.
        if let known = strings[text] { return known }
        let index = Int32(rules.program.strings.count)
        rules.program.strings.append(text)
        rules.program.memberNames.append(MemberName(rawValue: text))
        strings[text] = index
        return index
    }

    private mutating func operands(_ nodes: [NodeID]) -> Operands {
        let start = rules.program.operands.count
        rules.program.operands += nodes.map { Int32($0) }
        return Operands(start: Int32(start), count: Int32(nodes.count))
    }

    private mutating func path(_ parts: [PathPart], _ range: SourceRange, in scope: Scope) -> NodeID {
        let template: [PathTemplatePart] = parts.map { part in
            switch part {
            case .literal(let text): .segment(.literal(text))
            case .capture(let name, let isGlob): .segment(.capture(name, isGlob: isGlob))
            case .expression(let expression): .expression(compile(expression, in: scope))
            }
        }
        rules.program.paths.append(template)
        return add(.path(Int32(rules.program.paths.count - 1)), range)
    }

    // MARK: Names

    private mutating func variable(_ name: Name, in scope: Scope) -> NodeID {
        if currentFunction != nil, let position = locals.position(of: name.text) { return add(.local(Int32(position)), name.range) }
        if let wildcard = scope.wildcard(name.text) { return add(.capture(Int32(wildcard.position), isGlob: wildcard.isGlob), name.range) }
        switch name.text {
        case "request": return add(.request, name.range)
        case "resource": return add(.resource, name.range)
        default:
            if Signature.namespaces.contains(name.text) {
                checkNamespace(name)
            } else {
                warn("Invalid variable name: \(name.text).", at: name.range)
            }
            return add(.unknownName, name.range)
        }
    }

    // MARK: Calls

    private mutating func call(_ name: Name, _ arguments: [Expression], _ range: SourceRange, in scope: Scope) -> NodeID {
        let nodes = arguments.map { compile($0, in: scope) }
        if let index = scope.function(name.text) { return userCall(index, name, nodes, range) }
        if let access = DocumentAccess(rawValue: name.text) {
            // Functions outside of the service do not belong to it (SR-25).
            if scope.isTop {
                warn("Call to service function '\(name.text)' occurs outside of defining scope.", at: range)
            }
            guard nodes.count == 1 else { return miscall(name, nodes, Signature.functions(name.text), range) }
            return add(.access(access, Int32(nodes[0])), range)
        }
        guard let function = LibraryFunction(rawValue: name.text) else {
            warn("Invalid function name: \(name.text).", at: name.range)
            return add(.unknownFunction(name: string(name.text)), range)
        }
        return libraryCall(function, name, nodes, range)
    }

    private mutating func userCall(_ index: Int, _ name: Name, _ nodes: [NodeID], _ range: SourceRange) -> NodeID {
        usedFunctions.insert(index)
        if let currentFunction { calls[currentFunction].insert(index) }
        let parameters = declared[index].syntax.parameters
        guard parameters.count == nodes.count else {
            warn("Incorrect number of arguments supplied to function: \(name.text).", at: range)
            let expected = "\(name.text)(\(parameters.map(\.text).joined(separator: ", ")))"
            return miscall(Miscall(operands: nodes, expected: expected, received: nodes.count), range)
        }
        return add(.call(function: Int32(index), operands(nodes)), range)
    }

    private mutating func libraryCall(_ function: LibraryFunction, _ name: Name, _ nodes: [NodeID], _ range: SourceRange) -> NodeID {
        let signatures = Signature.functions(function.rawValue)
        // `debug` returns its first argument, whatever follows.
        let isRight = function == .debug ? !nodes.isEmpty : signatures.contains { $0.parameters.count == nodes.count }
        if !isRight || function == .debug && nodes.count > 1 {
            warn("Incorrect number of arguments supplied to function: \(name.text).", at: range)
        }
        guard isRight else { return miscall(Miscall(name, nodes, signatures), range) }
        return add(.library(function, operands(nodes)), range)
    }

    private mutating func miscall(_ name: Name, _ nodes: [NodeID], _ signatures: [Signature], _ range: SourceRange) -> NodeID {
        warn("Incorrect number of arguments supplied to function: \(name.text).", at: range)
        return miscall(Miscall(name, nodes, signatures), range)
    }

    private mutating func miscall(_ miscall: Miscall, _ range: SourceRange) -> NodeID {
        rules.program.miscalls.append(miscall)
        return add(.miscall(Int32(rules.program.miscalls.count - 1)), range)
    }

    private mutating func methodCall(
        _ receiver: Expression, _ name: Name, _ arguments: [Expression], _ range: SourceRange, in scope: Scope
    ) -> NodeID {
        if case .variable(let namespace) = receiver.kind, Signature.namespaces.contains(namespace.text) {
            let nodes = arguments.map { compile($0, in: scope) }
            let fullName = Name(text: "\(namespace.text).\(name.text)", range: range)
            guard let function = LibraryFunction(rawValue: fullName.text) else {
                warn("Invalid function name: \(fullName.text).", at: name.range)
                return add(.unknownFunction(name: string(name.text)), range)
            }
            return libraryCall(function, fullName, nodes, range)
        }
        let base = compile(receiver, in: scope)
        let nodes = arguments.map { compile($0, in: scope) }
        guard let method = MethodName(rawValue: name.text) else {
            warn("Invalid function name: \(name.text).", at: name.range)
            return add(.unknownMethod(Int32(base), name: string(name.text), operands(nodes)), range)
        }
        let signatures = Signature.methods(name.text)
        guard signatures.contains(where: { $0.parameters.count == nodes.count }) else {
            warn("Incorrect number of arguments supplied to function: \(name.text).", at: range)
            return miscall(Miscall(name, [base] + nodes, signatures, received: nodes.count), range)
        }
        if method == .matches || method == .replace || method == .split { compilePattern(arguments[0], nodes[0], of: method) }
        return add(.method(method, Int32(base), operands(nodes)), range)
    }

    /// A pattern in the text is compiled once. An invalid one is an error, except in `replace`, which fails when it is evaluated.
    private mutating func compilePattern(_ expression: Expression, _ node: NodeID, of method: MethodName) {
        guard case .string(let text) = expression.kind else { return }
        if let pattern = RulesPattern(text) {
            rules.program.patterns[node] = pattern
            return
        }
        let message = "Invalid regular expression pattern. Pattern: \(text)."
        if method == .replace { warn(message, at: expression.range) } else { error(message, at: expression.range) }
    }
}

extension Miscall {
    fileprivate init(_ name: Name, _ operands: [NodeID], _ signatures: [Signature], received: Int? = nil) {
        self.init(
            operands: operands, expected: signatures.map(\.description).joined(separator: ", "), received: received ?? operands.count)
    }
}
