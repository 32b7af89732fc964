// SPDX-License-Identifier: Apache-2.0

/// The conditions of a ruleset, ready to be evaluated.
struct Program: Sendable {
    var nodes: [Node] = []
    /// Where each node is written.
    var ranges: [SourceRange] = []
    var operands: [Int32] = []
    var strings: [String] = []
    /// The member of a request's maps that each of the strings names, if any.
    var memberNames: [MemberName?] = []
    var constants: [RulesValue] = []
    var paths: [[PathTemplatePart]] = []
    /// Regular expressions that the text contains, by the node of their pattern.
    var patterns: [NodeID: RulesPattern] = [:]
    var miscalls: [Miscall] = []
    var functions: [CompiledFunction] = []
    /// Nodes whose answer may rest on what the filters of a query do not prove, and about which the check warns (SR-96).
    var assumptions: Set<NodeID> = []

    /// Whether a condition can look at `request.time`. Also if `request` is more than the base of a member, an argument for example.
    var mayReadTime: Bool {
        var bases: Set<NodeID> = []
        for case .member(let base, let name) in nodes where memberNames[Int(name)] != .time { bases.insert(Int(base)) }
        return nodes.indices.contains { node in
            if case .request = nodes[node] { !bases.contains(node) } else { false }
        }
    }

    /// The operands of a node, in the order of evaluation.
    func children(of id: NodeID) -> [NodeID] {
        func list(_ operands: Operands) -> [NodeID] { operands.range.map { Int(self.operands[$0]) } }
        switch nodes[id] {
        case .constant, .boolean, .integer, .null, .request, .resource, .capture, .local, .unknownName, .unknownFunction: return []
        case .not(let operand), .negate(let operand), .typeTest(let operand, _), .member(let operand, _), .access(_, let operand):
            return [Int(operand)]
        case .and(let left, let right), .or(let left, let right), .equal(let left, let right), .notEqual(let left, let right),
            .membership(let left, let right), .index(let left, let right), .comparison(_, let left, let right),
            .arithmetic(_, let left, let right):
            return [Int(left), Int(right)]
        case .conditional(let condition, let then, let otherwise): return [Int(condition), Int(then), Int(otherwise)]
        case .slice(let base, let from, let to): return [base, from, to].filter { $0 >= 0 }.map { Int($0) }
        case .list(let operands), .map(let operands), .library(_, let operands), .call(_, let operands): return list(operands)
        case .method(_, let receiver, let operands), .unknownMethod(let receiver, _, let operands):
            return [Int(receiver)] + list(operands)
        case .path(let index):
            return paths[Int(index)].compactMap { part in
                if case .expression(let node) = part { node } else { nil }
            }
        case .miscall(let index): return miscalls[Int(index)].operands
        }
    }
}

enum PathTemplatePart: Sendable {
    case segment(PathValue.Segment)
    case expression(NodeID)
}

struct CompiledFunction: Sendable {
    let name: Name
    let parameters: [String]
    /// The values of its variables, in order.
    let variables: [NodeID]
    let result: NodeID
}

/// A call that cannot be carried out, because the number of its arguments is wrong.
struct Miscall: Sendable {
    let operands: [NodeID]
    /// The call that would be right: `f(a)`.
    let expected: String
    let received: Int
}
