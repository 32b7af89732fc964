// SPDX-License-Identifier: Apache-2.0

/// A condition on the characters at both sides of a position.
enum Assertion: UInt8, Hashable, Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
}

/// A parsed pattern.
///
/// Nodes are in an array, children before their parents, and may have several parents: no operation on a tree recurses, so the
/// depth of a pattern does not endanger the stack.
struct SyntaxTree: Sendable {
    typealias NodeID = Int

    enum Loop: Hashable, Sendable {
        /// `*`, `+` and `?`
        case star, plus, optional
    }

    enum Node: Hashable, Sendable {
        case empty
        /// One character, a member of the class with this index.
        case characterClass(Int)
        case assertion(Assertion)
        case concatenation([NodeID])
        case alternation([NodeID])
        case loop(Loop, NodeID, SyntaxFlags)
        case capture(NodeID, number: Int)
    }

    /// Properties of a node that the parser needs besides the node itself.
    private struct Facts {
        /// Whether it can match without a character.
        var isNullable: Bool
        /// Instructions it becomes.
        var size: Int
        /// The counts of nested repetitions, multiplied.
        var repetitions: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var classes: [ScalarSet] = []
    private(set) var root: NodeID = 0
    /// The names of the captures from the first one on; most have none.
    private(set) var captureNames: [String?] = []

    private var facts: [Facts] = []
    private var classIDs: [ScalarSet: Int] = [:]
    private var rangeCount = 0
    /// The parts of all concatenations; parts of repeated nodes are included again.
    private var partCount = 0
    private let limits: RegularExpressionLimits

    /// A tree without nodes, to which a parser adds them.
    private init(limits: RegularExpressionLimits) { self.limits = limits }

    static func parse(_ pattern: String, limits: RegularExpressionLimits) throws(RegularExpressionError) -> SyntaxTree {
        // A longer pattern could become a small program only if most of it were the members of classes.
        guard pattern.utf8.count <= 8 * limits.instructions else { throw .patternTooLarge }
        var parser = Parser(pattern, tree: SyntaxTree(limits: limits))
        let root = try parser.parse()
        var tree = parser.tree
        tree.root = root
        tree.captureNames = parser.captureNames
        return tree
    }

    func isNullable(_ node: NodeID) -> Bool { facts[node].isNullable }

    // MARK: Building

    private mutating func add(_ node: Node, isNullable: Bool, size: Int, repetitions: Int = 1) throws(RegularExpressionError) -> NodeID {
        // A node repeated zero times compiles to no instructions, but has taken memory.
        if case .concatenation(let items) = node { partCount += items.count }
        guard size <= limits.instructions, nodes.count + partCount < 8 * limits.instructions else { throw .patternTooLarge }
        nodes.append(node)
        facts.append(Facts(isNullable: isNullable, size: size, repetitions: repetitions))
        return nodes.count - 1
    }

    mutating func addEmpty() throws(RegularExpressionError) -> NodeID { try add(.empty, isNullable: true, size: 0) }

    mutating func add(_ assertion: Assertion) throws(RegularExpressionError) -> NodeID {
        try add(.assertion(assertion), isNullable: true, size: 1)
    }

    mutating func add(_ set: ScalarSet) throws(RegularExpressionError) -> NodeID {
        var id = classIDs[set]
        if id == nil {
            try count(ranges: set.ranges.count)
            id = classes.count
            classIDs[set] = classes.count
            classes.append(set)
        }
        return try add(.characterClass(id ?? 0), isNullable: false, size: 1)
    }

    /// Ranges are counted when they are made, so that parts that are never compiled cost no more.
    mutating func count(ranges: Int) throws(RegularExpressionError) {
        rangeCount += ranges
        if rangeCount > limits.classRanges { throw .patternTooLarge }
    }

    mutating func concatenate(_ items: [NodeID]) throws(RegularExpressionError) -> NodeID {
        if items.count == 1 { return items[0] }
        if items.isEmpty { return try addEmpty() }
        return try add(
            .concatenation(items), isNullable: items.allSatisfy { facts[$0].isNullable },
            size: items.reduce(0) { $0 + facts[$1].size }, repetitions: items.reduce(1) { max($0, facts[$1].repetitions) })
    }

    mutating func alternate(_ items: [NodeID]) throws(RegularExpressionError) -> NodeID {
        if items.count == 1 { return items[0] }
        return try add(
            .alternation(items), isNullable: items.contains { facts[$0].isNullable },
            size: items.reduce(items.count - 1) { $0 + facts[$1].size }, repetitions: items.reduce(1) { max($0, facts[$1].repetitions) })
    }

    mutating func capture(_ node: NodeID, number: Int) throws(RegularExpressionError) -> NodeID {
        let fact = facts[node]
        return try add(.capture(node, number: number), isNullable: fact.isNullable, size: fact.size + 2, repetitions: fact.repetitions)
    }

    /// A loop directly around a loop with the same flags is one loop, as in RE2: the captures of a repeated group depend on it.
    mutating func loop(_ loop: Loop, _ node: NodeID, _ flags: SyntaxFlags) throws(RegularExpressionError) -> NodeID {
        let fact = facts[node]
        if case .empty = nodes[node] { return node }
        if case .loop(let inner, let child, flags) = nodes[node] {
            if inner == loop || inner == .star { return node }
            return try self.loop(.star, child, flags)
        }
        let split = loop == .star && fact.isNullable ? 2 : 1
        return try add(
            .loop(loop, node, flags), isNullable: loop != .plus || fact.isNullable, size: fact.size + split, repetitions: fact.repetitions)
    }

    /// `node{minimum,maximum}`; nil if the counts of nested repetitions multiply to more than 1000.
    mutating func repeated(
        _ node: NodeID, _ minimum: Int, _ maximum: Int?, _ flags: SyntaxFlags
    ) throws(RegularExpressionError) -> NodeID? {
        let count = max(maximum ?? minimum, 1)
        let repetitions = facts[node].repetitions * count
        if minimum >= 2 || (maximum ?? 0) >= 2, repetitions > 1000 { return nil }
        let expanded = try expand(node, minimum, maximum, flags)
        facts[expanded].repetitions = max(facts[expanded].repetitions, repetitions)
        return expanded
    }

    private mutating func expand(
        _ node: NodeID, _ minimum: Int, _ maximum: Int?, _ flags: SyntaxFlags
    ) throws(RegularExpressionError) -> NodeID {
        if case .empty = nodes[node] { return node }
        guard let maximum else {
            switch minimum {
            case 0: return try loop(.star, node, flags)
            case 1: return try loop(.plus, node, flags)
            default:
                let last = try loop(.plus, node, flags)
                return try concatenate(Array(repeating: node, count: minimum - 1) + [last])
            }
        }
        if maximum == 0 { return try addEmpty() }
        if maximum == 1, minimum == 1 { return node }
        // x{2,4} is xx(x(x)?)?
        var items = Array(repeating: node, count: minimum)
        if maximum > minimum {
            var optional = try loop(.optional, node, flags)
            for _ in minimum + 1..<maximum {
                optional = try loop(.optional, try concatenate([node, optional]), flags)
            }
            items.append(optional)
        }
        return try concatenate(items)
    }
}
