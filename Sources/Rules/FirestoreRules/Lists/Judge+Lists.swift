// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Lists are proved: every alternative of the filter must be granted, for every document that it could return (SR-90 … SR-99).
extension Judge {
    /// Throws `invalidArgument` for a malformed query: rules are not asked about it (SR-23). The sources of pipelines have filters without
    /// the limits of queries; one with too many alternatives is not proved.
    mutating func mayList(_ query: StructuredQuery, _ request: RulesRequest) throws(FirestoreError) -> Bool {
        if !request.isOfPipeline { try QueryCheck.check(query, database: request.database) }
        beginList()
        let branches: [ListBranch]
        do throws(ListBranch.Refusal) {
            branches = try ListBranch.all(of: query.filter, limit: Limits.disjunctions, patience: request.patience)
        } catch {
            if case .abandoned(let error) = error { throw error }
            guard !request.isOfPipeline else { return false }
            throw .invalidArgument("the filter has more than \(Limits.disjunctions) alternatives")
        }
        for branch in branches where !(try mayList(query, branch, request)) { return false }
        return true
    }

    private mutating func mayList(
        _ query: StructuredQuery, _ branch: ListBranch, _ request: RulesRequest
    ) throws(FirestoreError) -> Bool {
        let scope = query.scope
        let database = request.database.databaseID
        let named = scope.names(branch.document)
        return try evaluate(
            RequestFacts(
                method: .list, database: database, caller: request.caller, time: request.time, isInTransaction: request.countsAsTransaction,
                path: scope.requestPath, place: scope.place(named, database),
                resource: .map(.open(branch.resource(named, database: database))), query: request.isOfPipeline ? nil : query))
    }
}

extension QueryScope {
    /// `request.path` of a list: the collection, or the parent and the id of the collections.
    var requestPath: String {
        switch self {
        case .collection(let path): path.path
        case .collectionGroup(let id, let under): under.map { "\($0.path)/\(id)" } ?? id
        case .kindless(let under, _): under?.path ?? ""
        }
    }

    /// Where its documents are: a document that it names is a path without unknown segments.
    func place(_ named: DocumentKey?, _ database: String) -> RequestPlace {
        if let named, !isRecursive { return .document(RequestPath(database: database, path: named.path)) }
        var base = parent?.path ?? ""
        if case .collection(let path) = self { base = path.path }
        // Without the id of the collection nothing but a glob covers the query.
        let isRecursive = isRecursive || collectionID == nil
        return .query(QueryPath(path: RequestPath(database: database, path: base), isRecursive: isRecursive, collectionID: collectionID))
    }

    /// The document itself if it is one of the collection.
    fileprivate func names(_ key: DocumentKey?) -> DocumentKey? {
        guard let key else { return nil }
        switch self {
        case .collection(let path): return key.collection == path ? key : nil
        case .collectionGroup(let id, _): return equalUTF8(key.collection.id, id) ? key : nil
        case .kindless: return nil
        }
    }
}
