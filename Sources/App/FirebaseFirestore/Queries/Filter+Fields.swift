// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Filter {
    /// Finds documents whose field equals a value; `NSNull()` and NaN are allowed.
    public class func whereField(_ field: String, isEqualTo value: Any) -> Filter {
        whereField(FieldPath(dotted: field), isEqualTo: value)
    }

    /// Finds documents whose field equals a value; `NSNull()` and NaN are allowed.
    public class func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter {
        Filter(path, .equal, value: value)
    }

    /// Finds documents whose field exists, is not null and differs from a value.
    public class func whereField(_ field: String, isNotEqualTo value: Any) -> Filter {
        whereField(FieldPath(dotted: field), isNotEqualTo: value)
    }

    /// Finds documents whose field exists, is not null and differs from a value.
    public class func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter {
        Filter(path, .notEqual, value: value)
    }

    /// Finds documents whose field is less than a value of the same kind.
    public class func whereField(_ field: String, isLessThan value: Any) -> Filter {
        whereField(FieldPath(dotted: field), isLessThan: value)
    }

    /// Finds documents whose field is less than a value of the same kind.
    public class func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter {
        Filter(path, .lessThan, value: value)
    }

    /// Finds documents whose field is at most a value of the same kind.
    public class func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter {
        whereField(FieldPath(dotted: field), isLessThanOrEqualTo: value)
    }

    /// Finds documents whose field is at most a value of the same kind.
    public class func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter {
        Filter(path, .lessThanOrEqual, value: value)
    }

    /// Finds documents whose field is greater than a value of the same kind.
    public class func whereField(_ field: String, isGreaterThan value: Any) -> Filter {
        whereField(FieldPath(dotted: field), isGreaterThan: value)
    }

    /// Finds documents whose field is greater than a value of the same kind.
    public class func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter {
        Filter(path, .greaterThan, value: value)
    }

    /// Finds documents whose field is at least a value of the same kind.
    public class func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter {
        whereField(FieldPath(dotted: field), isGreaterOrEqualTo: value)
    }

    /// Finds documents whose field is at least a value of the same kind.
    public class func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter {
        Filter(path, .greaterThanOrEqual, value: value)
    }

    /// Finds documents whose field is an array that contains a value.
    public class func whereField(_ field: String, arrayContains value: Any) -> Filter {
        whereField(FieldPath(dotted: field), arrayContains: value)
    }

    /// Finds documents whose field is an array that contains a value.
    public class func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter {
        Filter(path, .arrayContains, value: value)
    }

    /// Finds documents whose field is an array that contains at least one of the given values.
    public class func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter {
        whereField(FieldPath(dotted: field), arrayContainsAny: values)
    }

    /// Finds documents whose field is an array that contains at least one of the given values.
    public class func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter {
        Filter(path, .arrayContainsAny, list: values)
    }

    /// Finds documents whose field equals one of the given values.
    public class func whereField(_ field: String, in values: [Any]) -> Filter {
        whereField(FieldPath(dotted: field), in: values)
    }

    /// Finds documents whose field equals one of the given values.
    public class func whereField(_ path: FieldPath, in values: [Any]) -> Filter {
        Filter(path, .`in`, list: values)
    }

    /// Finds documents whose field exists, is not null and equals none of the given values.
    public class func whereField(_ field: String, notIn values: [Any]) -> Filter {
        whereField(FieldPath(dotted: field), notIn: values)
    }

    /// Finds documents whose field exists, is not null and equals none of the given values.
    public class func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter {
        Filter(path, .notIn, list: values)
    }
}
