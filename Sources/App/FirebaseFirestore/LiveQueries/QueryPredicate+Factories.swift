// SPDX-License-Identifier: Apache-2.0
extension QueryPredicate {
    /// The field equals the value.
    public static func whereField(_ field: String, isEqualTo value: Any) -> QueryPredicate {
        .isEqualTo(field, value)
    }

    /// The field equals one of the values.
    public static func whereField(_ field: String, isIn values: [Any]) -> QueryPredicate {
        .isIn(field, values)
    }

    /// The field exists, is not null and equals none of the values.
    public static func whereField(_ field: String, isNotIn values: [Any]) -> QueryPredicate {
        .isNotIn(field, values)
    }

    /// The field is an array that contains the value.
    public static func whereField(_ field: String, arrayContains value: Any) -> QueryPredicate {
        .arrayContains(field, value)
    }

    /// The field is an array that contains at least one of the values.
    public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> QueryPredicate {
        .arrayContainsAny(field, values)
    }

    /// The field is less than the value.
    public static func whereField(_ field: String, isLessThan value: Any) -> QueryPredicate {
        .isLessThan(field, value)
    }

    /// The field is greater than the value.
    public static func whereField(_ field: String, isGreaterThan value: Any) -> QueryPredicate {
        .isGreaterThan(field, value)
    }

    /// The field is at most the value.
    public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> QueryPredicate {
        .isLessThanOrEqualTo(field, value)
    }

    /// The field is at least the value.
    public static func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> QueryPredicate {
        .isGreaterThanOrEqualTo(field, value)
    }

    /// The field equals the value.
    public static func `where`(_ name: String, isEqualTo value: Any) -> QueryPredicate {
        .isEqualTo(name, value)
    }

    /// The field equals one of the values.
    public static func `where`(_ name: String, isIn value: [Any]) -> QueryPredicate {
        .isIn(name, value)
    }

    /// The field exists, is not null and equals none of the values.
    public static func `where`(_ name: String, isNotIn value: [Any]) -> QueryPredicate {
        .isNotIn(name, value)
    }

    /// The field is an array that contains the value.
    public static func `where`(field name: String, arrayContains value: Any) -> QueryPredicate {
        .arrayContains(name, value)
    }

    /// The field is an array that contains at least one of the values.
    public static func `where`(_ name: String, arrayContainsAny value: [Any]) -> QueryPredicate {
        .arrayContainsAny(name, value)
    }

    /// The field is less than the value.
    public static func `where`(_ name: String, isLessThan value: Any) -> QueryPredicate {
        .isLessThan(name, value)
    }

    /// The field is greater than the value.
    public static func `where`(_ name: String, isGreaterThan value: Any) -> QueryPredicate {
        .isGreaterThan(name, value)
    }

    /// The field is at most the value.
    public static func `where`(_ name: String, isLessThanOrEqualTo value: Any) -> QueryPredicate {
        .isLessThanOrEqualTo(name, value)
    }

    /// The field is at least the value.
    public static func `where`(_ name: String, isGreaterThanOrEqualTo value: Any) -> QueryPredicate {
        .isGreaterThanOrEqualTo(name, value)
    }

    /// Sorts by the field.
    public static func order(by field: String, descending value: Bool = false) -> QueryPredicate {
        .orderBy(field, value)
    }

    /// Limits the result to the first documents.
    public static func limit(to value: Int) -> QueryPredicate {
        .limitTo(value)
    }

    /// Limits the result to the last documents. Needs an order.
    public static func limit(toLast value: Int) -> QueryPredicate {
        .limitToLast(value)
    }
}
