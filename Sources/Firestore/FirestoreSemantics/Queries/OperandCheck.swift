// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Checks the operands of filters: valid values, and lists of a legal length where the operator requires one (QR-17,
/// QR-21).
struct OperandCheck {
    let database: DatabaseID?

    /// The maximum nesting: a query has at most a hundred components (QR-26).
    private static let deepest = Limits.queryComponents

    /// Checks every operand at any depth, and that every OR has alternatives (QR-15).
    func check(_ filter: QueryFilter, depth: Int = 0) throws(FirestoreError) {
        guard depth <= Self.deepest else {
            throw .invalidArgument("the filter nests AND and OR more than \(Self.deepest) levels deep; flatten it")
        }
        switch filter {
        case .field(let path, let op, let operand):
            do { try check(path, op, operand) } catch { throw error.located(at: "filter on \(path.quoted)") }
        case .or(let filters) where filters.isEmpty:
            throw .invalidArgument("an OR filter needs at least one alternative")
        case .and(let filters), .or(let filters):
            for filter in filters { try check(filter, depth: depth + 1) }
        }
    }

    private func check(
        _ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ operand: ValueBytes
    ) throws(FirestoreError) {
        defer { withExtendedLifetime(operand) {} }
        try QueryCheck.checkPath(path)
        guard let limit = op.listLimit else {
            try checkValue(operand, path: path, op: op)
            return
        }
        guard let elements = operand.view.elements else {
            throw .invalidArgument("the operand of \(op.name) must be an array of values")
        }
        let count = elements.reduce(0) { count, _ in count + 1 }
        guard count > 0 else {
            throw .invalidArgument("the array of \(op.name) is empty; give at least one value")
        }
        guard count <= limit else {
            throw .invalidArgument("\(op.name) takes at most \(limit) values, here are \(count)")
        }
        for element in elements { try checkValue(ValueBytes(element, of: operand), path: path, op: op) }
    }

    private func checkValue(
        _ value: ValueBytes, path: FieldPathSegments, op: QueryFilter.FieldOperator
    ) throws(FirestoreError) {
        try DocumentCheck.check(value, in: "filter on \(path.quoted)")
        guard path.isDocumentID else { return }
        if op == .arrayContains || op == .arrayContainsAny {
            throw .invalidArgument("\(op.name) cannot be used on the document id")
        }
        try checkReference(value)
    }

    /// A value for a `__name__` column must name a document of this database (QR-17, QR-37).
    func checkReference(_ value: ValueBytes) throws(FirestoreError) {
        defer { withExtendedLifetime(value) {} }
        guard let bytes = value.view.referenceBytes, let reference = ReferenceName(bytes) else {
            throw .invalidArgument("the document id is compared with references to documents only")
        }
        if let database, !reference.isIn(database) {
            throw .invalidArgument("the reference compared with the document id is of another database")
        }
    }
}

extension QueryFilter.FieldOperator {
    /// The maximum length of the list; nil for operators without a list.
    var listLimit: Int? {
        switch self {
        case .in, .arrayContainsAny: Limits.inValues
        case .notIn: Limits.notInValues
        default: nil
        }
    }

    /// The name in the documentation and on the wire.
    package var name: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .equal: "=="
        case .notEqual: "!="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .arrayContains: "array-contains"
        case .arrayContainsAny: "array-contains-any"
        case .in: "in"
        case .notIn: "not-in"
        }
    }
}

extension ValueBytes {
    /// A part of `owner`'s bytes as an owning value; copies nothing.
    init(_ part: ValueView, of owner: ValueBytes) {
        self.init(canonical: ByteSlice(owner: owner.bytes.owner, start: part.start, count: part.count))
    }
}
