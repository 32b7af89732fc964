// SPDX-License-Identifier: Apache-2.0

/// A classic filter that holds for every row for which conditions are true.
///
/// It may hold for more rows. Security rules that grant it grant the rows, and the planner finds the rows among those that match it.
/// Classic filters and expressions differ: a missing field is different from every value in an expression and matches no classic filter,
/// so that `not_equal` implies one only where the conditions also demand that the field exists. What this does not recognize implies
/// nothing.
package struct ImpliedFilter: Sendable, Hashable {
    /// The functions that imply something.
    package enum Vocabulary: Sendable {
        /// Comparisons: what security rules recognize.
        case comparisons
        /// Also functions of texts and arrays that indexes can answer.
        case everything
    }

    /// nil if the conditions imply nothing.
    package let filter: QueryFilter?
    /// Whether the conditions are true for every document that matches the filter; false if that is not known.
    package let isExact: Bool
    /// Fields that every row has because a condition demands it.
    package let existing: Set<FieldPathSegments>

    /// - Parameters:
    ///   - conditions: Expressions that are true for every row, as of stages `where` that follow one another.
    ///   - vocabulary: The functions that are looked at.
    ///   - database: The database that references without a database are in.
    package init(_ conditions: [PipelineArgument], of vocabulary: Vocabulary = .comparisons, in database: DatabaseID) {
        let reader = FilterReader(vocabulary: vocabulary, database: database)
        let parts = reader.conjuncts(of: conditions)
        existing = reader.existing(parts)
        let implied = reader.all(parts, existing: Existing(fields: existing))
        filter = implied?.filter
        isExact = implied?.isExact ?? conditions.isEmpty
    }
}

/// A filter, and whether it is all that a condition says.
private struct Implied {
    var filter: QueryFilter
    var isExact = false

    init(_ filter: QueryFilter, isExact: Bool = false) { (self.filter, self.isExact) = (filter, isExact) }
}

/// The fields that a condition and those around it demand: a set per level, because alternatives are many and levels are few.
private final class Existing {
    private let fields: Set<FieldPathSegments>
    private let outer: Existing?

    init(fields: Set<FieldPathSegments>, in outer: Existing? = nil) {
        self.fields = fields
        self.outer = outer
    }

    func and(_ more: Set<FieldPathSegments>) -> Existing { more.isEmpty ? self : Existing(fields: more, in: self) }

    func contains(_ path: FieldPathSegments) -> Bool { fields.contains(path) || outer?.contains(path) == true }
}

/// Reads conditions as far as they have a form in classic filters.
private struct FilterReader {
    let vocabulary: ImpliedFilter.Vocabulary
    let database: DatabaseID

    // MARK: and, or

    /// The filter that all conditions imply together, which are not conjunctions themselves.
    func all(_ conditions: [PipelineArgument], existing: Existing) -> Implied? {
        let parts = conditions.map { implied($0, existing: existing) }
        let known = parts.compactMap(\.self)
        guard let first = known.first else { return nil }
        return Implied(known.count > 1 ? .and(known.map(\.filter)) : first.filter, isExact: parts.allSatisfy { $0?.isExact ?? false })
    }

    /// The fields that conditions demand.
    func existing(_ conditions: [PipelineArgument]) -> Set<FieldPathSegments> { Set(conditions.compactMap(existingField)) }

    /// The conditions that hold together, in order, however they are nested.
    func conjuncts(of conditions: [PipelineArgument]) -> [PipelineArgument] {
        var result: [PipelineArgument] = []
        for condition in conditions { addConjuncts(of: condition, to: &result) }
        return result
    }

    private func addConjuncts(of condition: PipelineArgument, to result: inout [PipelineArgument]) {
        WorkCounter.add()
        guard case .function(let function) = condition, function.name == "and" else { return result.append(condition) }
        for argument in function.arguments { addConjuncts(of: argument, to: &result) }
    }

    private func existingField(_ condition: PipelineArgument) -> FieldPathSegments? {
        guard case .function(let function) = condition, function.name == "exists", function.arguments.count == 1 else { return nil }
        return field(function.arguments[0])
    }

    private func implied(_ condition: PipelineArgument, existing: Existing) -> Implied? {
        guard case .function(let function) = condition else { return nil }
        if function.name == "or" {
            var parts: [Implied] = []
            for argument in function.arguments {
                let conditions = conjuncts(of: [argument])
                guard let part = all(conditions, existing: existing.and(self.existing(conditions))) else { return nil }
                parts.append(part)
            }
            return parts.isEmpty ? nil : Implied(.or(parts.map(\.filter)), isExact: parts.allSatisfy(\.isExact))
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
        _ name: String, _ left: PipelineArgument, _ right: PipelineArgument, _ existing: Existing
    ) -> Implied? {
        var implied: Implied?
        let path: FieldPathSegments
        if let left = field(left), let value = constant(right) {
            path = left
            implied = comparison(name, left, value, existing)
            if implied == nil, vocabulary == .everything { implied = search(name, left, value) }
        } else if let right = field(right), let value = constant(left), let name = Self.mirrored[name] {
            path = right
            implied = comparison(name, right, value, existing)
        } else {
            return nil
        }
        // Names of documents are compared in another way.
        if path.isDocumentID { implied?.isExact = false }
        return implied
    }

    private func comparison(
        _ name: String, _ path: FieldPathSegments, _ value: Value, _ existing: Existing
    ) -> Implied? {
        switch name {
        case "equal": return Implied(.field(path, .equal, ValueBytes(value)), isExact: value.isScalar)
        case "not_equal": return existing.contains(path) ? Implied(different(path, value)) : nil
        case "less_than": return ordered(path, .lessThan, value)
        case "greater_than": return ordered(path, .greaterThan, value)
        case "less_than_or_equal": return orEqual(path, .lessThanOrEqual, value)
        case "greater_than_or_equal": return orEqual(path, .greaterThanOrEqual, value)
        case "equal_any":
            guard case .array(let elements) = value, !elements.isEmpty else { return nil }
            return Implied(oneOf(path, elements), isExact: elements.allSatisfy(\.isScalar))
        // Lists never contain null or NaN for a classic filter.
        case "array_contains": return ordered(path, .arrayContains, value)
        default: return nil
        }
    }

    private func ordered(_ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ value: Value) -> Implied? {
        value.isOrdered ? Implied(.field(path, op, ValueBytes(value)), isExact: value.isScalar) : nil
    }

    /// Null is less than or equal to null, and to nothing else.
    private func orEqual(_ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ value: Value) -> Implied? {
        if value.isNull { return Implied(.field(path, .equal, ValueBytes(.null)), isExact: true) }
        return ordered(path, op, value)
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

    // MARK: Texts and lists

    private func search(_ name: String, _ path: FieldPathSegments, _ value: Value) -> Implied? {
        switch (name, value) {
        case ("starts_with", .string(let prefix)): return texts(path, from: prefix, isExact: true)
        case ("like", .string(let pattern)):
            let prefix = LiteralPrefix.like(pattern)
            return prefix.isEmpty ? nil : texts(path, from: prefix, isExact: pattern == prefix + "%")
        case ("regex_contains", .string(let pattern)), ("regex_match", .string(let pattern)):
            return LiteralPrefix.regularExpression(pattern).flatMap { texts(path, from: $0, isExact: false) }
        case ("array_contains_any", .array(let elements)):
            guard !elements.isEmpty, elements.allSatisfy(\.isOrdered) else { return nil }
            return Implied(.field(path, .arrayContainsAny, ValueBytes(value)), isExact: elements.allSatisfy(\.isScalar))
        case ("array_contains_all", .array(let elements)):
            guard let element = elements.first(where: \.isOrdered) else { return nil }
            return Implied(.field(path, .arrayContains, ValueBytes(element)))
        default: return nil
        }
    }

    /// The strings that begin with a text: those from it on and before the next text of its length.
    private func texts(_ path: FieldPathSegments, from prefix: String, isExact: Bool) -> Implied {
        let lower = QueryFilter.field(path, .greaterThanOrEqual, ValueBytes(.string(prefix)))
        guard let next = LiteralPrefix.next(after: prefix) else { return Implied(lower, isExact: isExact) }
        return Implied(.and([lower, .field(path, .lessThan, ValueBytes(.string(next)))]), isExact: isExact)
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

    /// Whether equality of such values means the same in filters and in expressions.
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .map, .reference: false
        default: true
        }
    }

    /// Whether classic filters treat it like any other value: neither null nor NaN.
    fileprivate var isOrdered: Bool {
        switch self {
        case .null: false
        case .double(let number): !number.isNaN
        default: true
        }
    }
}
