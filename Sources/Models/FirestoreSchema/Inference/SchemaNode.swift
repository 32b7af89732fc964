// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How often a type occurs in one place, and where.
package struct TypeFacts: Sendable {
    package let type: StoredType
    package var count = 0
    package var examples = Examples()
}

/// Facts about one place in the documents of a collection: a field, the elements of an array, the values of a map
/// whose names are data.
///
/// A node counts. It holds no documents, so its size depends on what differs between them and not on their number.
/// It belongs to one tree: merging copies.
package final class SchemaNode {
    /// The types that occur, in their order.
    @exclusivity(unchecked) package var types: [TypeFacts] = []
    @exclusivity(unchecked) package var integers: IntegerFacts?
    @exclusivity(unchecked) package var doubles: DoubleFacts?
    @exclusivity(unchecked) package var texts: TextFacts?
    @exclusivity(unchecked) package var times: TimeFacts?
    @exclusivity(unchecked) package var references: ReferenceFacts?
    @exclusivity(unchecked) package var dimensions: Extent<Int>?
    @exclusivity(unchecked) package var array: ArrayFacts?
    @exclusivity(unchecked) package var map: MapFacts?

    package init() {}

    /// How often there was a value, null included.
    package var present: Int { types.reduce(0) { $0 + $1.count } }

    package func facts(_ type: StoredType) -> TypeFacts? { types.first { $0.type == type } }

    package func count(_ type: StoredType) -> Int { facts(type)?.count ?? 0 }

    /// Of all nodes from here down, this one included.
    func size() -> Int { 1 + (array?.element?.size() ?? 0) + (map?.size() ?? 0) }

    @inline(__always)
    func count(_ type: StoredType, in id: String) {
        var index = 0
        while index < types.count {
            let found = types[index].type
            if found == type {
                types[index].count += 1
                return types[index].examples.add(id)
            }
            if found > type { break }
            index += 1
        }
        types.insert(TypeFacts(type: type, count: 1, examples: Examples([id])), at: index)
    }

    /// Adds what another node knows. The other one stays as it is.
    func merge(_ other: SchemaNode, limits: SchemaLimits) {
        for facts in other.types {
            if let index = types.firstIndex(where: { $0.type >= facts.type }) {
                if types[index].type == facts.type {
                    types[index].count += facts.count
                    types[index].examples.merge(facts.examples)
                } else {
                    types.insert(facts, at: index)
                }
            } else {
                types.append(facts)
            }
        }
        Self.merge(&integers, other.integers) { $0.merge($1) }
        Self.merge(&doubles, other.doubles) { $0.merge($1) }
        Self.merge(&texts, other.texts) { $0.merge($1) }
        Self.merge(&times, other.times) { $0.merge($1) }
        Self.merge(&references, other.references) { $0.merge($1) }
        dimensions.extend(other.dimensions)
        if let theirs = other.array {
            if array == nil { array = ArrayFacts(lengths: theirs.lengths) }
            array?.lengths.merge(theirs.lengths)
            if theirs.isCut { array?.cut() }
            if let element = theirs.element, array?.isCut == false {
                if array?.element == nil { array?.element = SchemaNode() }
                array?.element?.merge(element, limits: limits)
            }
        }
        if let theirs = other.map {
            if map == nil { map = MapFacts() }
            map?.merge(theirs, limits: limits)
        }
    }

    private static func merge<Facts>(_ own: inout Facts?, _ other: Facts?, _ body: (inout Facts, Facts) -> Void) {
        guard let other else { return }
        guard var facts = own else { return own = other }
        own = nil
        body(&facts, other)
        own = facts
    }

    /// Forgets everything more than `levels` levels below.
    func cut(below levels: Int) {
        if levels == 0 {
            array?.cut()
            map?.cut()
        } else {
            array?.element?.cut(below: levels - 1)
            map?.forEachNode { $0.cut(below: levels - 1) }
        }
    }

    /// The number of levels from here down.
    func depth() -> Int { 1 + max(array?.element?.depth() ?? 0, map?.depth() ?? 0) }
}

extension ArrayFacts {
    mutating func cut() {
        element = nil
        isCut = true
    }
}

/// The limits of the size of a tree (MP-13).
package struct SchemaLimits: Sendable {
    /// A map with more names than this has data for names.
    package var names = 1_000
    package var nodes = 20_000

    package init() {}
}
