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
        private(set) var fields: [Field] = []
        /// The positions of the fields, where there are many: a path of one name compares by bytes.
        private var positions: [FieldPathSegments: Int] = [:]

        private static let searched = 16

        init(_ name: String) { self.name = name }

        func field(_ name: String) -> Field {
            if positions.isEmpty {
                if let known = fields.first(where: { equalUTF8($0.name, name) }) { return known }
            } else if let position = positions[FieldPathSegments(name)] {
                return fields[position]
            }
            let field = Field(name)
            fields.append(field)
            if !positions.isEmpty {
                positions[FieldPathSegments(name)] = fields.count - 1
            } else if fields.count > Self.searched {
                for (position, field) in fields.enumerated() { positions[FieldPathSegments(field.name)] = position }
            }
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

    /// Why there are no alternatives to prove.
    enum Refusal: Error {
        case tooMany
        /// The caller no longer waits.
        case abandoned(FirestoreError)
    }

    /// The alternatives of a filter. Takes time in proportion to the filter and to `limit`, and looks now and then whether the caller still
    /// waits.
    static func all(of filter: QueryFilter?, limit: Int, patience: Patience = .endless) throws(Refusal) -> [ListBranch] {
        var expansion = Expansion(limit: limit, patience: patience)
        if let filter { try expansion.restrict(to: filter) }
        return expansion.branches
    }

    /// Alternatives that conditions restrict one after the other, in place.
    private struct Expansion {
        let limit: Int
        let patience: Patience
        private(set) var branches = [ListBranch()]
        private var steps = 0

        init(limit: Int, patience: Patience) {
            self.limit = limit
            self.patience = patience
        }

        mutating func restrict(to filter: QueryFilter) throws(Refusal) {
            WorkCounter.add()
            steps += 1
            if steps % 256 == 0 {
                do throws(FirestoreError) { try patience.check() } catch { throw .abandoned(error) }
            }
            switch filter {
            case .field(let path, let op, let operand):
                let value = RulesValue(operand).truncated
                switch (op, value) {
                case (.in, .list(let list)): try choose(list.elements.map { (path, .equal, $0) })
                case (.arrayContainsAny, .list(let list)): try choose(list.elements.map { (path, .arrayContains, $0) })
                default: add((path, op, value))
                }
            case .or(let filters) where filters.count == 1: try restrict(to: filters[0])
            case .or(let filters):
                var alternatives: [ListBranch] = []
                for filter in filters {
                    var part = self
                    part.branches = branches
                    try part.restrict(to: filter)
                    steps = part.steps
                    alternatives += part.branches
                    guard alternatives.count <= limit else { throw .tooMany }
                }
                branches = alternatives
            case .and(let filters):
                for filter in filters { try restrict(to: filter) }
            }
        }

        /// Restricts every alternative to one of several conditions.
        private mutating func choose(_ conditions: [Condition]) throws(Refusal) {
            guard conditions.count != 1 else { return add(conditions[0]) }
            guard branches.count * conditions.count <= limit else { throw .tooMany }
            branches = branches.flatMap { branch in
                conditions.map { condition in
                    var branch = branch
                    branch.add(condition)
                    return branch
                }
            }
        }

        private mutating func add(_ condition: Condition) {
            for place in branches.indices { branches[place].add(condition) }
        }
    }

    private init() {}

    private mutating func add(_ condition: Condition) {
        guard condition.path.isDocumentID else { return conditions.append(condition) }
        if document == nil, condition.op == .equal, case .path(let path) = condition.value, path.segments.count > 3 {
            document = DocumentKey(trusted: path.segments.dropFirst(3).map(\.text).joined(separator: "/"))
        }
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
