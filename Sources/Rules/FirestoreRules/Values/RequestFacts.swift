// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One operation as conditions see it: `request` and `resource` (SR-81 … SR-83).
final class RequestFacts: Sendable {
    /// The document after a write.
    enum Outcome: Sendable {
        /// The operation is a read: `request.resource` is missing.
        case none
        case document(DocumentFacts)
        case deleted
    }

    let method: RulesMethod
    let database: String
    let caller: RequestContext.Caller
    let time: TimestampValue
    let isInTransaction: Bool
    /// The path below `documents`: of the document, or of the collection of a query.
    let path: String
    /// Where match statements are looked for.
    let place: RequestPlace
    /// Nil if the document does not exist.
    let resource: RulesValue
    let outcome: Outcome
    let query: StructuredQuery?

    init(
        method: RulesMethod, database: String, caller: RequestContext.Caller, time: TimestampValue, isInTransaction: Bool, path: String,
        place: RequestPlace, resource: RulesValue, outcome: Outcome = .none, query: StructuredQuery? = nil
    ) {
        self.method = method
        self.database = database
        self.caller = caller
        self.time = time
        self.isInTransaction = isInTransaction
        self.path = path
        self.place = place
        self.resource = resource
        self.outcome = outcome
        self.query = query
    }

    /// The id of the user; nil if no user is signed in.
    var user: String? { if case .user(let id, _) = caller { id } else { nil } }

    // MARK: request

    static let requestNames: [MemberName] = [
        .auth, .fields, .headers, .inTransaction, .method, .path, .query, .resource, .time, .writeFields,
    ]

    func requestMember(_ name: MemberName) -> RulesValue? {
        switch name {
        case .auth:
            if case .user = caller { return .map(.auth(self)) }
            return .null
        case .method: return .string(method.rawValue)
        case .resource:
            switch outcome {
            case .none: return nil
            case .deleted: return .null
            case .document(let document): return .map(.document(document))
            }
        case .time: return .timestamp(time)
        case .path: return .path(PathValue(["databases", database, "documents"] + Self.segments(path)))
        case .query: return query == nil ? nil : .map(.query(self))
        case .inTransaction: return .bool(isInTransaction)
        case .headers: return .map(.entries(MapEntries([])))
        case .fields, .writeFields: return .null
        default: return nil
        }
    }

    private static func segments(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    // MARK: request.auth

    static let authNames: [MemberName] = [.token, .uid]

    func authMember(_ name: MemberName) -> RulesValue? {
        switch name {
        case .uid: return user.map { $0.isEmpty ? .null : .string($0) }
        case .token:
            guard case .user(_, let claims) = caller else { return nil }
            return .map(.claims(claims))
        default: return nil
        }
    }

    // MARK: request.query

    static let queryNames: [MemberName] = [
        .allDescendants, .distinct, .groupBy, .kind, .limit, .offset, .orderBy, .parent, .selectOnlyKeys,
    ]

    func queryMember(_ name: MemberName) -> RulesValue? {
        guard let query else { return nil }
        switch name {
        case .limit: return query.limit.map { .int(Int64($0)) } ?? .null
        case .offset: return .int(Int64(query.offset))
        case .orderBy:
            return .map(
                .entries(
                    MapEntries(
                        query.orders.map { order in
                            (order.path.canonical, .string(order.direction == .ascending ? "ASC" : "DESC"))
                        })))
        case .kind: return query.scope.collectionID.map { .string($0) } ?? .null
        case .parent:
            let parent = query.scope.parent.map { Self.segments($0.path) } ?? []
            return .path(PathValue(["databases", database, "documents"] + parent))
        case .allDescendants: return .bool(query.scope.isRecursive)
        case .selectOnlyKeys:
            return .bool(query.projection.map { $0.count == 1 && $0[0].isDocumentID } ?? false)
        case .distinct, .groupBy: return .list(.elements([]))
        default: return nil
        }
    }
}

extension QueryScope {
    /// The id of the collections that it reads; nil for all.
    var collectionID: String? {
        switch self {
        case .collection(let path): path.id
        case .collectionGroup(let id, _): id
        case .kindless: nil
        }
    }

    /// Whether it reads collections at any depth.
    var isRecursive: Bool {
        switch self {
        case .collection: false
        case .collectionGroup: true
        case .kindless(_, let allDescendants): allDescendants
        }
    }
}
