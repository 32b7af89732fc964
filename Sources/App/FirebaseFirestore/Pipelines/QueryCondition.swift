// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The meaning that the conditions of a query have in a pipeline.
enum ConditionMeaning {
    /// Each comparison becomes the one of the same name, which may be true for other documents: those that exclude values do not demand
    /// that the field exists. The Apple SDK translates queries like this.
    case ofPipelines
    /// The condition finds the documents that the query finds.
    case ofQueries
}

/// A filter of a query as a condition.
struct QueryCondition {
    let expression: any BooleanExpression

    init(_ filter: QueryFilter, meaning: ConditionMeaning) {
        switch meaning {
        case .ofPipelines: expression = Self.expression(filter) { $0.translated }
        case .ofQueries:
            // A query sorts by the fields of its inequalities, and so leaves out documents without them, whichever alternative holds.
            let sorted = Set(filter.inequalityFieldsOfAlternatives).filter { !$0.isDocumentID }.sorted()
            let conditions = [Self.expression(filter) { $0.equivalent }] + sorted.map { Field($0).exists() }
            expression = BooleanContent(all: conditions, of: "and")
        }
    }

    private static func expression(
        _ filter: QueryFilter, _ comparison: (FieldComparison) -> any BooleanExpression
    ) -> any BooleanExpression {
        switch filter {
        case .and(let filters): BooleanContent(all: filters.map { expression($0, comparison) }, of: "and")
        case .or(let filters): BooleanContent(all: filters.map { expression($0, comparison) }, of: "or")
        case .field(let path, let op, let value): comparison(FieldComparison(Field(path), op, value))
        }
    }
}

extension QueryFilter {
    /// The fields of inequalities that need not hold where the filter does.
    fileprivate var inequalityFieldsOfAlternatives: [FieldPathSegments] {
        switch self {
        case .field: []
        case .and(let filters): filters.flatMap(\.inequalityFieldsOfAlternatives)
        case .or: inequalityFields
        }
    }
}

/// A comparison of a field with an operand that is already encoded.
private struct FieldComparison {
    private let field: Field
    private let op: QueryFilter.FieldOperator
    private let value: ValueBytes

    init(_ field: Field, _ op: QueryFilter.FieldOperator, _ value: ValueBytes) {
        self.field = field
        self.op = op
        self.value = value
    }

    /// The comparison of the same name, of a field that exists. Those that exclude values do not demand it, as in the Apple SDK.
    var translated: any BooleanExpression {
        switch op {
        case .notEqual, .notIn: comparison(with: value)
        default: field.exists() && comparison(with: value)
        }
    }

    /// The condition that is true for the documents that the query finds.
    ///
    /// What differs are the exclusion of values, which a missing field and null do not fulfil in a query, and null and NaN as operands.
    var equivalent: any BooleanExpression {
        switch op {
        case .equal: return comparison(with: value)
        case .notEqual: return value.isNull ? field.exists() && comparison(with: value) : isNotNull && comparison(with: value)
        case .notIn: return elements.contains { ValueBytes($0).isNull } ? Self.never : isNotNull && comparison(with: value)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .arrayContains:
            return value.isNullOrNaN ? Self.never : comparison(with: value)
        case .in, .arrayContainsAny:
            let found = elements.filter { !ValueBytes($0).isNullOrNaN }
            return found.isEmpty ? Self.never : comparison(with: ValueBytes(.array(found)))
        }
    }

    private var isNotNull: any BooleanExpression { field.exists() && field.notEqual(Constant.nil) }

    /// The values of a list.
    private var elements: [Value] { if case .array(let elements)? = try? value.value { elements } else { [] } }

    private static let never = BooleanContent(content: ExpressionContent(Value.boolean(false)))

    private func comparison(with value: ValueBytes) -> any BooleanExpression {
        let operand = StoredConstant(value)
        return switch op {
        case .equal: field.equal(operand)
        case .notEqual: field.notEqual(operand)
        case .lessThan: field.lessThan(operand)
        case .lessThanOrEqual: field.lessThanOrEqual(operand)
        case .greaterThan: field.greaterThan(operand)
        case .greaterThanOrEqual: field.greaterThanOrEqual(operand)
        case .arrayContains: field.arrayContains(operand)
        case .arrayContainsAny: field.arrayContainsAny(operand)
        case .in: field.equalAny(operand)
        case .notIn: field.notEqualAny(operand)
        }
    }
}

/// A constant that is already encoded.
struct StoredConstant: ContentExpression {
    let content: ExpressionContent

    init(_ value: ValueBytes) { content = ExpressionContent(.constant(value)) }
}

extension ValueBytes {
    var isNull: Bool {
        defer { withExtendedLifetime(self) {} }
        return view.isNull
    }

    /// Whether comparisons with the value have a meaning of their own.
    var isNullOrNaN: Bool {
        defer { withExtendedLifetime(self) {} }
        return view.isNull || view.double?.isNaN == true
    }
}

extension BooleanContent {
    /// A composite of conditions. One of a single condition is that condition, and one of none does not filter.
    init(all conditions: [any BooleanExpression], of name: String) {
        let contents = conditions.map { ExpressionContent(of: $0) }
        switch contents.count {
        case 0: self.init(content: ExpressionContent(Value.boolean(true)))
        case 1: self.init(content: contents[0])
        default: self.init(content: ExpressionContent(call: name, contents))
        }
    }
}

extension Field {
    init(_ path: FieldPathSegments) { self.init(FieldPath(.success(path))) }
}
