// SPDX-License-Identifier: Apache-2.0

/// Ranges of values and their ids: finds the ranges that contain a value without visiting the others.
///
/// A treap ordered by lower bound; each node has the highest upper bound of its subtree. Nodes are stored in one array.
struct RangeTable: Sendable {
    private struct Node: Sendable {
        let range: EncodedRange
        let id: Int
        let priority: UInt64
        var left = RangeTable.none
        var right = RangeTable.none
        var highest: EncodedValue
    }

    private static let none = -1
    private var nodes: [Node] = []
    private var unused: [Int] = []
    private var root = RangeTable.none
    private(set) var count = 0

    mutating func insert(_ range: EncodedRange, id: Int) {
        // Mixed ids serve as random numbers, and are the same in every run.
        var mixed = UInt64(bitPattern: Int64(id)) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        let node = Node(range: range, id: id, priority: mixed ^ (mixed >> 31), highest: range.upper)
        let index: Int
        if let free = unused.popLast() {
            nodes[free] = node
            index = free
        } else {
            index = nodes.count
            nodes.append(node)
        }
        let (before, after) = split(root, before: index)
        root = merge(merge(before, index), after)
        count += 1
    }

    mutating func remove(_ range: EncodedRange, id: Int) {
        let size = count
        root = removing(range, id, from: root)
        if count == 0, size > 0 { self = RangeTable() }
    }

    /// Calls `body` with the id of every range that contains the value.
    func forEach(containing value: EncodedValue, _ body: (Int) -> Void) { visit(root, value, body) }

    private func visit(_ index: Int, _ value: EncodedValue, _ body: (Int) -> Void) {
        guard index != Self.none, nodes[index].highest >= value else { return }
        visit(nodes[index].left, value, body)
        guard nodes[index].range.lower <= value else { return }
        if value <= nodes[index].range.upper { body(nodes[index].id) }
        visit(nodes[index].right, value, body)
    }

    private func isOrdered(_ range: EncodedRange, _ id: Int, before index: Int) -> Bool {
        let order = EncodedValue.compare(range.lower, nodes[index].range.lower)
        return order != 0 ? order < 0 : id < nodes[index].id
    }

    private mutating func update(_ index: Int) {
        var highest = nodes[index].range.upper
        for child in [nodes[index].left, nodes[index].right] where child != Self.none {
            highest = max(highest, nodes[child].highest)
        }
        nodes[index].highest = highest
    }

    /// The nodes ordered before `node`, and the rest.
    private mutating func split(_ tree: Int, before node: Int) -> (Int, Int) {
        guard tree != Self.none else { return (Self.none, Self.none) }
        if isOrdered(nodes[node].range, nodes[node].id, before: tree) {
            let (before, after) = split(nodes[tree].left, before: node)
            nodes[tree].left = after
            update(tree)
            return (before, tree)
        }
        let (before, after) = split(nodes[tree].right, before: node)
        nodes[tree].right = before
        update(tree)
        return (tree, after)
    }

    /// Every node of `left` is ordered before every node of `right`.
    private mutating func merge(_ left: Int, _ right: Int) -> Int {
        guard left != Self.none else { return right }
        guard right != Self.none else { return left }
        if nodes[left].priority > nodes[right].priority {
            nodes[left].right = merge(nodes[left].right, right)
            update(left)
            return left
        }
        nodes[right].left = merge(left, nodes[right].left)
        update(right)
        return right
    }

    private mutating func removing(_ range: EncodedRange, _ id: Int, from tree: Int) -> Int {
        guard tree != Self.none else { return tree }
        if nodes[tree].id == id, nodes[tree].range == range {
            unused.append(tree)
            count -= 1
            return merge(nodes[tree].left, nodes[tree].right)
        }
        if isOrdered(range, id, before: tree) {
            nodes[tree].left = removing(range, id, from: nodes[tree].left)
        } else {
            nodes[tree].right = removing(range, id, from: nodes[tree].right)
        }
        update(tree)
        return tree
    }
}
