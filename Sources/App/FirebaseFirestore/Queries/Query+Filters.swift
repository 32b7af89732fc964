// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Query {
    /// Finds documents for which a filter holds, in addition to the existing filters.
    public func whereFilter(_ filter: Filter) -> Query {
        if case .success(let node) = filter.node, node.isEmpty { return self }
        return changed { query throws(FirestoreError) in
            let added = try filter.node.get().filter(for: query.query.scope, database: self.firestore.databaseID)
            query.add(added)
        }
    }
}

extension ClientQuery {
    /// Adds a condition to the existing ones.
    mutating func add(_ added: QueryFilter) {
        switch query.filter {
        case nil: query.filter = added
        case .and(let filters)?: query.filter = .and(filters + [added])
        case let filter?: query.filter = .and([filter, added])
        }
    }
}

extension Query {
    /// Finds documents whose field equals a value; `NSNull()` and NaN are allowed.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, isEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isEqualTo: value))
    }

    /// Finds documents whose field equals a value; `NSNull()` and NaN are allowed.
    public func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isEqualTo: value))
    }

    /// Finds documents whose field exists, is not null and differs from a value.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, isNotEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isNotEqualTo: value))
    }

    /// Finds documents whose field exists, is not null and differs from a value.
    public func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isNotEqualTo: value))
    }

    /// Finds documents whose field is less than a value of the same kind.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, isLessThan value: Any) -> Query {
        whereFilter(.whereField(field, isLessThan: value))
    }

    /// Finds documents whose field is less than a value of the same kind.
    public func whereField(_ path: FieldPath, isLessThan value: Any) -> Query {
        whereFilter(.whereField(path, isLessThan: value))
    }

    /// Finds documents whose field is at most a value of the same kind.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isLessThanOrEqualTo: value))
    }

    /// Finds documents whose field is at most a value of the same kind.
    public func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isLessThanOrEqualTo: value))
    }

    /// Finds documents whose field is greater than a value of the same kind.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, isGreaterThan value: Any) -> Query {
        whereFilter(.whereField(field, isGreaterThan: value))
    }

    /// Finds documents whose field is greater than a value of the same kind.
    public func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query {
        whereFilter(.whereField(path, isGreaterThan: value))
    }

    /// Finds documents whose field is at least a value of the same kind.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isGreaterOrEqualTo: value))
    }

    /// Finds documents whose field is at least a value of the same kind.
    public func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isGreaterOrEqualTo: value))
    }

    /// Finds documents whose field is an array that contains a value.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, arrayContains value: Any) -> Query {
        whereFilter(.whereField(field, arrayContains: value))
    }

    /// Finds documents whose field is an array that contains a value.
    public func whereField(_ path: FieldPath, arrayContains value: Any) -> Query {
        whereFilter(.whereField(path, arrayContains: value))
    }

    /// Finds documents whose field is an array that contains at least one of the given values.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query {
        whereFilter(.whereField(field, arrayContainsAny: values))
    }

    /// Finds documents whose field is an array that contains at least one of the given values.
    public func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query {
        whereFilter(.whereField(path, arrayContainsAny: values))
    }

    /// Finds documents whose field equals one of the given values.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, in values: [Any]) -> Query {
        whereFilter(.whereField(field, in: values))
    }

    /// Finds documents whose field equals one of the given values.
    public func whereField(_ path: FieldPath, in values: [Any]) -> Query {
        whereFilter(.whereField(path, in: values))
    }

    /// Finds documents whose field exists, is not null and equals none of the given values.
    ///
    /// The field is given in dotted notation.
    public func whereField(_ field: String, notIn values: [Any]) -> Query {
        whereFilter(.whereField(field, notIn: values))
    }

    /// Finds documents whose field exists, is not null and equals none of the given values.
    public func whereField(_ path: FieldPath, notIn values: [Any]) -> Query {
        whereFilter(.whereField(path, notIn: values))
    }
}
