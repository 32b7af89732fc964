// SPDX-License-Identifier: Apache-2.0

/// One condition, order or limit of a `@FirestoreQuery`.
///
/// ```swift
/// @FirestoreQuery(collectionPath: "cities", predicates: [.where("capital", isEqualTo: true), .order(by: "name")])
/// var capitals: [City]
/// ```
/// Predicates cannot express "not equal". An invalid predicate (a malformed field path, a limit of zero) is reported as
/// the query's error when it runs.
public enum QueryPredicate {
    /// The field equals the value.
    case isEqualTo(_ field: String, _ value: Any)
    /// The field equals one of the values.
    case isIn(_ field: String, _ values: [Any])
    /// The field exists, is not null and equals none of the values.
    case isNotIn(_ field: String, _ values: [Any])
    /// The field is an array that contains the value.
    case arrayContains(_ field: String, _ value: Any)
    /// The field is an array that contains at least one of the values.
    case arrayContainsAny(_ field: String, _ values: [Any])
    /// The field is less than the value.
    case isLessThan(_ field: String, _ value: Any)
    /// The field is greater than the value.
    case isGreaterThan(_ field: String, _ value: Any)
    /// The field is at most the value.
    case isLessThanOrEqualTo(_ field: String, _ value: Any)
    /// The field is at least the value.
    case isGreaterThanOrEqualTo(_ field: String, _ value: Any)
    /// Sorts by the field, in descending order if the value is true.
    case orderBy(_ field: String, _ value: Bool)
    /// Limits the result to the first documents.
    case limitTo(_ value: Int)
    /// Limits the result to the last documents. Needs an order.
    case limitToLast(_ value: Int)
}

extension Query {
    /// The query with one more condition, order or limit.
    func adding(_ predicate: QueryPredicate) -> Query {
        switch predicate {
        case .isEqualTo(let field, let value): whereField(field, isEqualTo: value)
        case .isIn(let field, let values): whereField(field, in: values)
        case .isNotIn(let field, let values): whereField(field, notIn: values)
        case .arrayContains(let field, let value): whereField(field, arrayContains: value)
        case .arrayContainsAny(let field, let values): whereField(field, arrayContainsAny: values)
        case .isLessThan(let field, let value): whereField(field, isLessThan: value)
        case .isGreaterThan(let field, let value): whereField(field, isGreaterThan: value)
        case .isLessThanOrEqualTo(let field, let value): whereField(field, isLessThanOrEqualTo: value)
        case .isGreaterThanOrEqualTo(let field, let value): whereField(field, isGreaterThanOrEqualTo: value)
        case .orderBy(let field, let descending): order(by: field, descending: descending)
        case .limitTo(let limit): self.limit(to: limit)
        case .limitToLast(let limit): self.limit(toLast: limit)
        }
    }
}
