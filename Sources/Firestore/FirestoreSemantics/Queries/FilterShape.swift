// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The size of a filter's disjunctive normal form, computed without expanding it (QR-22, QR-23, QR-26).
struct FilterShape {
    /// Larger numbers are only known to be too large.
    private static let cap = 1_000_000

    /// The number of alternatives of the normal form.
    private(set) var disjunctions: Int
    /// The number of comparisons in all alternatives together.
    private(set) var comparisons: Int
    /// The maximum number of array-membership clauses in one alternative.
    private(set) var memberships: Int

    init(_ filter: QueryFilter) {
        switch filter {
        case .field(_, let op, let operand):
            defer { withExtendedLifetime(operand) {} }
            let alternatives = op == .in || op == .arrayContainsAny ? operand.view.elements?.count ?? 1 : 1
            self.init(
                disjunctions: alternatives, comparisons: alternatives,
                memberships: op == .arrayContains || op == .arrayContainsAny ? 1 : 0)
        case .or(let filters):
            self.init(disjunctions: 0, comparisons: 0, memberships: 0)
            for filter in filters {
                let shape = FilterShape(filter)
                disjunctions = min(Self.cap, disjunctions + shape.disjunctions)
                comparisons = min(Self.cap, comparisons + shape.comparisons)
                memberships = max(memberships, shape.memberships)
            }
        case .and(let filters):
            self.init(disjunctions: 1, comparisons: 0, memberships: 0)
            for filter in filters {
                let shape = FilterShape(filter)
                comparisons = min(
                    Self.cap, comparisons * shape.disjunctions + shape.comparisons * disjunctions)
                disjunctions = min(Self.cap, disjunctions * shape.disjunctions)
                memberships += shape.memberships
            }
        }
    }

    private init(disjunctions: Int, comparisons: Int, memberships: Int) {
        self.disjunctions = disjunctions
        self.comparisons = comparisons
        self.memberships = memberships
    }

    /// The order of checks is that of the service: size of the normal form, array membership, inequality fields,
    /// components (QR-20).
    static func check(_ filter: QueryFilter, of query: StructuredQuery) throws(FirestoreError) {
        let shape = FilterShape(filter)
        try Limit.disjunctions.check(shape.disjunctions)
        guard shape.memberships <= 1 else {
            throw .invalidArgument(
                "array-contains and array-contains-any may appear once per alternative; "
                    + "combine them into one clause or filter in the app")
        }
        try checkNegations(filter)
        try checkInequalities(filter)
        try checkComponents(of: query, comparisons: shape.comparisons)
    }

    /// Orders have components even without a filter.
    static func checkComponents(of query: StructuredQuery, comparisons: Int) throws(FirestoreError) {
        let hasParent = query.scope.parent != nil
        try Limit.components.check(comparisons + query.orders.count + (hasParent ? 1 : 0))
    }

    /// At most one negation, and `not-in` beside no other list and no OR (QR-24).
    private static func checkNegations(_ filter: QueryFilter) throws(FirestoreError) {
        var negations = 0
        var hasNotIn = false
        var hasIn = false
        filter.forEachField { (_, op, _) throws(Never) in
            if op == .notEqual || op == .notIn { negations += 1 }
            if op == .notIn { hasNotIn = true }
            if op == .in || op == .arrayContainsAny { hasIn = true }
        }
        guard negations <= 1 else {
            throw .invalidArgument("a query takes at most one != or not-in")
        }
        guard !hasNotIn || !(hasIn || hasOr(filter)) else {
            throw .invalidArgument("not-in cannot be combined with in, array-contains-any or OR")
        }
    }

    private static func hasOr(_ filter: QueryFilter) -> Bool {
        switch filter {
        case .field: false
        case .and(let filters): filters.contains(where: hasOr)
        // Even an OR with one alternative, as in the emulator.
        case .or: true
        }
    }

    /// Inequalities on few fields (QR-25), and on no other field beside an equality on the document id (QR-19).
    private static func checkInequalities(_ filter: QueryFilter) throws(FirestoreError) {
        let fields = filter.inequalityFields
        guard fields.count <= Limits.inequalityFields || Set(fields).count <= Limits.inequalityFields else {
            throw .invalidArgument("a query takes inequalities on at most \(Limits.inequalityFields) fields")
        }
        guard !fields.isEmpty, !fields.contains(.documentID) else { return }
        var hasKeyEquality = false
        filter.forEachField { (path, op, _) throws(Never) in
            if path.isDocumentID, op == .equal || op == .in { hasKeyEquality = true }
        }
        if hasKeyEquality {
            throw .invalidArgument(
                "equality on the document id cannot be combined with an inequality on another field")
        }
    }
}
