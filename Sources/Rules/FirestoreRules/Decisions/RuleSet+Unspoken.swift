// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RuleSet {
    /// A part of a request.
    enum RequestPart {
        case get(DocumentKey)
        case list(StructuredQuery)
        case write(DocumentKey)
    }

    /// Whether some statement speaks of every part of a request: of its path and its method. Looks at nothing but the rules.
    package func speaks(of operation: RulesRequest.Operation, in database: DatabaseID) -> Bool {
        unspokenPart(of: operation, in: database) == nil
    }

    /// The first part of a request that no statement speaks of, which is therefore denied. Lists of queries are left to their proof, which
    /// comes after the check of the query.
    func unspokenPart(of operation: RulesRequest.Operation, in database: DatabaseID) -> RequestPart? {
        switch operation {
        case .get(let keys): return unspokenKey(keys, in: database).map { .get($0) }
        case .list: return nil
        case .pipeline(let reads):
            // Pipelines that write, and those that read nothing, are denied in another place.
            guard !reads.writes else { return nil }
            for query in reads.lists where !speaks(of: query, in: database) { return .list(query) }
            return unspokenKey(reads.keys, in: database).map { .get($0) }
        case .commit(let writes):
            for write in writes {
                var methods = MethodSet.write
                // Alone, a verification is a read.
                if case .verify = write.operation { methods.insert(.get) }
                if !speaks(of: write.key, methods, in: database) { return .write(write.key) }
            }
            return nil
        }
    }

    private func unspokenKey(_ keys: [DocumentKey], in database: DatabaseID) -> DocumentKey? {
        keys.first { !speaks(of: $0, .get, in: database) }
    }

    private func speaks(of key: DocumentKey, _ methods: MethodSet, in database: DatabaseID) -> Bool {
        speaks(of: .document(RequestPath(database: database.databaseID, path: key.path)), methods)
    }

    /// A list that a filter restricts to one document is judged at that document's path.
    private func speaks(of query: StructuredQuery, in database: DatabaseID) -> Bool {
        speaks(of: query.scope.place(nil, database.databaseID), .list) || query.filter?.comparesName == true
    }

    private func speaks(of place: RequestPlace, _ methods: MethodSet) -> Bool {
        for pattern in rules.table.matches(place) {
            for index in rules.statements[pattern].indices
            where !rules.statements[pattern][index].methods.isDisjoint(with: methods) { return true }
        }
        return false
    }
}

extension RequestFacts {
    /// What is known of a part that no statement speaks of, without a look at the state.
    convenience init(_ request: RulesRequest, unspoken part: RuleSet.RequestPart) {
        let database = request.database.databaseID
        switch part {
        case .get(let key): self.init(request, .get, key, before: nil)
        case .list(let query):
            self.init(
                method: .list, database: database, caller: request.caller, time: request.time, isInTransaction: request.countsAsTransaction,
                path: query.scope.requestPath, place: query.scope.place(nil, database), resource: .map(.open(OpenMap([]))))
        case .write(let key):
            guard case .commit(let writes) = request.operation,
                let change = DocumentChange.all(of: writes.filter { $0.key == key }).first, !change.isVerification
            else {
                self.init(request, .get, key, before: nil)
                return
            }
            let fields = change.intended
            let outcome = fields.map { Outcome.document(DocumentFacts(key: key, fields: $0, database: database)) } ?? .deleted
            self.init(request, change.method(exists: false, remains: fields != nil), key, before: nil, outcome)
        }
    }
}

extension QueryFilter {
    fileprivate var comparesName: Bool {
        switch self {
        case .field(let path, _, _): path.isDocumentID
        case .and(let filters), .or(let filters): filters.contains(where: \.comparesName)
        }
    }
}
