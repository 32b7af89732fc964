// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The index that would answer a query best, and the indexes that the service requires.
///
/// Fields compared with single values come first, then the array, then the orders: all matches are adjacent and in
/// order.
package enum IdealIndex {
    /// One per alternative of the filter, without duplicates; none if keys alone answer the query.
    package static func all(for query: StructuredQuery) -> [IndexDefinition] {
        shapes(of: query).map(\.definition).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The composite and collection-group indexes that the service needs for a query (QR-52). Queries with equalities
    /// only are answered by merging single-field indexes.
    package static func required(for query: StructuredQuery) -> [IndexDefinition] {
        shapes(of: query).filter(\.isComposite).map(\.definition).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether the configured indexes and the automatic single-field indexes answer a query without a scan (QR-52).
    package static func isServed(_ query: StructuredQuery, by configured: [IndexDefinition]) -> Bool {
        shapes(of: query).filter(\.isComposite).allSatisfy { shape in
            // Several indexes with the same order can be merged: together they must fix all fixed fields.
            var missing = Set(shape.fixed)
            for index in configured + configured.map(\.reversed) where shape.isHelped(by: index) {
                missing.subtract(index.fields.dropLast(shape.ordered.count).map(\.undirected))
            }
            let isThere = configured.contains { $0 == shape.definition || $0.reversed == shape.definition }
            return isThere || (missing.isEmpty && !shape.fixed.isEmpty)
        }
    }

    private struct Shape {
        let collectionID: String
        let scope: IndexDefinition.Scope
        /// Equalities by path, then the array.
        let fixed: [IndexDefinition.Field]
        let ordered: [IndexDefinition.Field]
        let nameDirection: SortOrder.Direction

        var definition: IndexDefinition {
            IndexDefinition(
                collectionID: collectionID, scope: scope, fields: fixed + ordered, nameDirection: nameDirection)
        }

        var isComposite: Bool {
            scope == .collectionGroup || (!ordered.isEmpty && fixed.count + ordered.count > 1)
        }

        func isHelped(by index: IndexDefinition) -> Bool {
            let own = definition
            // A prefix of single values may have any direction.
            let prefix = index.fields.dropLast(ordered.count)
            return equalUTF8(index.collectionID, own.collectionID) && index.scope == scope
                && index.fields.count >= ordered.count && Array(index.fields.suffix(ordered.count)) == ordered
                && (ordered.isEmpty || index.nameDirection == nameDirection)
                && prefix.allSatisfy { fixed.contains($0.undirected) }
        }
    }

    private static func shapes(of query: StructuredQuery) -> [Shape] {
        let place: (id: String, scope: IndexDefinition.Scope)
        switch query.scope {
        case .collection(let path): place = (path.id, .collection)
        case .collectionGroup(let id, _): place = (id, .collectionGroup)
        case .kindless: return []
        }
        guard let branches = FilterBranch.all(of: query.filter) else { return [] }
        let orders = query.effectiveOrders
        return branches.compactMap { branch in
            guard !branch.isImpossible else { return nil }
            let fixedPaths = branch.fields.filter(\.values.arePoints).map(\.path).sorted()
            var fixed = fixedPaths.map { IndexDefinition.Field($0) }
            if let array = branch.array { fixed.append(IndexDefinition.Field(array.path, .arrayContains)) }
            let ordered = orders.prefix { !$0.path.isDocumentID }.filter { !fixedPaths.contains($0.path) }.map {
                IndexDefinition.Field($0.path, $0.direction == .ascending ? .ascending : .descending)
            }
            guard !fixed.isEmpty || !ordered.isEmpty else { return nil }
            let name = orders.first { $0.path.isDocumentID }?.direction ?? .ascending
            return Shape(
                collectionID: place.id, scope: place.scope, fixed: fixed, ordered: ordered, nameDirection: name)
        }
    }
}

extension IndexDefinition.Field {
    /// The column without its direction if that does not matter.
    fileprivate var undirected: IndexDefinition.Field {
        mode == .arrayContains ? self : IndexDefinition.Field(path)
    }
}
