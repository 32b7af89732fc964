// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension KeyRange {
    /// Sets the lower bound to the tighter of the two.
    mutating func raise(to bound: Bound) {
        guard let current = lower else {
            lower = bound
            return
        }
        let order = PathOrdering.compare(bound.key.path, current.key.path)
        if order > 0 || (order == 0 && !bound.inclusive) { lower = bound }
    }

    /// Sets the upper bound to the tighter of the two.
    mutating func cut(to bound: Bound) {
        guard let current = upper else {
            upper = bound
            return
        }
        let order = PathOrdering.compare(bound.key.path, current.key.path)
        if order < 0 || (order == 0 && !bound.inclusive) { upper = bound }
    }

    /// The part of the range in one collection, with bounds inside it; nil if there are no such documents.
    ///
    /// A bound may name any document (QR-17): beside, above or below the collection.
    func narrowed(to collection: CollectionPath) -> KeyRange? {
        var result = KeyRange.all
        if let lower {
            switch Relation(of: lower.key, in: collection) {
            case .before: break
            case .after: return nil
            case .inside: result.lower = lower
            // Descendants sort after the document itself and before the next one.
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

    /// The position of a key relative to the documents of a collection.
    private enum Relation {
        case before, after, inside
        /// Below this document of the collection.
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
