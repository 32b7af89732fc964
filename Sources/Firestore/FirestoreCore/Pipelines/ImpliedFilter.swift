// SPDX-License-Identifier: Apache-2.0

/// A classic filter that holds for every row for which conditions are true.
///
/// It may hold for more rows. Security rules that grant it grant the rows, and the planner finds the rows among those that match it. Classic
/// filters and expressions differ: a missing field is different from every value in an expression and matches no classic filter, so that
/// `not_equal` implies one only where the conditions also demand that the field exists. What this does not recognize implies nothing.
package struct ImpliedFilter: Sendable, Hashable {
    /// nil if the conditions imply nothing.
    package let filter: QueryFilter?

    /// - Parameters:
    ///   - conditions: Expressions that are true for every row, as of stages `where` that follow one another.
    ///   - database: The database that references without a database are in.
    package init(_ conditions: [PipelineArgument], in database: DatabaseID) {
        filter = FilterReader(database: database).all(conditions, existing: [])
    }
}

/// Reads conditions as far as they have a form in classic filters.
private struct FilterReader {
    let database: DatabaseID

    // MARK: and, or

    /// The filter that all conditions imply together.
    func all(_ conditions: [PipelineArgument], existing: Set<FieldPathSegments>) -> QueryFilter? {
        let conditions = conditions.flatMap(conjuncts)
        var existing = existing
        for condition in conditions {
            if let field = existingField(condition) { existing.insert(field) }
        }
        let filters = conditions.compactMap { filter($0, existing: existing) }
        return filters.count > 1 ? .and(filters) : filters.first
    }

    private func conjuncts(_ condition: PipelineArgument) -> [PipelineArgument] {
        guard case .function(let function) = condition, function.name == "and" else { return [condition] }
        return function.arguments.flatMap(conjuncts)
    }

    private func existingField(_ condition: PipelineArgument) -> FieldPathSegments? {
        guard case .function(let function) = condition, function.name == "exists", function.arguments.count == 1 else { return nil }
        return field(function.arguments[0])
    }

    private func filter(_ condition: PipelineArgument, existing: Set<FieldPathSegments>) -> QueryFilter? {
        guard case .function(let function) = condition else { return nil }
        if function.name == "or" {
            var filters: [QueryFilter] = []
            for argument in function.arguments {
                guard let filter = all([argument], existing: existing) else { return nil }
                filters.append(filter)
            }
            return filters.isEmpty ? nil : .or(filters)
        }
        guard function.arguments.count == 2 else { return nil }
        return comparison(function.name, function.arguments[0], function.arguments[1], existing)
    }

    // MARK: Comparisons

    private static let mirrored = [
        "equal": "equal", "not_equal": "not_equal", "less_than": "greater_than", "greater_than": "less_than",
        "less_than_or_equal": "greater_than_or_equal", "greater_than_or_equal": "less_than_or_equal",
    ]

    private func comparison(
        _ name: String, _ left: PipelineArgument, _ right: PipelineArgument, _ existing: Set<FieldPathSegments>
    ) -> QueryFilter? {
        if let path = field(left), let value = constant(right) { return comparison(name, path, value, existing) }
        if let path = field(right), let value = constant(left), let name = Self.mirrored[name] {
            return comparison(name, path, value, existing)
        }
        return nil
    }

    private func comparison(
        _ name: String, _ path: FieldPathSegments, _ value: Value, _ existing: Set<FieldPathSegments>
    ) -> QueryFilter? {
        switch name {
        case "equal": return .field(path, .equal, ValueBytes(value))
        case "not_equal": return existing.contains(path) ? different(path, value) : nil
        case "less_than": return value.isOrdered ? .field(path, .lessThan, ValueBytes(value)) : nil
        case "greater_than": return value.isOrdered ? .field(path, .greaterThan, ValueBytes(value)) : nil
        case "less_than_or_equal": return orEqual(path, .lessThanOrEqual, value)
        case "greater_than_or_equal": return orEqual(path, .greaterThanOrEqual, value)
        case "equal_any":
            guard case .array(let elements) = value, !elements.isEmpty else { return nil }
            return oneOf(path, elements)
        // Lists never contain null or NaN for a classic filter.
        case "array_contains": return value.isOrdered ? .field(path, .arrayContains, ValueBytes(value)) : nil
        default: return nil
        }
    }

    /// Null is less than or equal to null, and to nothing else.
    private func orEqual(_ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ value: Value) -> QueryFilter? {
        if value.isNull { return .field(path, .equal, ValueBytes(.null)) }
        return value.isOrdered ? .field(path, op, ValueBytes(value)) : nil
    }

    /// A field that exists: null is different from every other value, and the classic filter never matches it.
    private func different(_ path: FieldPathSegments, _ value: Value) -> QueryFilter {
        let different = QueryFilter.field(path, .notEqual, ValueBytes(value))
        return value.isNull ? different : .or([different, .field(path, .equal, ValueBytes(.null))])
    }

    /// Null and NaN in the list of a classic filter match nothing.
    private func oneOf(_ path: FieldPathSegments, _ elements: [Value]) -> QueryFilter {
        let plain = elements.filter(\.isOrdered)
        var filters: [QueryFilter] = plain.isEmpty ? [] : [.field(path, .in, ValueBytes(.array(plain)))]
        filters += elements.filter { !$0.isOrdered }.map { .field(path, .equal, ValueBytes($0)) }
        return filters.count == 1 ? filters[0] : .or(filters)
    }

    // MARK: Operands

    /// A stored field, or the name of the document.
    private func field(_ argument: PipelineArgument) -> FieldPathSegments? {
        guard case .field(let path) = argument else { return nil }
        let first = path.segments[0].utf8
        let isReserved = first.count >= 4 && first.starts(with: "__".utf8) && first.suffix(2).elementsEqual("__".utf8)
        return isReserved && !path.isDocumentID ? nil : path
    }

    /// A constant, also where it is written as a call of `array`. A reference that begins with a slash is one of this database; inside of
    /// lists, where nothing completes it, it is not looked at.
    private func constant(_ argument: PipelineArgument) -> Value? {
        switch argument {
        case .constant(let bytes):
            switch try? bytes.value {
            case .reference(let name)? where name.utf8.first == UInt8(ascii: "/"):
                return .reference(database.documentsPrefix + String(Substring(name.utf8.dropFirst())))
            case .array(let elements)? where elements.contains(where: \.isPath): return nil
            case let value: return value
            }
        case .function(let function) where function.name == "array":
            var elements: [Value] = []
            for argument in function.arguments {
                guard let element = constant(argument) else { return nil }
                elements.append(element)
            }
            return .array(elements)
        default: return nil
        }
    }
}

extension Value {
    /// Whether it is a reference without a database.
    fileprivate var isPath: Bool { if case .reference(let name) = self { !name.utf8.starts(with: "projects/".utf8) } else { false } }

    fileprivate var isNull: Bool { if case .null = self { true } else { false } }

    /// Whether classic filters treat it like any other value: neither null nor NaN.
    fileprivate var isOrdered: Bool {
        switch self {
        case .null: false
        case .double(let number): !number.isNaN
        default: true
        }
    }
}
