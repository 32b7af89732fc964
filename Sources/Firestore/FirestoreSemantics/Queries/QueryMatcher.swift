// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Whether a document belongs to a query: scope, filter, presence of ordered fields, cursors, but not offset and limit.
///
/// Made once per query. Reads the encoded fields in place, and only those that the query uses.
package struct QueryMatcher: Sendable {
    private let scope: QueryScope
    private let filter: CompiledFilter?
    /// The fields that must be present because the result is ordered by them (QR-30).
    private let required: [CompiledPath]
    private let bounds: CompiledBounds
    private let needsKey: Bool
    /// Whether every document of the scope belongs to the query, so that nothing is read.
    package let acceptsAll: Bool

    package init(_ query: StructuredQuery, database: DatabaseID) {
        let orders = query.effectiveOrders
        scope = query.scope
        filter = query.filter.map { CompiledFilter($0, database: database) }
        required = orders.filter { !$0.path.isDocumentID }.map { CompiledPath($0.path) }
        bounds = CompiledBounds(query, orders: orders, database: database)
        needsKey = filter?.needsKey == true || bounds.needsKey
        acceptsAll = (query.filter?.isAlwaysMet ?? true) && required.isEmpty && query.start == nil && query.end == nil
    }

    package func matches(key: DocumentKey, fields: FieldsView) -> Bool {
        scope.contains(key) && matchesInScope(key: key, fields: fields)
    }

    package func matches(_ document: Document) -> Bool {
        defer { withExtendedLifetime(document) {} }
        return matches(key: document.key, fields: document.fields.view)
    }

    /// For documents of a scan of the query's scope, which is not checked again.
    package func matches(_ scanned: borrowing ScannedDocument) -> Bool {
        matchesInScope(key: needsKey ? scanned.key : nil, fields: scanned.view)
    }

    private func matchesInScope(key: DocumentKey?, fields: FieldsView) -> Bool {
        if let filter, !filter.matches(key: key, fields: fields) { return false }
        for path in required where path.value(in: fields) == nil { return false }
        return bounds.contain(key: key, fields: fields)
    }
}

extension QueryFilter {
    /// An AND of nothing (QR-15).
    fileprivate var isAlwaysMet: Bool {
        switch self {
        case .and(let filters): filters.allSatisfy(\.isAlwaysMet)
        case .field, .or: false
        }
    }
}

extension QueryScope {
    /// Whether a document is in the scope of the query (QR-2). Does not allocate.
    package func contains(_ key: DocumentKey) -> Bool {
        switch self {
        case .collection(let collection):
            return withUTF8(key.path, collection.path) { key, collection in
                // After the collection's path there must be one slash, then an id without slashes.
                key.count > collection.count + 1 && key[collection.count] == UInt8(ascii: "/")
                    && key.starts(with: collection)
                    && !key[(collection.count + 1)...].contains(UInt8(ascii: "/"))
            }
        case .kindless(let under, let allDescendants):
            if let under, !isBelow(key, under) { return false }
            return allDescendants || isRightBelow(key, under)
        case .collectionGroup(let id, let under):
            if let under, !isBelow(key, under) { return false }
            return withUTF8(key.path, id) { key, id in
                guard let idStart = key.lastIndex(of: UInt8(ascii: "/")) else { return false }
                let collection = key[..<idStart]
                let name = collection.lastIndex(of: UInt8(ascii: "/")).map { collection[($0 + 1)...] } ?? collection
                return name.elementsEqual(id)
            }
        }
    }

    private func isRightBelow(_ key: DocumentKey, _ parent: DocumentKey?) -> Bool {
        var path = key.path
        let slashes = path.withUTF8 { utf8 in utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } }
        var above = parent?.path ?? ""
        let slashesAbove = above.withUTF8 { utf8 in utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } }
        return slashes == (parent == nil ? 1 : slashesAbove + 2)
    }

    private func isBelow(_ key: DocumentKey, _ ancestor: DocumentKey) -> Bool {
        withUTF8(key.path, ancestor.path) { key, ancestor in
            key.count > ancestor.count && key[ancestor.count] == UInt8(ascii: "/") && key.starts(with: ancestor)
        }
    }

    private func withUTF8<R>(
        _ left: String, _ right: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> R
    ) -> R {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }
}
