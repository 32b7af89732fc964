// SPDX-License-Identifier: Apache-2.0

/// The places where a list is granted without proof.
extension AssumptionCheck {
    private static let advice =
        "a list query is granted although documents in its result may violate the condition. "
        + "Make the query filter by the field, or forbid such lists with strict lists."
    private static let strictAdvice = "strict lists refuse such a list query. Make the query filter by the field."

    private enum Finding {
        case absence(String, field: String?)
        case number
    }

    mutating func report(_ node: NodeID) {
        guard let finding = finding(node) else { return }
        switch finding {
        case .absence(let what, let field):
            note(node, "\(what) for every query without a filter on it: ", field: field)
        case .number:
            note(
                node, "A filter finds integers and floats of the same value, and this condition tells them apart: ",
                field: fieldName(node))
        }
    }

    private mutating func note(_ node: NodeID, _ finding: String, field: String?) {
        note(node, finding + Self.advice, withStrictLists: finding + Self.strictAdvice, field: field)
    }

    private func finding(_ node: NodeID) -> Finding? {
        switch program.nodes[node] {
        case .membership(let left, let right): return membership(node, Int(left), Int(right))
        case .method(let method, let receiver, let operands):
            return self.method(node, method, Int(receiver), operands.range.map { Int(program.operands[$0]) })
        case .equal(let left, let right), .notEqual(let left, let right): return equality(Int(left), Int(right))
        case .typeTest(let operand, let type):
            guard !origins[Int(operand)].isEmpty else { return nil }
            if type == .constraint {
                return .absence("Only fields that a query bounds are constraints, which holds", field: fieldName(Int(operand)))
            }
            return type == .int || type == .float ? .number : nil
        case .arithmetic(.divide, let left, let right), .arithmetic(.remainder, let left, let right):
            return origins[Int(left)].union(origins[Int(right)]).isEmpty ? nil : .number
        default: return nil
        }
    }

    private func membership(_ node: NodeID, _ left: NodeID, _ right: NodeID) -> Finding? {
        let container = origins[right]
        if !container.isDisjoint(with: [.document, .field]), uses[node] != .positive, types[left].contains(.string) {
            let name = literal(left)
            return .absence("\(name.map { "'\($0)'" } ?? "A field") counts as missing", field: name)
        }
        let isNumber = types[left].isSubset(of: .number) || hasNumbers(left)
        if isNumber, !container.isEmpty { return .number }
        if !origins[left].isEmpty, hasNumbers(right) { return .number }
        return nil
    }

    private func method(_ node: NodeID, _ method: MethodName, _ receiver: NodeID, _ arguments: [NodeID]) -> Finding? {
        let origin = origins[receiver]
        switch method {
        case .get:
            guard !origin.isEmpty, !isHarmlessDefault(node, arguments[1]) else { return nil }
            let name = literal(arguments[0])
            return .absence("\(name.map { "'\($0)'" } ?? "A field") counts as missing, so the default is taken", field: name)
        case .keys:
            guard !origin.isEmpty, !uses[node].subtracting([.contents]).isEmpty else { return nil }
            return .absence("Fields count as missing", field: fieldName(receiver))
        case .values: return origin.isEmpty ? nil : .absence("Fields count as missing", field: fieldName(receiver))
        case .size:
            // The size of a field is more likely that of a text or list.
            return origin.contains(.document) ? .absence("Fields count as missing", field: fieldName(receiver)) : nil
        case .diff:
            guard !origin.isEmpty || !origins[arguments[0]].isEmpty else { return nil }
            return .absence("Fields count as missing", field: fieldName(receiver))
        case .hasAny, .hasAll, .hasOnly, .removeAll:
            let argument = arguments[0]
            return !origin.isEmpty && hasNumbers(argument) || !origins[argument].isEmpty && hasNumbers(receiver) ? .number : nil
        default: return nil
        }
    }

    private func equality(_ left: NodeID, _ right: NodeID) -> Finding? {
        for (one, other) in [(left, right), (right, left)] where !origins[one].isEmpty {
            guard !types[other].isSubset(of: [.null, .string, .bool, .int, .float, .timestamp, .duration, .path]) else { continue }
            if origins[one].contains(.document), types[one].contains(.map), types[other].contains(.map) {
                return .absence("Fields count as missing", field: fieldName(one))
            }
            if case .map = program.nodes[other] { return .absence("Fields count as missing", field: fieldName(one)) }
            if hasNumbers(other) { return .number }
        }
        return nil
    }

    /// `get('public', false)`: what is granted is granted only if the field is true.
    private func isHarmlessDefault(_ node: NodeID, _ value: NodeID) -> Bool {
        if case .boolean(false) = program.nodes[value] { return uses[node] == .positive }
        return false
    }

    /// Whether a list or map literal contains numbers, at any depth.
    private func hasNumbers(_ node: NodeID) -> Bool {
        switch program.nodes[node] {
        case .list, .map:
            program.children(of: node).contains { types[$0].isSubset(of: .number) || hasNumbers($0) }
        default: false
        }
    }

    private func literal(_ node: NodeID) -> String? {
        guard case .constant(let index) = program.nodes[node], case .string(let text) = program.constants[Int(index)] else { return nil }
        return text
    }

    /// The field that an expression is about: of `resource.data.m.k` it is `m.k`.
    private func fieldName(_ node: NodeID) -> String? {
        var names: [String] = []
        var current = node
        while true {
            switch program.nodes[current] {
            case .member(let base, let name):
                let text = program.strings[Int(name)]
                if text == "data" { return names.isEmpty ? nil : names.reversed().joined(separator: ".") }
                names.append(text)
                current = Int(base)
            default:
                guard current == node, let child = program.children(of: node).first(where: { !origins[$0].isEmpty }) else { return nil }
                current = child
                if current == node { return nil }
                names.removeAll()
                return fieldName(child)
            }
        }
    }
}

extension RulesIssue {
    /// The issue for a database with strict lists, which rejects the lists that others grant without proof.
    package var withStrictLists: RulesIssue {
        guard let strictMessage else { return self }
        var issue = self
        issue.message = strictMessage
        return issue
    }
}
