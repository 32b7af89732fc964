package import FirestoreCore

/// How a query is answered: where its candidates come from, how the matching ones get into order.
///
/// A value that `QueryExecutor` interprets; `QueryMatcher` tests every candidate whatever the access, so an access may
/// yield more than the result but never less.
package struct QueryPlan: Sendable {
    package enum Access: Sendable {
        /// Nothing can match.
        case nothing
        /// Look these up, one by one.
        case keys([DocumentKey])
        /// Walk the scope within a range of keys, in `__name__` order.
        case scan(KeyRange, descending: Bool)
        case indexes(IndexAccess)
    }

    package enum Arrangement: Sendable {
        /// Candidates come in result order: stop as soon as there are enough.
        case asFound
        /// Keep the first so many while walking, in a heap.
        case top(Int)
        case sort
    }

    package var access: Access
    package var arrangement: Arrangement
    package var orders: [SortOrder]
    package var offset: Int
    package var limit: Int?

    package init(
        access: Access, arrangement: Arrangement, orders: [SortOrder], offset: Int = 0, limit: Int? = nil
    ) {
        self.access = access
        self.arrangement = arrangement
        self.orders = orders
        self.offset = offset
        self.limit = limit
    }

    /// Documents that are needed in order, the skipped ones included; nil for all.
    package var wanted: Int? {
        guard let limit else { return nil }
        let (sum, overflow) = offset.addingReportingOverflow(limit)
        return overflow ? nil : sum
    }
}

extension QueryPlan: CustomStringConvertible {
    /// `scan keys from cities/LA, filter, keep the first 10 by population descending, __name__ descending`
    package var description: String {
        let order = orders.map { $0.path.canonical + ($0.direction == .ascending ? "" : " descending") }
            .joined(separator: ", ")
        let arranged =
            switch arrangement {
            case .asFound: wanted.map { "stop after \($0)" } ?? "in this order"
            case .top(let count): "keep the first \(count) by \(order)"
            case .sort: "sort by \(order)"
            }
        return "\(access), \(needsTest ? "filter, " : "")\(arranged)\(offset > 0 ? ", skip \(offset)" : "")"
    }
}

extension QueryPlan {
    /// Candidates are not known to match before they are looked at.
    var needsTest: Bool {
        if case .indexes(let access) = access { return !access.isExact }
        return true
    }

    /// Whether the answer takes no more than so many documents and as many index entries, whatever the data.
    package func isBounded(by count: Int) -> Bool {
        guard case .indexes(let access) = access, access.isExact, !access.mayRepeat, arrangement.isAsFound, let wanted,
            wanted <= count
        else { return false }
        return access.scans.allSatisfy { $0.legs.count == 1 && !$0.hasTests }
    }

    /// What is used, each once.
    package var indexes: [IndexDefinition] {
        if case .indexes(let access) = access { return access.indexes }
        return []
    }

    /// Every document of the scope is looked at.
    package var scansAll: Bool {
        guard case .scan(let range, _) = access else { return false }
        return range.lower == nil && range.upper == nil && !(arrangement.isAsFound && wanted != nil)
    }
}

extension QueryPlan.Arrangement {
    var isAsFound: Bool { if case .asFound = self { true } else { false } }
}

extension QueryPlan.Access: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothing: "nothing"
        case .keys(let keys): "look up \(keys.count) \(keys.count == 1 ? "key" : "keys")"
        case .indexes(let access): access.description
        case .scan(let range, let descending):
            "scan" + (descending ? " backwards" : "")
                + (range.lower.map { " \($0.inclusive ? "from" : "after") \($0.key)" } ?? "")
                + (range.upper.map { " \($0.inclusive ? "up to" : "before") \($0.key)" } ?? "")
        }
    }
}

extension IndexAccess: CustomStringConvertible {
    /// `2 ranges of index cities(country, population desc), merged`
    package var description: String {
        let names = indexes.map(\.description).joined(separator: " and ")
        let isMerge = scans.contains { $0.legs.count > 1 }
        let ranges = scans.count == 1 ? "a range" : "\(scans.count) ranges"
        return (isMerge ? "zig-zag over \(ranges) of indexes " : "\(ranges) of index ") + names
            + (scans.count > 1 && isOrdered ? ", merged in order" : "")
    }
}
