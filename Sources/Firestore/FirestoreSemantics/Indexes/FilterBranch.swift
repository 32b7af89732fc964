// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One alternative of a filter's disjunctive normal form: conditions that all hold, grouped by field.
///
/// `in` and similar operators remain one condition with several values. A filter has few fields: looking through a list of them takes
/// less than hashing their paths.
struct FilterBranch: Sendable {
    struct Condition: Sendable {
        let path: FieldPathSegments
        /// The set that contains the field's value.
        fileprivate(set) var values: ValueIntervals
    }

    /// One per field.
    private(set) var fields: [Condition] = []
    /// The positions of the fields, where there are many: conditions of pipelines are not limited.
    private var positions: [FieldPathSegments: Int] = [:]

    private static let searched = 16
    /// The array that must contain one of several elements.
    private(set) var array: (path: FieldPathSegments, elements: ValueIntervals)?
    /// Whether there is a condition that no index column covers: on the name, or on a second array.
    private(set) var hasOtherConditions = false

    /// Whether no document can satisfy the branch.
    var isImpossible: Bool { array?.elements.isEmpty == true || fields.contains { $0.values.isEmpty } }

    /// The set that contains the value of a field; nil if every document of the branch matches, with the field or without it.
    func values(of path: FieldPathSegments) -> ValueIntervals? { position(of: path).map { fields[$0].values } }

    /// Whether every document of the branch has a field.
    func has(_ path: FieldPathSegments) -> Bool { position(of: path) != nil || array?.path == path }

    /// Whether a field has one of several single values.
    func isFixed(_ path: FieldPathSegments) -> Bool { position(of: path).map { fields[$0].values.arePoints } ?? false }

    /// The alternatives of a filter; nil if there are too many to be useful.
    static func all(of filter: QueryFilter?) -> [FilterBranch]? {
        var branches = [FilterBranch()]
        guard let filter else { return branches }
        guard restrict(&branches, to: filter), branches.count <= Limits.disjunctions else { return nil }
        return branches
    }

    /// Returns false if there are too many alternatives. Filters that `QueryCheck` accepts have far fewer.
    private static func restrict(_ branches: inout [FilterBranch], to filter: QueryFilter) -> Bool {
        switch filter {
        case .field(let path, let op, let operand):
            for place in branches.indices { branches[place].add(path, op, operand) }
            return true
        case .or(let filters) where filters.count == 1:
            return restrict(&branches, to: filters[0])
        case .or(let filters):
            var alternatives: [FilterBranch] = []
            for filter in filters {
                var restricted = branches
                guard restrict(&restricted, to: filter) else { return false }
                alternatives += restricted
                guard alternatives.count <= 4 * Limits.disjunctions else { return false }
            }
            branches = alternatives
            return true
        case .and(let filters):
            return filters.allSatisfy { restrict(&branches, to: $0) }
        }
    }

    private mutating func add(_ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ operand: ValueBytes) {
        if path.isDocumentID {
            hasOtherConditions = true
        } else if op == .arrayContains || op == .arrayContainsAny {
            if array == nil { array = (path, ValueIntervals(op, operand)) } else { hasOtherConditions = true }
        } else {
            let values = ValueIntervals(op, operand)
            if let known = position(of: path) {
                fields[known].values = fields[known].values.intersection(values)
            } else {
                append(Condition(path: path, values: values))
            }
        }
    }

    private func position(of path: FieldPathSegments) -> Int? {
        positions.isEmpty ? fields.firstIndex { $0.path == path } : positions[path]
    }

    private mutating func append(_ condition: Condition) {
        fields.append(condition)
        if !positions.isEmpty {
            positions[condition.path] = fields.count - 1
        } else if fields.count > Self.searched {
            for (position, condition) in fields.enumerated() { positions[condition.path] = position }
        }
    }
}
