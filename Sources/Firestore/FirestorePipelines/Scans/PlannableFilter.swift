// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

extension QueryFilter {
    /// Without what a query would understand in another way; nil if nothing is left. Conditions on the name need references. And a query
    /// is ordered by the fields of its inequalities, which its documents must have: here that has to follow from the filter itself.
    var plannable: QueryFilter? {
        switch self {
        case .field(let path, let op, let operand): return !path.isDocumentID || operand.namesDocuments(op) ? self : nil
        case .and(let filters):
            let plannable = filters.compactMap(\.plannable)
            return plannable.count > 1 ? .and(plannable) : plannable.first
        case .or(let filters):
            let plannable = filters.compactMap(\.plannable)
            let whole = QueryFilter.or(plannable)
            return plannable.count == filters.count && present.isSuperset(of: whole.inequalityFields) ? whole : nil
        }
    }

    /// The fields that every document has for which the filter holds.
    var present: Set<FieldPathSegments> {
        switch self {
        case .field(let path, _, _): [path]
        case .and(let filters): filters.reduce(into: []) { $0.formUnion($1.present) }
        case .or(let filters): filters.dropFirst().reduce(filters.first?.present ?? []) { $0.intersection($1.present) }
        }
    }

    /// How many single ranges of an index it may need.
    var points: Int {
        switch self {
        case .field(_, .in, let operand), .field(_, .arrayContainsAny, let operand): operand.view.elements?.count ?? 1
        case .field: 1
        case .and(let filters): filters.reduce(1) { min($0 * max(1, $1.points), 1 << 20) }
        case .or(let filters): filters.reduce(0) { $0 + $1.points }
        }
    }
}

extension ValueBytes {
    fileprivate func namesDocuments(_ op: QueryFilter.FieldOperator) -> Bool {
        defer { withExtendedLifetime(self) {} }
        func isReference(_ view: ValueView) -> Bool { view.referenceBytes.flatMap { ReferenceName($0) } != nil }
        if op == .in { return view.elements?.allSatisfy(isReference) ?? false }
        return isReference(view)
    }
}
