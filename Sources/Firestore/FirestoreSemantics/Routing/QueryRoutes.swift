// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Finds which of many queries and documents a change may affect, at a cost that does not depend on the number of
/// unaffected ones.
///
/// A query is registered under conditions of which every result meets one: an equality, an element, a range, or else
/// its scope alone. If there is a choice, the condition with the fewest registered queries is used, so that ten
/// thousand queries for `kind == "task"` and one owner each are distinguished by the owner.
package struct QueryRoutes: Sendable {
    /// A scope as a lookup key.
    fileprivate enum ScopeKey: Hashable, Sendable {
        case collection(CollectionPath)
        /// `CollectionPath` because it compares bytes.
        case group(CollectionPath, under: DocumentKey?)
        case children(of: DocumentKey?)
        case descendants(of: DocumentKey?)
    }

    private enum Entry: Sendable {
        case document(DocumentKey)
        case scope(ScopeKey, FieldCondition?)
    }

    private var entries: [Int: [Entry]] = [:]
    private var documents: [DocumentKey: Set<Int>] = [:]
    private var scopes: [ScopeKey: ScopeRoutes] = [:]
    /// The number of queries registered for a collection group or for all collections: if it is zero, no lookup is
    /// needed.
    private var wideCount = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    // MARK: Registering

    package mutating func insert(_ id: Int, document key: DocumentKey) { insert(id, [.document(key)]) }

    package mutating func insert(_ id: Int, query: StructuredQuery, database: DatabaseID) {
        let scope = ScopeKey(query.scope)
        guard let conditions = conditions(of: NecessaryCondition(query, database: database), at: scope) else {
            return insert(id, [.scope(scope, nil)])
        }
        insert(
            id,
            Set(conditions).compactMap { condition in
                guard case .key(let key) = condition else { return .scope(scope, condition) }
                return query.scope.contains(key) ? .document(key) : nil
            })
    }

    private func conditions(of condition: NecessaryCondition, at scope: ScopeKey) -> [FieldCondition]? {
        let routes = scopes[scope]
        return condition.cheapest { routes?.popularity(of: $0) ?? 0 }?.conditions
    }

    private mutating func insert(_ id: Int, _ new: [Entry]) {
        entries[id] = new
        for entry in new {
            switch entry {
            case .document(let key): documents[key, default: []].insert(id)
            case .scope(let scope, let condition):
                scopes[scope, default: ScopeRoutes()].insert(id, condition)
                if scope.isWide { wideCount += 1 }
            }
        }
    }

    package mutating func remove(_ id: Int) {
        for entry in entries.removeValue(forKey: id) ?? [] {
            switch entry {
            case .document(let key): documents.remove(id, at: key)
            case .scope(let scope, let condition):
                scopes[scope]?.remove(id, condition)
                if scopes[scope]?.isEmpty == true { scopes[scope] = nil }
                if scope.isWide { wideCount -= 1 }
            }
        }
    }

    // MARK: Lookup

    /// Adds every id to `ids` that a change of this document may affect, given its fields before and after.
    package func collect(_ key: DocumentKey, _ old: FieldBytes?, _ new: FieldBytes?, into ids: inout Set<Int>) {
        defer { withExtendedLifetime((old, new)) {} }
        if !documents.isEmpty, let found = documents[key] { ids.formUnion(found) }
        guard !scopes.isEmpty else { return }
        let collection = key.collection
        collect(.collection(collection), old, new, into: &ids)
        guard wideCount > 0 else { return }
        let group = CollectionPath(trusted: collection.id)
        collect(.children(of: collection.parent), old, new, into: &ids)
        var ancestor = collection.parent
        while true {
            collect(.group(group, under: ancestor), old, new, into: &ids)
            collect(.descendants(of: ancestor), old, new, into: &ids)
            guard let below = ancestor else { return }
            ancestor = below.collection.parent
        }
    }

    private func collect(_ scope: ScopeKey, _ old: FieldBytes?, _ new: FieldBytes?, into ids: inout Set<Int>) {
        guard let routes = scopes[scope] else { return }
        if let old { routes.collect(old.view, into: &ids) }
        if let new { routes.collect(new.view, into: &ids) }
    }
}

extension QueryRoutes.ScopeKey {
    fileprivate init(_ scope: QueryScope) {
        switch scope {
        case .collection(let path): self = .collection(path)
        case .collectionGroup(let id, let under): self = .group(CollectionPath(trusted: id), under: under)
        case .kindless(let under, allDescendants: false): self = .children(of: under)
        case .kindless(let under, allDescendants: true): self = .descendants(of: under)
        }
    }

    fileprivate var isWide: Bool {
        if case .collection = self { false } else { true }
    }
}
