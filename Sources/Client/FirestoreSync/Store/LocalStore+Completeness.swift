// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

extension LocalStore {
    /// The newest time of the authority as of which the cache has everything that a query finds: its own target was synced, or one
    /// that a feature completes and that contains its result (SY-D26). nil: never.
    package func completeVersion(of query: ClientQuery) throws(FirestoreError) -> DocumentVersion? {
        var listened = query.serviceQuery
        listened.projection = nil
        if listened.nearest != nil {
            listened.nearest = nil
            listened.limit = nil
        }
        var versions: [DocumentVersion] = []
        if let version = try syncedVersion(of: ClientTarget.query(ClientQuery(listened)).syncTarget) { versions.append(version) }
        for feature in features {
            for target in try feature.completedTargets(in: self) {
                guard case .query(let other) = target, other.query.contains(listened),
                    let version = try syncedVersion(of: target.syncTarget)
                else { continue }
                versions.append(version)
            }
        }
        return versions.max()
    }

    private func syncedVersion(of target: SyncTarget) throws(FirestoreError) -> DocumentVersion? {
        let canonical = target.canonical(in: configuration.databaseID)
        let stored = try read(.targetData) { (snapshot, _) throws(FirestoreError) -> (id: TargetID, version: DocumentVersion?)? in
            try snapshot.first("SELECT id, version, length(token) FROM targets WHERE canonical = ?1", canonical) { row in
                let version = row.integer(2) == 0 ? nil : DocumentVersion(microseconds: row.integer(1))
                return (TargetID(truncatingIfNeeded: row.integer(0)), version)
            }
        }
        guard let stored else { return nil }
        // What is stored of a target in use may be minutes behind.
        guard let newest = active[stored.id]?.newest else { return stored.version }
        return newest.resumeToken.isEmpty ? nil : newest.snapshotVersion
    }

    /// Explains how the cache answers a query; with `analyze` also runs it.
    package func explain(_ query: ClientQuery, analyze: Bool) throws(FirestoreError) -> QueryExplanation {
        var explanation = try read(.executeQuery) { (snapshot, _) throws(FirestoreError) in
            try QueryExecutor.explain(query.serviceQuery, analyze: analyze, over: snapshot, database: configuration.databaseID)
        }
        explanation.origin = .cache(completeAsOf: try completeVersion(of: query))
        return explanation
    }
}

extension SyncTarget {
    /// The bytes by which a target is found again.
    func canonical(in database: DatabaseID) -> ByteSlice {
        ByteSlice(ListenRequest(database: database, change: .add(ListenTargetRequest(target: .success(self), targetID: 0))).encoded())
    }
}

extension StructuredQuery {
    /// Whether it certainly finds every document that another query finds.
    func contains(_ other: StructuredQuery) -> Bool {
        guard limit == nil, start == nil, end == nil, offset == 0, nearest == nil, scope.contains(other.scope) else { return false }
        let conditions = other.conditions
        guard self.conditions.allSatisfy({ conditions.contains($0) }) else { return false }
        // An order leaves out the documents without its field.
        let ordered = Set(other.effectiveOrders.map(\.path))
        return effectiveOrders.allSatisfy { ordered.contains($0.path) }
    }

    /// What every document of the result fulfills.
    private var conditions: [QueryFilter] { filter.map(\.conditions) ?? [] }
}

extension QueryFilter {
    fileprivate var conditions: [QueryFilter] { if case .and(let filters) = self { filters.flatMap(\.conditions) } else { [self] } }
}

extension QueryScope {
    fileprivate func contains(_ other: QueryScope) -> Bool {
        switch (self, other) {
        case (.collectionGroup(let id, nil), .collection(let path)): path.id.utf8.elementsEqual(id.utf8)
        case (.collectionGroup(let id, nil), .collectionGroup(let otherID, _)): id.utf8.elementsEqual(otherID.utf8)
        default: self == other
        }
    }
}
