// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One alternative of a query's filter in disjunctive form: its statements about fields (SR-92).
struct ListBranch {
    /// Facts about a field, or about the fields in it.
    private final class Field {
        let name: String
        /// The value that the field equals.
        var value: RulesValue?
        var facts: [FieldConstraint.Fact] = []
        var fields: [Field] = []

        init(_ name: String) { self.name = name }

        func field(_ name: String) -> Field {
            if let known = fields.first(where: { equalUTF8($0.name, name) }) { return known }
            let field = Field(name)
            fields.append(field)
            return field
        }

        var resolved: RulesValue {
            if let value { return value }
            if fields.isEmpty { return .constraint(FieldConstraint(facts)) }
            return .map(.open(OpenMap(fields.map { ($0.name, $0.resolved) })))
        }
    }

    private typealias Condition = (path: FieldPathSegments, op: QueryFilter.FieldOperator, value: RulesValue)

    private var conditions: [Condition] = []
    /// The document that the branch names.
    private(set) var document: DocumentKey?

    /// The alternatives of a filter; nil if there are more than `limit`.
    static func all(of filter: QueryFilter?, limit: Int) -> [ListBranch]? {
        guard let filter else { return [ListBranch()] }
        return expand(filter, limit)
    }

    private static func expand(_ filter: QueryFilter, _ limit: Int) -> [ListBranch]? {
        switch filter {
        case .field(let path, let op, let operand):
            let value = RulesValue(operand).truncated
            switch (op, value) {
            case (.in, .list(let list)): return alternatives(path, .equal, list.elements, limit)
            case (.arrayContainsAny, .list(let list)): return alternatives(path, .arrayContains, list.elements, limit)
            default: return [ListBranch((path, op, value))]
            }
        case .or(let filters):
            var branches: [ListBranch] = []
            for filter in filters {
                guard let more = expand(filter, limit), branches.count + more.count <= limit else { return nil }
                branches += more
            }
            return branches
        case .and(let filters):
            var branches = [ListBranch()]
            for filter in filters {
                guard let more = expand(filter, limit), branches.count * more.count <= limit else { return nil }
                branches = branches.flatMap { branch in more.map { branch.and($0) } }
            }
            return branches
        }
    }

    private static func alternatives(
        _ path: FieldPathSegments, _ op: QueryFilter.FieldOperator, _ values: [RulesValue], _ limit: Int
    ) -> [ListBranch]? {
        values.count <= limit ? values.map { ListBranch((path, op, $0)) } : nil
    }

    private init() {}

    private init(_ condition: Condition) {
        guard condition.path.isDocumentID else {
            conditions = [condition]
            return
        }
        if condition.op == .equal, case .path(let path) = condition.value, path.segments.count > 3 {
            document = DocumentKey(trusted: path.segments.dropFirst(3).map(\.text).joined(separator: "/"))
        }
    }

    private func and(_ other: ListBranch) -> ListBranch {
        var result = self
        result.conditions += other.conditions
        result.document = document ?? other.document
        return result
    }

    // MARK: resource

    /// `resource` as the branch determines it: its `data`, and its name if the query names the document (SR-90).
    func resource(_ named: DocumentKey?, database: String) -> OpenMap {
        let data = Field("data")
        for condition in conditions { Self.add(condition, to: data) }
        var entries: [(name: String, value: RulesValue)] = [("data", .map(.open(OpenMap(data.fields.map { ($0.name, $0.resolved) }))))]
        if let named {
            let facts = DocumentFacts(key: named, fields: .empty, database: database)
            for name in [MemberName.id, .name] { entries.append((name.rawValue, facts[name] ?? .null)) }
        }
        return OpenMap(entries)
    }

    private static func add(_ condition: Condition, to data: Field) {
        var field = data
        for name in condition.path.segments { field = field.field(name) }
        switch condition.op {
        case .equal: field.value = condition.value.inDocuments
        case .notEqual:
            if case .null = condition.value { field.facts.append(.notNull) } else { field.facts.append(.notEqual(condition.value)) }
        case .notIn:
            guard case .list(let list) = condition.value else { return }
            for value in list.elements { field.facts.append(.notEqual(value)) }
        case .lessThan: field.facts.append(.bound(.less, condition.value))
        case .lessThanOrEqual: field.facts.append(.bound(.lessOrEqual, condition.value))
        case .greaterThan: field.facts.append(.bound(.greater, condition.value))
        case .greaterThanOrEqual: field.facts.append(.bound(.greaterOrEqual, condition.value))
        case .arrayContains: field.facts.append(.contains(condition.value))
        case .in, .arrayContainsAny: return
        }
    }
}

extension RulesValue {
    /// The value of a field that a query finds equal to this one. Numbers may have the other spelling there, at every depth.
    fileprivate var inDocuments: RulesValue {
        switch self {
        case .int, .float:
            let constraint = FieldConstraint(equalTo: self)
            return constraint.spellings.count > 1 ? .constraint(constraint) : self
        case .list(let list): return .list(.elements(list.elements.map(\.inDocuments)))
        case .map(let map): return .map(.entries(MapEntries(map.entries.map { ($0.name, $0.value.inDocuments) })))
        default: return self
        }
    }

    /// With times as queries compare them, in microseconds.
    fileprivate var truncated: RulesValue {
        switch self {
        case .timestamp(let time): .timestamp(time.truncatedToMicroseconds)
        case .list(let list): .list(.elements(list.elements.map(\.truncated)))
        case .map(let map): .map(.entries(MapEntries(map.entries.map { ($0.name, $0.value.truncated) })))
        default: self
        }
    }
}
