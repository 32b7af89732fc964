// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Equality of values (SR-49). Numbers of the two kinds are compared by value in some places and differ in others.
struct ValueEquality {
    /// Whether the values themselves are compared by value if they are an integer and a float.
    let isNumeric: Bool
    /// Whether values inside lists and maps are compared by value if they are an integer and a float.
    let isDeeplyNumeric: Bool
    /// Whether a number that a query compares with `==` is taken as the query spells it, although a document may have the other
    /// spelling.
    var takesSpelling = false

    /// `==` and `!=`: `1 == 1.0`, but not `[1] == [1.0]`.
    static let comparison = ValueEquality(isNumeric: true, isDeeplyNumeric: false)
    /// `in`, `hasAny` and the like on lists: 1 is not in `[1.0]`.
    static let element = ValueEquality(isNumeric: false, isDeeplyNumeric: false)
    /// Sets and `diff`.
    static let numeric = ValueEquality(isNumeric: true, isDeeplyNumeric: true)

    private var inside: ValueEquality {
        ValueEquality(isNumeric: isDeeplyNumeric, isDeeplyNumeric: isDeeplyNumeric, takesSpelling: takesSpelling)
    }

    func taking(spelling: Bool) -> ValueEquality {
        ValueEquality(isNumeric: isNumeric, isDeeplyNumeric: isDeeplyNumeric, takesSpelling: spelling)
    }

    /// Nil if the filters of a query do not determine it.
    func equal(_ left: RulesValue, _ right: RulesValue) -> Bool? {
        WorkCounter.add()
        switch (left, right) {
        case (.constraint(let constraint), let other), (let other, .constraint(let constraint)):
            return constrained(constraint, other)
        case (.int(let left), .int(let right)): return left == right
        case (.float(let left), .float(let right)): return left == right
        case (.int(let integer), .float(let float)), (.float(let float), .int(let integer)):
            return isNumeric && Double(integer) == float
        case (.string(let left), .string(let right)): return equalUTF8(left, right)
        case (.bool(let left), .bool(let right)): return left == right
        case (.null, .null): return true
        case (.bytes(let left), .bytes(let right)): return left == right
        case (.timestamp(let left), .timestamp(let right)): return left == right
        case (.duration(let left), .duration(let right)): return left == right
        case (.latlng(let left), .latlng(let right)): return left.latitude == right.latitude && left.longitude == right.longitude
        case (.path(let left), .path(let right)): return PathValue.equal(left, right)
        case (.vector(let left), .vector(let right)): return left == right
        case (.list(let left), .list(let right)): return equal(left, right)
        case (.set(let left), .set(let right)):
            return left.elements.count == right.elements.count && left.elements.allSatisfy(right.contains)
        case (.map(let left), .map(let right)): return equal(left, right)
        default: return false
        }
    }

    private func equal(_ left: ListValue, _ right: ListValue) -> Bool? {
        if case .stored(let left) = left, case .stored(let right) = right, left == right, !containsNaN(left) { return true }
        let (lefts, rights) = (left.elements, right.elements)
        // A list with unknown elements is at least this long.
        if left.isOpen || right.isOpen { return nil }
        guard lefts.count == rights.count else { return false }
        return all(lefts.indices.lazy.map { inside.equal(lefts[$0], rights[$0]) })
    }

    /// NaN equals nothing, whatever the bytes are. Looks for its bytes anywhere, which is rarely wrong and then only slower.
    private func containsNaN(_ bytes: ByteSlice) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 9 else { return false }
            for start in 0...(bytes.count - 9) where bytes[start] == WireTag.double {
                if Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 1, as: UInt64.self))).isNaN {
                    return true
                }
            }
            return false
        }
    }

    private func equal(_ left: MapValue, _ right: MapValue) -> Bool? {
        if case .stored(let left) = left, case .stored(let right) = right, left == right, !containsNaN(left) { return true }
        let (lefts, rights) = (left.entries, right.entries)
        if left.isOpen || right.isOpen { return openEqual(left, right) }
        guard lefts.count == rights.count, zip(lefts, rights).allSatisfy({ equalUTF8($0.0.name, $0.1.name) }) else { return false }
        return all(lefts.indices.lazy.map { inside.equal(lefts[$0].value, rights[$0].value) })
    }

    /// A map that is only partly known is unequal if a known part differs, and otherwise undetermined. With `takesSpelling` the
    /// known part is the whole.
    private func openEqual(_ left: MapValue, _ right: MapValue) -> Bool? {
        if takesSpelling {
            return equal(.entries(MapEntries(left.entries)), .entries(MapEntries(right.entries)))
        }
        for (known, other) in [(left, right), (right, left)] {
            for (name, value) in known.entries {
                guard let there = other[name] else {
                    if other.isOpen { continue }
                    return false
                }
                if inside.equal(value, there) == false { return false }
            }
        }
        return nil
    }

    /// Whether all hold, with an unknown one in between.
    private func all(_ results: some Sequence<Bool?>) -> Bool? {
        var isKnown = true
        for result in results {
            if result == false { return false }
            if result == nil { isKnown = false }
        }
        return isKnown ? true : nil
    }

    private func constrained(_ constraint: FieldConstraint, _ other: RulesValue) -> Bool? {
        guard let number = constraint.equalNumber else { return nil }
        if takesSpelling {
            if case .constraint(let other) = other { return other.equalNumber.flatMap { equal(number, $0) } }
            return equal(number, other)
        }
        // Decided if every spelling of the number gives the same answer.
        var result: Bool?
        for spelling in constraint.spellings {
            guard let answer = equal(spelling, other) else { return nil }
            if let result, result != answer { return nil }
            result = answer
        }
        return result
    }
}

/// A value as a key of a hash table.
struct ValueKey: Hashable, Sendable {
    private let value: RulesValue
    private let isNumeric: Bool

    /// Nil if the value equals nothing, not even itself. In a table such values would all have one hash and never be found.
    init?(_ value: RulesValue, equality: ValueEquality) {
        if Self.equalsNothing(value) { return nil }
        self.value = value
        isNumeric = equality.isNumeric
    }

    private static func equalsNothing(_ value: RulesValue) -> Bool {
        switch value {
        case .float(let value): value.isNaN
        case .mapDiff: true
        case .list(let list): list.elements.contains(where: equalsNothing)
        case .map(let map): map.entries.contains { equalsNothing($0.value) }
        default: false
        }
    }

    static func == (left: ValueKey, right: ValueKey) -> Bool {
        let equality: ValueEquality = left.isNumeric ? .numeric : .element
        return equality.equal(left.value, right.value) ?? false
    }

    func hash(into hasher: inout Hasher) { Self.hash(value, into: &hasher) }

    /// Equal values have the same hash under both equalities.
    private static func hash(_ value: RulesValue, into hasher: inout Hasher) {
        switch value {
        case .int(let value): hasher.combine(Double(value))
        case .float(let value): hasher.combine(value)
        case .string(let value):
            hasher.combine(value.utf8.count)
            hashUTF8(value, into: &hasher)
        case .bool(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .duration(let value): hasher.combine(value)
        case .latlng(let value):
            hasher.combine(value.latitude)
            hasher.combine(value.longitude)
        case .path(let value): hashUTF8(value.text, into: &hasher)
        case .vector(let value): hasher.combine(value)
        // With their lengths: lists and maps that are cut in different places must not share one hash.
        case .list(let list):
            let elements = list.elements
            hasher.combine(elements.count)
            for element in elements { hash(element, into: &hasher) }
        case .map(let map):
            let entries = map.entries
            hasher.combine(entries.count)
            for (name, value) in entries {
                hasher.combine(name.utf8.count)
                hashUTF8(name, into: &hasher)
                hash(value, into: &hasher)
            }
        case .set(let set): hasher.combine(set.elements.count)
        case .null, .mapDiff, .constraint: hasher.combine(value.type)
        }
    }
}
