import FirestoreCore

extension KeyRange {
    /// Takes the tighter of two lower bounds.
    mutating func raise(to bound: Bound) {
        guard let current = lower else {
            lower = bound
            return
        }
        let order = PathOrdering.compare(bound.key.path, current.key.path)
        if order > 0 || (order == 0 && !bound.inclusive) { lower = bound }
    }

    /// Takes the tighter of two upper bounds.
    mutating func cut(to bound: Bound) {
        guard let current = upper else {
            upper = bound
            return
        }
        let order = PathOrdering.compare(bound.key.path, current.key.path)
        if order < 0 || (order == 0 && !bound.inclusive) { upper = bound }
    }

    /// The same documents of one collection, with bounds that lie in it; nil if there can be none.
    ///
    /// A bound may name any document (QR-17): beside, above or below the collection.
    func narrowed(to collection: CollectionPath) -> KeyRange? {
        var result = KeyRange.all
        if let lower {
            switch Relation(of: lower.key, in: collection) {
            case .before: break
            case .after: return nil
            case .inside: result.lower = lower
            // Descendants come after the document itself, before the next.
            case .below(let child): result.lower = Bound(child, inclusive: false)
            }
        }
        if let upper {
            switch Relation(of: upper.key, in: collection) {
            case .before: return nil
            case .after: break
            case .inside: result.upper = upper
            case .below(let child): result.upper = Bound(child, inclusive: true)
            }
        }
        return result
    }

    /// Where a key stands in relation to the documents of a collection.
    private enum Relation {
        case before, after, inside
        /// Under this document of the collection.
        case below(DocumentKey)

        init(of key: DocumentKey, in collection: CollectionPath) {
            let prefix = collection.path + "/"
            guard key.path.utf8.starts(with: prefix.utf8) else {
                self = PathOrdering.compare(key.path, collection.path) < 0 ? .before : .after
                return
            }
            let rest = key.path.utf8.dropFirst(prefix.utf8.count)
            if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
                self = .below(DocumentKey(trusted: String(key.path[..<slash])))
            } else {
                self = .inside
            }
        }
    }
}
