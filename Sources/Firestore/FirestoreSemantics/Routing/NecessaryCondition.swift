// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Necessary conditions of a query's results that a table of conditions can look up.
///
/// They are not sufficient: a document that fails them does not match; one that passes is still tested by the matcher.
package indirect enum NecessaryCondition: Sendable {
    /// Nothing is known.
    case unknown
    case field(FieldCondition)
    /// All hold, so any one of them is sufficient for routing.
    case all([NecessaryCondition])
    /// At least one holds. Empty: no document can match.
    case any([NecessaryCondition])

    package static let impossible = NecessaryCondition.any([])

    package init(_ query: StructuredQuery, database: DatabaseID) {
        if query.limit == 0 {
            self = .impossible
            return
        }
        var parts = query.filter.map { [NecessaryCondition($0, database: database)] } ?? []
        if let range = Self.cursorRange(query) { parts.append(range) }
        self = Self.conjunction(parts)
    }

    init(_ filter: QueryFilter, database: DatabaseID) {
        switch filter {
        case .and(let filters): self = Self.conjunction(filters.map { NecessaryCondition($0, database: database) })
        case .or(let filters): self = .any(filters.map { NecessaryCondition($0, database: database) })
        case .field(let path, let op, let operand) where path.isDocumentID:
            self = Self.keys(op, operand, database: database)
        case .field(let path, let op, let operand):
            self = Self.values(path, ValueTest(op, operand))
        }
    }

    private static func keys(
        _ op: QueryFilter.FieldOperator, _ operand: ValueBytes, database: DatabaseID
    ) -> NecessaryCondition {
        guard op == .equal || op == .in else { return .unknown }
        defer { withExtendedLifetime(operand) {} }
        let operands = op == .in ? operand.view.elements.map { Array($0) } ?? [] : [operand.view]
        return .any(
            operands.compactMap { operand in
                guard case .key(let key) = KeyOperand(operand, database: database) else { return nil }
                return .field(.key(key))
            })
    }

    private static func values(_ path: FieldPathSegments, _ test: ValueTest) -> NecessaryCondition {
        switch test {
        case .never: return .impossible
        case .noneOf: return .unknown
        case .anyOf(let values): return .any(values.map { .field(.value(path, encoded($0))) })
        case .containsAny(let values): return .any(values.map { .field(.element(path, encoded($0))) })
        case .compare(let operand, let bracket, let op):
            switch op {
            case .equal: return .field(.value(path, encoded(operand)))
            case .lessThan, .lessThanOrEqual:
                return .field(.range(path, EncodedRange(lower: .start(of: bracket), upper: encoded(operand))))
            case .greaterThan, .greaterThanOrEqual:
                return .field(.range(path, EncodedRange(lower: encoded(operand), upper: .end(of: bracket))))
            case .notEqual, .in, .notIn, .arrayContains, .arrayContainsAny: return .unknown
            }
        }
    }

    /// The range that the cursors set for the first order (QR-34), across all types, without brackets (QR-36).
    private static func cursorRange(_ query: StructuredQuery) -> NecessaryCondition? {
        guard query.start != nil || query.end != nil, let order = query.effectiveOrders.first, !order.path.isDocumentID
        else { return nil }
        let first = query.start?.values.first.map(encoded)
        let last = query.end?.values.first.map(encoded)
        let range =
            order.direction == .ascending
            ? EncodedRange(lower: first ?? .lowest, upper: last ?? .highest)
            : EncodedRange(lower: last ?? .lowest, upper: first ?? .highest)
        return range.lower <= range.upper ? .field(.range(order.path, range)) : .impossible
    }

    /// Flattens, and combines all ranges of a field into one, because it has only one value.
    private static func conjunction(_ parts: [NecessaryCondition]) -> NecessaryCondition {
        var others: [NecessaryCondition] = []
        var ranges: [FieldPathSegments: EncodedRange] = [:]
        for part in parts.flatMap(\.conjuncts) {
            switch part {
            case .unknown: break
            case .any(let alternatives) where alternatives.isEmpty: return .impossible
            case .field(.range(let path, let range)):
                guard let both = ranges[path, default: range].intersection(range) else { return .impossible }
                ranges[path] = both
            case .any, .all, .field: others.append(part)
            }
        }
        others += ranges.sorted { $0.key < $1.key }.map { .field(.range($0.key, $0.value)) }
        return others.isEmpty ? .unknown : .all(others)
    }

    private var conjuncts: [NecessaryCondition] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    private static func encoded(_ value: ValueBytes) -> EncodedValue {
        defer { withExtendedLifetime(value) {} }
        return EncodedValue(value.view)
    }

    /// Conditions of which every match meets one, chosen so that the sum of `cost` is lowest; nil if there is no such
    /// set.
    package func cheapest(by cost: (FieldCondition) -> Int) -> (conditions: [FieldCondition], cost: Int)? {
        switch self {
        case .unknown: return nil
        case .field(let condition): return ([condition], cost(condition))
        case .all(let parts): return parts.compactMap { $0.cheapest(by: cost) }.min { $0.cost < $1.cost }
        case .any(let parts):
            var result: (conditions: [FieldCondition], cost: Int) = ([], 0)
            for part in parts {
                guard let choice = part.cheapest(by: cost) else { return nil }
                result.conditions += choice.conditions
                result.cost += choice.cost
            }
            return result
        }
    }
}
