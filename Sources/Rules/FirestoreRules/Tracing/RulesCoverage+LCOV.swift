// SPDX-License-Identifier: Apache-2.0

extension RulesCoverage {
    /// The coverage as LCOV reads it: how often each line was evaluated, and which conditions were true and false.
    package var lcov: String {
        let counts = current
        let program = ruleSet.rules.program
        let source = ruleSet.source
        var lines: [Int: Int] = [:]
        var branches: [(line: Int, offset: Int, taken: [Int])] = []
        for node in program.nodes.indices {
            let count = counts.nodes[node]?.total ?? 0
            lines[source.position(of: program.ranges[node]).line, default: 0] = max(
                lines[source.position(of: program.ranges[node]).line] ?? 0, count)
        }
        for statement in ruleSet.rules.statements.joined() {
            let line = source.position(of: statement.range).line
            let count = counts.statements[statement.range.start] ?? Count()
            lines[line] = max(lines[line] ?? 0, count.total)
        }
        for node in decisions.sorted() {
            let count = counts.nodes[node] ?? Count()
            let range = program.ranges[node]
            branches.append((source.position(of: range).line, range.start, [count.isTrue, count.isFalse]))
        }
        var text = "TN:\nSF:\(source.name)\n"
        for (block, branch) in branches.sorted(by: { ($0.line, $0.offset) < ($1.line, $1.offset) }).enumerated() {
            for (index, taken) in branch.taken.enumerated() { text += "BRDA:\(branch.line),\(block),\(index),\(taken)\n" }
        }
        text += "BRF:\(branches.count * 2)\nBRH:\(branches.reduce(0) { $0 + $1.taken.count { $0 > 0 } })\n"
        for line in lines.keys.sorted() { text += "DA:\(line),\(lines[line] ?? 0)\n" }
        text += "LF:\(lines.count)\nLH:\(lines.values.count { $0 > 0 })\nend_of_record\n"
        return text
    }

    /// Conditions, and the operands of the logical operators in them.
    private var decisions: Set<NodeID> {
        let program = ruleSet.rules.program
        var found = Set(ruleSet.rules.statements.joined().compactMap(\.condition))
        for node in program.nodes.indices {
            switch program.nodes[node] {
            case .and(let left, let right), .or(let left, let right): found.formUnion([Int(left), Int(right)])
            case .conditional(let condition, _, _): found.insert(Int(condition))
            default: break
            }
        }
        // A literal takes no branch.
        return found.filter { node in
            if case .boolean = program.nodes[node] { false } else { true }
        }
    }
}
