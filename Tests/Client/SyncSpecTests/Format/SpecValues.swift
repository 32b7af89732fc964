// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire

/// Values, documents and queries of the scenarios (SY-210 … SY-213).
enum SpecValues {
    static let database = DatabaseID(projectID: "test-project")
    private static let deletion = "<DELETE>"

    /// SY-211
    static func value(_ node: JSONNode) throws -> Value {
        switch node.json {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .number(let text):
            if let whole = Int64(text) { return .integer(whole) }
            let number = try node.double()
            return Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .string(let text):
            if text == deletion { throw node.failure("only a direct value of userPatch can be \(deletion)") }
            return .string(text)
        case .array: return .array(try node.elements().map(value))
        case .object: return .map(try map(node))
        }
    }

    private static func map(_ node: JSONNode) throws -> FieldMap {
        var map = FieldMap()
        for (name, node) in try node.entries() {
            guard map[name] == nil else { throw node.failure("the field occurs twice") }
            map[name] = try value(node)
        }
        return map
    }

    static func fields(_ node: JSONNode) throws -> FieldBytes { FieldBytes(try map(node)) }

    // MARK: Writes

    static func set(_ node: JSONNode) throws -> Write {
        let parts = try node.exactly(2)
        return Write(key: try key(parts[0]), operation: .set(try fields(parts[1])))
    }

    static func patch(_ node: JSONNode) throws -> Write {
        let parts = try node.exactly(2)
        var map = FieldMap()
        var mask: [FieldPathSegments] = []
        for (name, node) in try parts[1].entries() {
            let path = try PathCheck.fieldPath(dotted: name)
            mask.append(path)
            if case .string(deletion) = node.json { continue }
            map[path] = try value(node)
        }
        return Write(key: try key(parts[0]), operation: .patch(FieldBytes(map), mask: mask), precondition: .exists(true))
    }

    static func deletion(of node: JSONNode) throws -> Write { Write(key: try key(node), operation: .delete) }

    static func key(_ node: JSONNode) throws -> DocumentKey { try PathCheck.documentKey(try node.string()) }

    // MARK: Queries

    /// SY-213: a path, or an object. A path of a document is a document.
    static func query(_ node: JSONNode) throws -> ClientTarget {
        if case .string(let path) = node.json {
            return isDocument(path)
                ? .document(try PathCheck.documentKey(path))
                : .query(ClientQuery(StructuredQuery(scope: .collection(try PathCheck.collectionPath(path)))))
        }
        return try SpecMembers.read(node) { members in
            let path = try members.require("path").string()
            let group = members.take("collectionGroup")
            let filters = try members.take("filters")?.elements() ?? []
            let orders = try members.take("orderBys")?.elements() ?? []
            let limit = members.take("limit")
            let limitType = members.take("limitType")
            if group == nil, isDocument(path) {
                guard filters.isEmpty, orders.isEmpty, limit == nil else {
                    throw node.failure("a document has no filters, orders and limit")
                }
                return .document(try PathCheck.documentKey(path))
            }
            var query = ClientQuery(StructuredQuery(scope: try scope(path, group: try group?.string())))
            for filter in filters { try add(filter, to: &query.query) }
            query.query.orders = try orders.map(order)
            if let limit { query.query.limit = try limit.count() }
            switch try limitType?.string() {
            case nil, "LimitToFirst": break
            case "LimitToLast": query.limitsToLast = true
            default: throw node.failure("limitType is LimitToFirst or LimitToLast")
            }
            guard limitType == nil || limit != nil else { throw node.failure("limitType without limit") }
            return .query(query)
        }
    }

    private static func isDocument(_ path: String) -> Bool {
        !path.isEmpty && path.utf8.split(separator: UInt8(ascii: "/")).count.isMultiple(of: 2)
    }

    private static func scope(_ path: String, group: String?) throws -> QueryScope {
        guard let group else { return .collection(try PathCheck.collectionPath(path)) }
        try PathCheck.collectionID(group)
        return .collectionGroup(id: group, under: path.isEmpty ? nil : try PathCheck.documentKey(path))
    }

    private static let operators: [String: QueryFilter.FieldOperator] = [
        "<": .lessThan, "<=": .lessThanOrEqual, "==": .equal, "!=": .notEqual, ">": .greaterThan, ">=": .greaterThanOrEqual,
        "array-contains": .arrayContains, "array-contains-any": .arrayContainsAny, "in": .in, "not-in": .notIn,
    ]

    /// As `whereFilter` of the public API combines them.
    private static func add(_ node: JSONNode, to query: inout StructuredQuery) throws {
        let parts = try node.exactly(3)
        let path = try PathCheck.fieldPath(dotted: try parts[0].string())
        guard let op = operators[try parts[1].string()] else { throw parts[1].failure("the operator of a filter is expected") }
        var operand = try value(parts[2])
        if path.isDocumentID { operand = try reference(operand, in: query.scope, at: parts[2]) }
        switch (op, operand) {
        case (.in, .array), (.notIn, .array), (.arrayContainsAny, .array): break
        case (.in, _), (.notIn, _), (.arrayContainsAny, _): throw parts[2].failure("an array is expected")
        default: break
        }
        let added = QueryFilter.field(path, op, ValueBytes(operand))
        switch query.filter {
        case nil: query.filter = added
        case .and(let filters)?: query.filter = .and(filters + [added])
        case let filter?: query.filter = .and([filter, added])
        }
    }

    private static func reference(_ operand: Value, in scope: QueryScope, at node: JSONNode) throws -> Value {
        switch operand {
        case .array(let elements): return .array(try elements.map { try reference($0, in: scope, at: node) })
        case .string(let id):
            guard case .collection(let collection) = scope, !id.contains("/") else {
                return .reference(database.name(of: try PathCheck.documentKey(id)))
            }
            return .reference(database.name(of: DocumentKey(collection: collection, id: id)))
        default: throw node.failure("the id of a document is expected")
        }
    }

    private static func order(_ node: JSONNode) throws -> SortOrder {
        let parts = try node.exactly(2)
        let path = try PathCheck.fieldPath(dotted: try parts[0].string())
        switch try parts[1].string() {
        case "asc": return SortOrder(path: path)
        case "desc": return SortOrder(path: path, direction: .descending)
        default: throw parts[1].failure("asc or desc is expected")
        }
    }

    // MARK: Targets

    /// The target of a query, in the one spelling in which targets are compared (SY-4): with its implicit orders.
    static func target(of query: ClientTarget) -> SyncTarget {
        switch query {
        case .document(let key): .documents([key])
        case .query(let query): canonical(.query(query.serviceQuery))
        }
    }

    static func canonical(_ target: SyncTarget) -> SyncTarget {
        guard case .query(var query) = target else { return target }
        query.orders = query.effectiveOrders
        if case .and(let filters)? = query.filter, filters.count <= 1 { query.filter = filters.first }
        return .query(query)
    }
}

/// A document of a scenario (SY-212). Its create time is sent by the fake server and not compared.
struct SpecDocument {
    var key: DocumentKey
    var version: DocumentVersion
    var createTime: DocumentVersion
    /// nil: missing.
    var fields: FieldBytes?
    var hasLocalMutations: Bool
    var hasCommittedMutations: Bool

    init(_ node: JSONNode) throws {
        self = try SpecMembers.read(node) { members in try SpecDocument(&members) }
    }

    private init(_ members: inout SpecMembers) throws {
        key = try SpecValues.key(try members.require("key"))
        version = try members.require("version").version()
        createTime = try members.take("createTime")?.version() ?? .none
        let value = try members.require("value")
        if case .null = value.json { fields = nil } else { fields = try SpecValues.fields(value) }
        hasLocalMutations = false
        hasCommittedMutations = false
        guard let options = members.take("options") else { return }
        (hasLocalMutations, hasCommittedMutations) = try SpecMembers.read(options) { options in
            (
                try options.take("hasLocalMutations")?.boolean() ?? false,
                try options.take("hasCommittedMutations")?.boolean() ?? false
            )
        }
    }

    /// As the fake server reports it.
    var document: Document? {
        fields.map { Document(key: key, createTime: createTime, updateTime: version, fields: $0) }
    }
}
