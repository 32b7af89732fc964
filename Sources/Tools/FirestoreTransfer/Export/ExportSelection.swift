// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents of an export.
package enum ExportSelection: Sendable, Hashable {
    case everything
    /// A collection. `withBelow`: including everything below its documents, whether these exist or not.
    case collection(CollectionPath, withBelow: Bool)
    /// Every collection with this id, at any depth.
    case group(String)

    package static func == (left: ExportSelection, right: ExportSelection) -> Bool {
        switch (left, right) {
        case (.everything, .everything): true
        case (.collection(let left, let leftBelow), .collection(let right, let rightBelow)): left == right && leftBelow == rightBelow
        case (.group(let left), .group(let right)): equalUTF8(left, right)
        case (.everything, _), (.collection, _), (.group, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .everything: hasher.combine(0)
        case .collection(let path, let withBelow):
            hasher.combine(path)
            hasher.combine(withBelow)
        case .group(let id): hashUTF8(id, into: &hasher)
        }
    }

    func contains(_ key: DocumentKey) -> Bool {
        switch self {
        case .everything: true
        case .collection(let path, true): key.path.utf8.starts(with: (path.path + "/").utf8)
        case .collection(let path, false): key.collection == path
        case .group(let id): equalUTF8(key.collection.id, id)
        }
    }

    /// The order of selections in an export: collections by their paths, then groups.
    static func precedes(_ left: ExportSelection, _ right: ExportSelection) -> Bool {
        switch (left, right) {
        case (.everything, .everything): false
        case (.everything, _): true
        case (.collection, .everything): false
        case (.collection(let left, _), .collection(let right, _)): PathOrdering.compare(left.path, right.path) < 0
        case (.collection, .group): true
        case (.group(let left), .group(let right)): compareUTF8(left, right) < 0
        case (.group, _): false
        }
    }

    /// One query over all its documents, in the order of their names. It includes the documents below missing
    /// documents, because such a query looks only at names (QR-3).
    func query(in database: DatabaseID, behind last: DocumentKey?) -> StructuredQuery {
        var query: StructuredQuery
        switch self {
        case .everything: query = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        case .collection(let path, false): query = StructuredQuery(scope: .collection(path))
        case .collection(let path, true):
            query = StructuredQuery(scope: .kindless(under: path.parent, allDescendants: true))
            // From the lowest name in the collection up to the lowest one in the next possible collection.
            func least(_ collection: String) -> ValueBytes {
                let key = DocumentKey(collection: CollectionPath(trusted: collection), id: "__id\(Int64.min)__")
                return ValueBytes(.reference(database.name(of: key)))
            }
            query.filter = .and([
                .field(.documentID, .greaterThanOrEqual, least(path.path)), .field(.documentID, .lessThan, least(path.path + "\0")),
            ])
        case .group(let id): query = StructuredQuery(scope: .collectionGroup(id: id, under: nil))
        }
        query.orders = [SortOrder(path: .documentID)]
        if let last { query.start = QueryBound(values: [ValueBytes(.reference(database.name(of: last)))], before: false) }
        return query
    }
}
