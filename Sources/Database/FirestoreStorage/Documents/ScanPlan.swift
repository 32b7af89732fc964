// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A range of one collection: row keys from `lower` up to, but excluding, `upper`.
package struct ScanInterval: Equatable {
    package let collection: Int
    package let lower: [UInt8]
    package let upper: [UInt8]
}

/// How to visit several collections in the order of their documents' names without merging.
///
/// Documents of two collections interleave only if one collection lies below a document of the other:
///
///     items/a            items: up to and including a
///     items/a/items/x    items/a/items: all
///     items/b            items: after a
///
/// So the walk is a list of ranges, each of one collection, and a descending walk is the same list backwards.
package struct ScanPlan {
    package let collections: [StoredCollection]
    package private(set) var intervals: [ScanInterval] = []

    package init(_ unsorted: [StoredCollection], range: KeyRange) {
        collections = unsorted.sorted { PathOrdering.compare($0.path.path, $1.path.path) < 0 }
        var index = 0
        while index < collections.count { index = plan(index, range) }
    }

    /// Plans a collection with everything below it, which sorts directly after it; returns the next index.
    private mutating func plan(_ index: Int, _ range: KeyRange) -> Int {
        let path = collections[index].path
        let bounds = Self.bounds(of: path, in: range)
        var lower = bounds?.lower ?? []
        var next = index + 1
        while next < collections.count, let id = Self.documentID(on: collections[next].path, below: path) {
            // Up to and including the document below which the next collection lies.
            let split = DocumentIDEncoding.encode(id) + [0]
            if let bounds {
                append(ScanInterval(collection: index, lower: lower, upper: min(split, bounds.upper)))
                lower = max(lower, split)
            }
            next = plan(next, range)
        }
        if let bounds { append(ScanInterval(collection: index, lower: lower, upper: bounds.upper)) }
        return next
    }

    private mutating func append(_ interval: ScanInterval) {
        if precedes(interval.lower, interval.upper) { intervals.append(interval) }
    }

    private func min(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { precedes(left, right) ? left : right }
    private func max(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { precedes(left, right) ? right : left }
    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

    /// The id of the document directly below `ancestor` on the path to `path`, if there is one.
    private static func documentID(on path: CollectionPath, below ancestor: CollectionPath) -> String? {
        let prefix = ancestor.path.utf8
        let utf8 = path.path.utf8
        guard utf8.starts(with: prefix) else { return nil }
        let rest = utf8.dropFirst(prefix.count)
        guard rest.first == UInt8(ascii: "/") else { return nil }
        return String(rest.dropFirst().prefix { $0 != UInt8(ascii: "/") })
    }

    /// The row keys of one collection that lie in a range of document keys; nil if none do.
    package static func bounds(of path: CollectionPath, in range: KeyRange) -> (lower: [UInt8], upper: [UInt8])? {
        var lower: [UInt8] = []
        var upper = DocumentIDEncoding.end
        if let bound = range.lower {
            switch position(of: bound.key, in: path) {
            case .before: break
            case .behind: return nil
            case .at(let id): lower = bound.inclusive ? id : id + [0]
            case .below(let id): lower = id + [0]
            }
        }
        if let bound = range.upper {
            switch position(of: bound.key, in: path) {
            case .before: return nil
            case .behind: break
            case .at(let id): upper = bound.inclusive ? id + [0] : id
            case .below(let id): upper = id + [0]
            }
        }
        return lower.lexicographicallyPrecedes(upper) ? (lower, upper) : nil
    }

    private enum Position {
        case before, behind
        /// A document of the collection.
        case at([UInt8])
        /// Below a document of the collection: after that document and before the next.
        case below([UInt8])
    }

    private static func position(of key: DocumentKey, in collection: CollectionPath) -> Position {
        if let id = documentID(on: CollectionPath(trusted: key.path), below: collection) {
            let isDocument = key.path.utf8.count == collection.path.utf8.count + 1 + id.utf8.count
            let encoded = DocumentIDEncoding.encode(id)
            return isDocument ? .at(encoded) : .below(encoded)
        }
        // All documents of the collection lie on the same side of the key.
        return PathOrdering.compare(key.path, collection.path) < 0 ? .before : .behind
    }
}
