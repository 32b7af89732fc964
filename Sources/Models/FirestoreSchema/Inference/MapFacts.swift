// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Facts about the maps in one place, or about documents: their names, each with a node, until there are too many.
package struct MapFacts {
    package struct Child {
        package let name: [UInt8]
        package let node: SchemaNode

        package var text: String { String(decoding: name, as: UTF8.self) }
    }

    /// The number of maps.
    package var instances = 0
    /// Sorted by the bytes of their names. Empty once `entry` is set.
    package private(set) var children: [Child] = []
    /// The values of all names, once there were too many to distinguish.
    package private(set) var entry: SchemaNode?
    /// Why the names are not stored: a schema in a file has no names that are data. nil: there are too many to distinguish.
    package private(set) var reason: String?
    /// The forms that all names have in common.
    package private(set) var shapes = NameShapes.all
    /// Below the deepest level that is looked at.
    package private(set) var isCut = false

    package init() {}

    init(instances: Int, children: [Child], entry: SchemaNode?, reason: String?, isCut: Bool) {
        self.instances = instances
        self.children = children
        self.entry = entry
        self.reason = entry == nil ? nil : reason
        self.isCut = isCut
        for child in children { child.name.withUnsafeBytes { shapes.formIntersection(NameShapes($0)) } }
    }

    package subscript(name: String) -> SchemaNode? {
        let name = Array(name.utf8)
        return children.first { $0.name == name }?.node
    }

    func size() -> Int { (entry?.size() ?? 0) + children.reduce(0) { $0 + $1.node.size() } }

    func depth() -> Int { max(entry?.depth() ?? 0, children.lazy.map { $0.node.depth() }.max() ?? 0) }

    func forEachNode(_ body: (SchemaNode) -> Void) {
        if let entry { body(entry) }
        for child in children { body(child.node) }
    }

    /// The node of a name, found or made. `hint`: where it probably is; then where the next name probably is, because maps are
    /// sorted by name.
    @inline(__always)
    mutating func node(
        _ name: UnsafeRawBufferPointer, hint: inout Int, made: inout Int, limits: SchemaLimits
    ) -> SchemaNode {
        if let entry { return entry }
        if hint < children.count, Self.compare(children[hint].name, name) == 0 {
            hint += 1
            return children[hint - 1].node
        }
        return search(name, hint: &hint, made: &made, limits: limits)
    }

    private mutating func search(
        _ name: UnsafeRawBufferPointer, hint: inout Int, made: inout Int, limits: SchemaLimits
    ) -> SchemaNode {
        let index = insertionIndex(of: name)
        hint = index + 1
        if index < children.count, Self.compare(children[index].name, name) == 0 { return children[index].node }
        let node = SchemaNode()
        made += 1
        children.insert(Child(name: [UInt8](name), node: node), at: index)
        shapes.formIntersection(NameShapes(name))
        guard children.count > limits.names else { return node }
        made -= collapse(limits)
        return entry ?? node
    }

    private func insertionIndex(of name: UnsafeRawBufferPointer) -> Int {
        var (low, high) = (0, children.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.compare(children[middle].name, name) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private static func compare(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Int {
        left.withUnsafeBytes { compareBytes($0, right) }
    }

    /// Makes one node of all children; returns how many nodes there are less.
    private mutating func collapse(_ limits: SchemaLimits) -> Int {
        let before = size()
        let merged = SchemaNode()
        for child in children { merged.merge(child.node, limits: limits) }
        entry = merged
        children = []
        shapes = []
        return before - size()
    }

    mutating func cut() {
        entry = nil
        reason = nil
        children = []
        shapes = []
        isCut = true
    }

    mutating func merge(_ other: MapFacts, limits: SchemaLimits) {
        instances += other.instances
        if other.isCut || isCut { return cut() }
        var (hint, made) = (0, 0)
        let common = commonReason(with: other)
        if let theirs = other.entry {
            if entry == nil { _ = collapse(limits) }
            entry?.merge(theirs, limits: limits)
            reason = common
            return
        }
        if entry != nil { reason = common }
        for child in other.children {
            child.name.withUnsafeBytes { name in
                node(name, hint: &hint, made: &made, limits: limits).merge(child.node, limits: limits)
            }
        }
    }

    /// Why the names of both are data, if those of one are.
    private func commonReason(with other: MapFacts) -> String? {
        func reason(_ map: MapFacts, beside other: MapFacts) -> String? {
            if map.entry != nil { return map.reason }
            return map.children.isEmpty ? other.reason : map.shapes.reason ?? NameShapes.mixed
        }
        guard let own = reason(self, beside: other), let theirs = reason(other, beside: self) else { return nil }
        return own == theirs ? own : NameShapes.mixed
    }

    /// A node with what all values know together.
    func mergedValues() -> SchemaNode {
        let merged = SchemaNode()
        let limits = SchemaLimits()
        if let entry { merged.merge(entry, limits: limits) }
        for child in children { merged.merge(child.node, limits: limits) }
        return merged
    }
}
