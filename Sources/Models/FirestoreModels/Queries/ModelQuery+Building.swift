// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore

extension ModelQuery {
    /// Finds documents for which a condition holds, in addition to the existing conditions.
    ///
    /// ```swift
    /// cities.where { $0.country.isIn(["DE", "AT"]) || $0.tags.contains("port") }
    /// ```
    /// An operand that cannot be encoded, or a condition that Firestore does not accept, makes every operation of the query fail
    /// with `invalidArgument`.
    ///
    /// - Parameter condition: Called immediately, with the table of the model's fields.
    public func `where`(_ condition: (Model.Fields) -> ModelCondition<Model>) -> TypedQuery<Model> {
        adding(condition(Model.fields))
    }

    /// Finds documents for which all the conditions hold, in addition to the existing conditions.
    ///
    /// ```swift
    /// cities.where(\.population > 1_000_000, \.country == "DE")
    /// ```
    /// The form for key paths: one comparison for each argument. `&&` and `||` between key paths take the compiler too long; use
    /// the closure for those.
    public func `where`(_ condition: ModelCondition<Model>, _ others: ModelCondition<Model>...) -> TypedQuery<Model> {
        adding(others.reduce(condition) { $0.and($1) })
    }

    private func adding(_ condition: ModelCondition<Model>) -> TypedQuery<Model> {
        let typed = typedQuery
        return typed.with(
            typed.query.whereFilter { () throws(FirestoreError) in try condition.filter(typed.coder, for: typed.query) })
    }

    /// Sorts by a field, after the existing orders. Documents without the field are left out.
    public func order<Value: FirestoreOrderable, Kind>(
        by field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, descending: Bool = false
    ) -> TypedQuery<Model> {
        let typed = typedQuery
        let path = FieldPath(typed.coder.path(of: Model.fields[keyPath: field].path))
        return typed.with(typed.query.order(by: path, descending: descending))
    }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; order by a field of it, or conform it to FirestoreOrderable"
    )
    public func order<Value, Kind>(
        by field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, descending: Bool = false
    ) -> TypedQuery<Model> {
        typedQuery
    }

    /// Not available: the direction is named as in the SDK.
    @available(*, unavailable, message: "write the direction as in the SDK: order(by: \\.name, descending: true)")
    public func order<Value, Kind>(
        by field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ direction: UnavailableDirection
    ) -> TypedQuery<Model> {
        typedQuery
    }

    /// Limits the result to its first documents. Replaces an earlier limit.
    public func limit(to limit: Int) -> TypedQuery<Model> { typedQuery.with(typedQuery.query.limit(to: limit)) }

    /// Limits the result to its last documents. Needs an order, and replaces an earlier limit.
    public func limit(toLast limit: Int) -> TypedQuery<Model> { typedQuery.with(typedQuery.query.limit(toLast: limit)) }
}

/// The directions that other libraries pass to `order(by:)`; the error at the call explains their equivalents.
///
/// Beyond the Apple SDK.
public enum UnavailableDirection {
    /// From small to large, the default.
    case ascending
    /// From large to small: `descending: true`.
    case descending
}

extension ModelCoder {
    func path(of path: ModelPath) -> Result<FieldPathSegments, FirestoreError> {
        Result { () throws(FirestoreError) in try segments(of: path) }
    }
}
