// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Lists are proved: every alternative of the filter must be granted, for every document that it could return (SR-90 … SR-99).
extension Judge {
    mutating func mayList(_ query: StructuredQuery) throws(FirestoreError) -> Bool {
        beginList()
        guard let branches = ListBranch.all(of: query.filter, limit: Limits.disjunctions) else { return false }
        for branch in branches where !(try mayList(query, branch)) { return false }
        return true
    }

    private mutating func mayList(_ query: StructuredQuery, _ branch: ListBranch) throws(FirestoreError) -> Bool {
        let scope = query.scope
        var base = scope.parent?.path ?? ""
        if case .collection(let path) = scope { base = path.path }
        // A document that the branch names is a path without unknown segments.
        let named = scope.names(branch.document)
        let facts = RequestFacts(
            method: .list, database: database, caller: request.caller, time: request.time, isInTransaction: isInTransaction,
            path: scope.requestPath, resource: .map(.open(branch.resource(named, database: database))), query: query)
        if let named, !scope.isRecursive {
            return try evaluate(facts, .document(RequestPath(database: database, path: named.path)))
        }
        let path = RequestPath(database: database, path: base)
        // Without the id of the collection nothing but a glob covers the query.
        let isRecursive = scope.isRecursive || scope.collectionID == nil
        return try evaluate(facts, .query(QueryPath(path: path, isRecursive: isRecursive, collectionID: scope.collectionID)))
    }
}

extension QueryScope {
    /// `request.path` of a list: the collection, or the parent and the id of the collections.
    fileprivate var requestPath: String {
        switch self {
        case .collection(let path): path.path
        case .collectionGroup(let id, let under): under.map { "\($0.path)/\(id)" } ?? id
        case .kindless(let under, _): under?.path ?? ""
        }
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
