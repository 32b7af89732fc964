// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Random lists with all that a rule can see of them: where the documents are, who asks, the shape of the query, several matches, and
/// documents that conditions read.
struct RandomRequests {
    var lists: RandomLists

    init(seed: UInt64) { lists = RandomLists(seed: seed) }

    // MARK: Where

    /// A location of documents, how a query names it, and matches that may cover it, each with its variables.
    struct Place: Sendable {
        let scope: QueryScope
        let collections: [String]
        let matches: [(pattern: String, variables: [String])]
    }

    static let places = [
        Place(
            scope: .collection(CollectionPath(trusted: "c")), collections: ["c"],
            matches: [
                ("/c/{x}", ["x"]), ("/c/{x}", ["x"]), ("/c/{x=**}", []), ("/{k}/{x}", ["k", "x"]), ("/{all=**}", []), ("/{all=**}/{x}", ["x"]), ("/{all=**}/c/{x}", ["x"]), ("/d/{x}", ["x"]), ("/c/1", []),
            ]),
        Place(
            scope: .collection(CollectionPath(trusted: "p/1/c")), collections: ["p/1/c"],
            matches: [
                ("/p/{k}/c/{x}", ["k", "x"]), ("/p/1/c/{x}", ["x"]), ("/{o}/{k}/c/{x}", ["o", "k", "x"]), ("/p/{k}/{all=**}", ["k"]), ("/{all=**}", []), ("/{all=**}/c/{x}", ["x"]),
                ("/p/{k}/{o}/{x}", ["k", "o", "x"]), ("/p/2/c/{x}", ["x"]), ("/p/1/c/1", []),
            ]),
        Place(
            scope: .collectionGroup(id: "c", under: nil), collections: ["c", "p/1/c", "p/2/c", "p/1/q/2/c"],
            matches: [
                ("/{all=**}/c/{x}", ["x"]), ("/{all=**}/c/{x}", ["x"]), ("/{all=**}", []), ("/{all=**}/{x}", ["x"]), ("/c/{x}", ["x"]), ("/p/{k}/c/{x}", ["k", "x"]), ("/p/{k}/{all=**}", ["k"]),
            ]),
    ]

    mutating func place() -> Place { lists.pick(Self.places) }

    /// A document of the location that a query could return.
    mutating func document(_ id: Int, in place: Place) -> Document {
        let content = lists.document(id)
        let key = DocumentKey(trusted: "\(lists.pick(place.collections))/\(id)")
        return Document(key: key, createTime: content.createTime, updateTime: content.updateTime, fields: content.fields)
    }

    // MARK: Who

    static let claims = FieldMap([
        ("sub", .string("x")), ("role", .string("y")), ("n", .integer(1)), ("tags", .array([.string("x"), .integer(2)])), ("admin", .boolean(true)),
        ("org", .map(FieldMap([("x", .integer(1))]))),
    ])

    mutating func caller() -> RequestContext.Caller {
        lists.chance(75) ? .user(id: "x", claims: Self.claims) : .anonymous
    }

    // MARK: How

    /// Limit, offset and order of a query.
    mutating func shape(_ query: inout StructuredQuery) {
        if lists.chance(40) { query.limit = lists.number(1...3) }
        if lists.chance(20) { query.offset = lists.number(1...2) }
        if lists.chance(30) {
            query.orders = [SortOrder(path: FieldPathSegments(lists.pick(["a", "b"])), direction: lists.chance(50) ? .ascending : .descending)]
        }
    }

    // MARK: Rules

    /// What conditions read.
    static let documents = [
        Samples.document("roles/x", ("role", .string("y")), ("n", .integer(1)), ("list", .array([.integer(1), .string("x")])), ("on", .boolean(true))),
        Samples.document("roles/y", ("role", .string("x")), ("on", .boolean(false))), Samples.document("roles/1", ("role", .string("x")), ("n", .integer(2))),
    ]

    /// One to three matches, each with statements, some of which are about other methods.
    mutating func rules(_ place: Place, _ filter: QueryFilter?) -> String {
        (0..<lists.number(1...3)).map { _ in
            let (pattern, variables) = lists.pick(place.matches)
            let statements = (0..<lists.number(1...2)).map { _ in
                "allow \(lists.pick(["list", "list", "read", "get", "write"])): if \(condition(filter, variables));"
            }
            return "match \(pattern) { \(statements.joined(separator: " ")) }"
        }.joined(separator: "\n")
    }

    private mutating func condition(_ filter: QueryFilter?, _ variables: [String], depth: Int = 0) -> String {
        if depth < 3 {
            switch lists.number(0...9) {
            case 0...2: return "(\(condition(filter, variables, depth: depth + 1)) && \(condition(filter, variables, depth: depth + 1)))"
            case 3, 4: return "(\(condition(filter, variables, depth: depth + 1)) || \(condition(filter, variables, depth: depth + 1)))"
            case 5: return "!(\(condition(filter, variables, depth: depth + 1)))"
            default: break
            }
        }
        return lists.chance(45) ? lists.condition(filter, depth: 3) : atom(variables)
    }

    private mutating func atom(_ variables: [String]) -> String {
        let target = "resource.data.\(lists.pick(["a", "b", "l", "m.x"]))"
        let number = lists.number(0...3)
        switch lists.number(0...21) {
        case 0: return "request.auth != null"
        case 1: return "\(target) \(lists.pick(["==", "!="])) request.auth.uid"
        case 2: return "\(target) \(lists.pick(["==", "!=", "<"])) request.auth.token.\(lists.pick(["role", "n", "admin", "missing"]))"
        case 3: return "\(target) in request.auth.token.tags"
        case 4: return "request.auth.uid in \(target)"
        case 5: return "request.auth.token.\(lists.pick(["admin", "missing", "get('admin', false)"]))"
        case 6: return "request.auth.token.keys().hasAll(['role']) && \(target) == request.auth.token.org.x"
        case 7: return "request.query.limit \(lists.pick(["<", "<=", "=="])) \(number)"
        case 8: return "request.query.limit != null"
        case 9: return "request.query.offset \(lists.pick(["==", "<"])) \(number)"
        case 10: return "'a' in request.query.orderBy || \(target) == \(number)"
        case 11: return "get(\(path())).data.role == \(lists.pick(["'y'", target]))"
        case 12: return "get(\(path())).data.n \(lists.pick(["==", "<", "!="])) \(lists.pick(["1", target]))"
        case 13: return "\(target) in get(\(path())).data.list"
        case 14: return "\(lists.pick(["", "!"]))exists(\(path()))"
        case 15: return "get(\(path())).data.on"
        case 16: return "get(\(path())).data.get('missing', \(number)) == \(target)"
        case 17: return "resource.id \(lists.pick(["==", "!="])) '\(number)'"
        case 18: return "resource.id in ['1', '2', request.auth.uid]"
        case 19...21:
            guard let variable = variables.isEmpty ? nil : lists.pick(variables) else { return "request.auth.uid == 'x'" }
            return lists.pick([
                "\(variable) == '\(number)'", "\(variable) != '\(number)'", "\(variable) in ['1', 'c', 'p']", "\(variable) == \(target)", "\(variable) == resource.id", "\(variable).size() > 0",
                "\(variable).matches('[a-z]+')", "exists(/databases/$(db)/documents/roles/$(\(variable)))", "\(variable) == request.auth.uid",
            ])
        default: return "true"
        }
    }

    /// A document that is read: the caller's, a fixed one, or one that the listed document names.
    private mutating func path() -> String {
        "/databases/$(db)/documents/roles/\(lists.pick(["$(request.auth.uid)", "$(request.auth.uid)", "x", "y", "none", "$(resource.data.a)"]))"
    }
}
