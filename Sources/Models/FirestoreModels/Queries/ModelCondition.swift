// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A condition on the documents of a model, for `where`.
///
/// Conditions come from comparing fields (`$0.population > 1_000_000`) and combining them with `&&` and `||`. Making one reads
/// nothing; its operands are encoded when it is passed to `where`. A condition that Firestore does not accept makes every
/// operation of the query fail with `invalidArgument`.
///
/// Beyond the Apple SDK.
public struct ModelCondition<Model> {
    package indirect enum Node {
        case comparison(ModelPath, QueryFilter.FieldOperator, Operand)
        case and([Node])
        case or([Node])
        case invalid(FirestoreError)
    }

    package let node: Node

    package init(_ node: Node) { self.node = node }

    package init(_ path: ModelPath, _ op: QueryFilter.FieldOperator, _ operand: Operand) {
        node = .comparison(path, op, operand)
    }

    /// Holds if both conditions do.
    public func and(_ other: ModelCondition) -> ModelCondition {
        switch (node, other.node) {
        case (.and(let left), .and(let right)): ModelCondition(.and(left + right))
        case (.and(let left), let right): ModelCondition(.and(left + [right]))
        case (let left, .and(let right)): ModelCondition(.and([left] + right))
        case (let left, let right): ModelCondition(.and([left, right]))
        }
    }

    /// Holds if one of the conditions does, or both.
    public func or(_ other: ModelCondition) -> ModelCondition {
        switch (node, other.node) {
        case (.or(let left), .or(let right)): ModelCondition(.or(left + right))
        case (.or(let left), let right): ModelCondition(.or(left + [right]))
        case (let left, .or(let right)): ModelCondition(.or([left] + right))
        case (let left, let right): ModelCondition(.or([left, right]))
        }
    }

    /// The opposite comparison: `!=` for `==`, `>=` for `<`, `isNotIn` for `isIn`, and so on.
    ///
    /// Firestore has no negation. The opposite comparison does not find the remaining documents: those that lack the field, and
    /// those whose value has another type, fulfil neither. `contains`, `containsAny` and combined conditions have no opposite:
    /// a query with their negation fails with `invalidArgument`.
    public var negated: ModelCondition {
        guard case .comparison(let path, let op, let operand) = node else {
            return rejected("a combination of conditions has no opposite: negate its comparisons")
        }
        guard let opposite = op.opposite else {
            return rejected("there is no opposite of \(op.rawValue)(…) on the field \(path.text): Firestore cannot ask for it")
        }
        return ModelCondition(path, opposite, operand)
    }

    private func rejected(_ reason: String) -> ModelCondition {
        ModelCondition(.invalid(.invalidArgument("! cannot be used here: \(reason)")))
    }
}

extension QueryFilter.FieldOperator {
    fileprivate var opposite: QueryFilter.FieldOperator? {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .lessThan: .greaterThanOrEqual
        case .lessThanOrEqual: .greaterThan
        case .greaterThan: .lessThanOrEqual
        case .greaterThanOrEqual: .lessThan
        case .in: .notIn
        case .notIn: .in
        case .arrayContains, .arrayContainsAny: nil
        }
    }
}

extension ModelCondition {
    /// Holds if both conditions do.
    public static func && (left: ModelCondition, right: ModelCondition) -> ModelCondition { left.and(right) }

    /// Holds if one of the conditions does, or both.
    public static func || (left: ModelCondition, right: ModelCondition) -> ModelCondition { left.or(right) }

    /// The opposite comparison; see ``negated`` for the documents that it does not find.
    public static prefix func ! (condition: ModelCondition) -> ModelCondition { condition.negated }
}
