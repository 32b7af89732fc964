// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Proofs by a constraint (SR-94). A condition that it does not prove is neither true nor false.
extension FieldConstraint {
    private func proven(_ isProven: Bool) throws(Interruption) -> Bool {
        guard isProven else { throw .failure(.notProven) }
        return true
    }

    private func check(_ other: RulesValue) throws(Interruption) {
        if case .constraint = other {
            let types = "bool,duration,float,int,latlng,map,null,string,bytes,timestamp,path,list,vector,set"
            throw .failure(.type(received: .constraint, expected: types))
        }
    }

    /// A range never proves an equality.
    func equals(_ other: RulesValue) throws(Interruption) -> Bool {
        try check(other)
        throw .failure(.notProven)
    }

    func differs(from other: RulesValue) throws(Interruption) -> Bool {
        try check(other)
        return try proven(facts.contains { $0.excludes(other) })
    }

    /// Whether no document of the query has a list element's value there.
    func excludes(_ element: RulesValue) -> Bool {
        if case .constraint = element { return false }
        return facts.contains { $0.excludes(element) } || excludes(element.type)
    }

    /// Whether no document of the query has a value of the type there.
    func excludes(_ type: ValueType) -> Bool {
        facts.contains { fact in
            switch fact {
            case .bound(_, let bound): bound.type.isRange && !bound.type.hasInItsRange(type)
            case .contains: type != .list
            case .notEqual, .notNull: false
            }
        }
    }

    func satisfies(_ op: Comparison, _ other: RulesValue) throws(Interruption) -> Bool {
        switch other {
        case .int, .float, .string, .bytes, .timestamp, .duration: break
        default: throw .failure(.type(received: other.type, expected: "timestamp,duration,float,int,string,bytes"))
        }
        return try proven(facts.contains { $0.implies(op, other) })
    }

    /// Whether the field is a list with this element.
    func contains(_ element: RulesValue, takesSpelling: Bool) throws(Interruption) -> Bool {
        guard
            facts.contains(where: { fact in
                if case .contains = fact { true } else { false }
            })
        else { throw .failure(.functionNotFound("in")) }
        return try proven(facts.contains { $0.provesElement(element, takesSpelling: takesSpelling) })
    }

    func hasAny(_ elements: [RulesValue], takesSpelling: Bool) throws(Interruption) -> Bool {
        guard
            facts.contains(where: { fact in
                if case .contains = fact { true } else { false }
            })
        else { throw .failure(.functionNotFound("hasAny")) }
        return try proven(elements.contains { element in facts.contains { $0.provesElement(element, takesSpelling: takesSpelling) } })
    }
}

extension FieldConstraint.Fact {
    /// Whether the fact implies `field != value`.
    fileprivate func excludes(_ value: RulesValue) -> Bool {
        if case .null = value { return true }
        switch self {
        case .notNull: return false
        case .notEqual(let excluded):
            // The query compares exactly, conditions compare integers and floats as floats.
            return Self.isExact(value) && Self.isExact(excluded) && ValueEquality.numeric.equal(excluded, value) == true
        case .bound(let op, let bound):
            guard let order = Self.order(value, bound) else { return false }
            return !op.accepts(order)
        case .contains: return false
        }
    }

    /// Whether the fact implies `field op value`.
    fileprivate func implies(_ op: Comparison, _ value: RulesValue) -> Bool {
        guard case .bound(let known, let bound) = self, let order = Self.order(bound, value) else { return false }
        // A float of the query proves nothing about integers (SR-94).
        if case .float = bound, case .int = value { return false }
        switch (known, op) {
        case (.greater, .greater), (.greater, .greaterOrEqual), (.greaterOrEqual, .greaterOrEqual): return order >= 0
        case (.greaterOrEqual, .greater): return order > 0
        case (.less, .less), (.less, .lessOrEqual), (.lessOrEqual, .lessOrEqual): return order <= 0
        case (.lessOrEqual, .less): return order < 0
        default: return false
        }
    }

    fileprivate func provesElement(_ element: RulesValue, takesSpelling: Bool) -> Bool {
        guard case .contains(let known) = self else { return false }
        if takesSpelling, ValueEquality.numeric.equal(known, element) == true { return true }
        return !Self.hasNumbers(known) && ValueEquality.element.equal(known, element) == true
    }

    /// A list can contain the other spelling of a number, which the query finds equal and `in` does not.
    private static func hasNumbers(_ value: RulesValue) -> Bool {
        switch value {
        case .int, .float: true
        case .list(let list): list.elements.contains(where: hasNumbers)
        case .map(let map): map.entries.contains { hasNumbers($0.value) }
        default: false
        }
    }

    /// The order of two values of a kind; nil for values that are not ordered, or whose order depends on rounding.
    private static func order(_ left: RulesValue, _ right: RulesValue) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): return isSmall(left) && isSmall(right) ? (left < right ? -1 : left == right ? 0 : 1) : nil
        case (.int, .float), (.float, .int), (.float, .float):
            guard let left = float(left), let right = float(right) else { return nil }
            return left < right ? -1 : left == right ? 0 : 1
        case (.string(let left), .string(let right)): return compareUTF8(left, right)
        case (.timestamp(let left), .timestamp(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.bytes(let left), .bytes(let right)):
            defer { withExtendedLifetime((left, right)) {} }
            return compareBytes(left.buffer, right.buffer)
        default: return nil
        }
    }

    private static func float(_ value: RulesValue) -> Double? {
        switch value {
        case .int(let value): isSmall(value) ? Double(value) : nil
        case .float(let value): abs(value) < 0x1p53 ? value : nil
        default: nil
        }
    }

    private static func isSmall(_ value: Int64) -> Bool { value.magnitude < 1 << 53 }

    private static func isExact(_ value: RulesValue) -> Bool {
        switch value {
        case .int(let value): isSmall(value)
        case .float(let value): abs(value) < 0x1p53
        case .list(let list): list.elements.allSatisfy(isExact)
        case .map(let map): map.entries.allSatisfy { isExact($0.value) }
        default: true
        }
    }
}

extension ValueType {
    /// Whether a filter with an order finds only values like its operand.
    fileprivate var isRange: Bool {
        switch self {
        case .bool, .bytes, .float, .int, .latlng, .list, .map, .string, .timestamp, .path: true
        default: false
        }
    }

    /// Whether a filter with an order and an operand of this type may find a value of the other one.
    fileprivate func hasInItsRange(_ other: ValueType) -> Bool {
        switch (self, other) {
        case (.int, .float), (.float, .int), (.int, .number), (.float, .number), (.map, .vector): true
        default: self == other
        }
    }
}
