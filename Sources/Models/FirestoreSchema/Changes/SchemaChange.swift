// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A difference between two schemas of a collection (MP-30, MP-37).
package struct SchemaChange: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A field that the old schema does not have.
        case added
        /// A field that the new schema does not have.
        case gone
        /// A field with types that it did not have.
        case widened
        /// A field that was in every document, and is not any more.
        case optional
    }

    package var kind: Kind
    package var path: String
    /// The types before and after; empty where there is no field.
    package var old: [StoredType]
    package var new: [StoredType]
    package var wasRequired: Bool
    /// Ids of documents with the new content.
    package var examples: [String]

    /// Whether programs that fit the old schema may fail. A field that was optional may be gone.
    package var isDrift: Bool { kind != .gone || wasRequired }

    package static func between(_ old: SchemaTree, _ new: SchemaTree) -> [SchemaChange] {
        var comparison = SchemaComparison()
        comparison.compare(old.root, new.root, SchemaPath(), isTop: true)
        return comparison.changes
    }

    package var json: JSON {
        .object([
            ("change", .string(kind.rawValue)), ("path", .string(path)), ("old", .array(old.map { .string($0.name) })),
            ("new", .array(new.map { .string($0.name) })), ("required", .boolean(wasRequired)), ("drift", .boolean(isDrift)),
            ("examples", .array(examples.map { .string($0) })),
        ])
    }

    /// `widened    n    integer → integer, string`
    package var description: String {
        func text(_ types: [StoredType]) -> String { types.map(\.name).joined(separator: ", ") }
        switch kind {
        case .added: return text(new)
        case .gone: return text(old) + (wasRequired ? "" : ", was optional")
        case .widened: return "\(text(old)) → \(text(new))"
        case .optional: return "was in every document"
        }
    }
}

private struct SchemaComparison {
    private let decider = TypeDecider(options: TypeOptions())
    var changes: [SchemaChange] = []

    mutating func compare(_ old: MapFacts, _ new: MapFacts, _ path: SchemaPath, isTop: Bool = false) {
        if old.isCut || new.isCut { return }
        let isDictionary =
            old.entry != nil || new.entry != nil
            || !isTop && (decider.dictionaryReason(old, path) != nil || decider.dictionaryReason(new, path) != nil)
        if isDictionary { return compareNodes(old.mergedValues(), new.mergedValues(), path.values) }
        var (left, right) = (old.children[...], new.children[...])
        while left.first != nil || right.first != nil {
            let order = Self.order(left.first, right.first)
            let (before, after) = (order <= 0 ? left.popFirst() : nil, order >= 0 ? right.popFirst() : nil)
            let place = path.field((before ?? after)?.text ?? "")
            if let before, let after {
                compareNodes(before.node, after.node, place)
                let wasRequired = old.instances > 0 && before.node.present == old.instances
                if wasRequired, after.node.present < new.instances {
                    add(.optional, place, before.node, after.node, wasRequired: true, examples: [])
                }
            } else if let before {
                add(.gone, place, before.node, nil, wasRequired: old.instances > 0 && before.node.present == old.instances, examples: [])
            } else if let after {
                add(.added, place, nil, after.node, wasRequired: false, examples: Self.examples(after.node.types))
            }
        }
    }

    private static func order(_ left: MapFacts.Child?, _ right: MapFacts.Child?) -> Int {
        guard let left else { return 1 }
        guard let right else { return -1 }
        return left.name == right.name ? 0 : left.name.lexicographicallyPrecedes(right.name) ? -1 : 1
    }

    private mutating func compareNodes(_ old: SchemaNode, _ new: SchemaNode, _ path: SchemaPath) {
        let added = new.types.filter { facts in old.facts(facts.type) == nil }
        // Without earlier values there is nothing to widen.
        if !added.isEmpty, !old.types.isEmpty { add(.widened, path, old, new, wasRequired: false, examples: Self.examples(added)) }
        if let before = old.array?.element, let after = new.array?.element { compareNodes(before, after, path.elements) }
        if let before = old.map, let after = new.map { compare(before, after, path) }
    }

    private static func examples(_ types: [TypeFacts]) -> [String] {
        var examples = Examples()
        for facts in types { examples.merge(facts.examples) }
        return examples.ids
    }

    private mutating func add(
        _ kind: SchemaChange.Kind, _ path: SchemaPath, _ old: SchemaNode?, _ new: SchemaNode?, wasRequired: Bool, examples: [String]
    ) {
        changes.append(
            SchemaChange(
                kind: kind, path: path.text, old: old?.types.map(\.type) ?? [], new: new?.types.map(\.type) ?? [], wasRequired: wasRequired,
                examples: examples))
    }
}
