// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One alternative of a filter's disjunctive normal form: conditions that all hold, grouped by field.
///
/// `in` and similar operators remain one condition with several values.
struct FilterBranch: Sendable {
    /// The set that contains each field's value.
    private(set) var fields: [FieldPathSegments: ValueIntervals] = [:]
    /// The array that must contain one of several elements.
    private(set) var array: (path: FieldPathSegments, elements: ValueIntervals)?
    /// Whether there is a condition that no index column covers: on the name, or on a second array.
    private(set) var hasOtherConditions = false

    /// Whether no document can satisfy the branch.
    var isImpossible: Bool { array?.elements.isEmpty == true || fields.values.contains(where: \.isEmpty) }

    /// Whether every document of the branch has a field.
    func has(_ path: FieldPathSegments) -> Bool { fields[path] != nil || array?.path == path }

    /// The alternatives of a filter; nil if there are too many to be useful.
    static func all(of filter: QueryFilter?) -> [FilterBranch]? {
        guard let filter else { return [FilterBranch()] }
        let branches = expand(filter)
        return branches.count <= Limits.disjunctions ? branches : nil
    }

    private static func expand(_ filter: QueryFilter) -> [FilterBranch] {
        switch filter {
        case .field(let path, let op, let operand):
            var branch = FilterBranch()
            branch.add(path, op, operand)
            return [branch]
        case .or(let filters):
            return filters.flatMap(expand)
        case .and(let filters):
            var branches = [FilterBranch()]
            for filter in filters {
                let alternatives = expand(filter)
                // Filters that `QueryCheck` accepts have far fewer.
                guard branches.count * alternatives.count <= 4 * Limits.disjunctions else { return tooMany }
                branches = branches.flatMap { branch in alternatives.map { branch.and($0) } }
            }
            return branches
        }
    }

    /// More alternatives than any caller accepts.
    private static var tooMany: [FilterBranch] { Array(repeating: FilterBranch(), count: 4 * Limits.disjunctions) }

    private mutating func add(_ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ operand: ValueBytes) {
        if path.isDocumentID {
            hasOtherConditions = true
        } else if op == .arrayContains || op == .arrayContainsAny {
            array = (path, ValueIntervals(op, operand))
        } else {
            fields[path] = ValueIntervals(op, operand)
        }
    }

    private func and(_ other: FilterBranch) -> FilterBranch {
        var result = self
        for (path, intervals) in other.fields {
            result.fields[path] = result.fields[path].map { $0.intersection(intervals) } ?? intervals
        }
        if let array = other.array {
            if result.array == nil { result.array = array } else { result.hasOtherConditions = true }
        }
        result.hasOtherConditions = result.hasOtherConditions || other.hasOtherConditions
        return result
    }
}
