// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// How a query is answered: the source of its candidates, and how the matching ones are ordered.
///
/// A value that `QueryExecutor` executes. `QueryMatcher` tests every candidate whatever the access, so an access may
/// return more than the result, but never less.
package struct QueryPlan: Sendable {
    package enum Access: Sendable {
        /// No document can match.
        case nothing
        /// Look up these documents, one by one.
        case keys([DocumentKey])
        /// Scan the scope within a range of keys, in `__name__` order.
        case scan(KeyRange, descending: Bool)
        case indexes(IndexAccess)
    }

    package enum Arrangement: Sendable {
        /// Candidates come in result order: stop as soon as there are enough.
        case asFound
        /// Keep the given number of first documents in a heap while reading.
        case top(Int)
        case sort
    }

    package var access: Access
    package var arrangement: Arrangement
    package var orders: [SortOrder]
    package var offset = 0
    package var limit: Int?

    /// The number of documents needed in order, including skipped ones; nil for all.
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
    /// Whether candidates must be read to know whether they match.
    var needsTest: Bool {
        if case .indexes(let access) = access { return !access.isExact }
        return true
    }

    /// Whether the answer reads at most a number of documents and as many index entries, whatever the data.
    package func isBounded(by count: Int) -> Bool {
        guard let wanted, wanted <= count, case .indexes(let access) = access else { return false }
        return arrangement.isAsFound && access.isCountable
    }

    /// Whether each step of the scan finds a document of the result of `query`, in its order.
    package func findsWithEachStep(of query: StructuredQuery) -> Bool {
        switch access {
        case .scan: arrangement.isAsFound && query.filter == nil
        case .indexes(let access): arrangement.isAsFound && access.isCountable
        case .nothing: true
        case .keys: false
        }
    }

    /// The indexes in use, without duplicates.
    package var indexes: [IndexDefinition] {
        if case .indexes(let access) = access { return access.indexes }
        return []
    }

    /// Whether every document of the scope is read.
    package var scansAll: Bool {
        guard case .scan(let range, _) = access else { return false }
        return range.lower == nil && range.upper == nil && !(arrangement.isAsFound && wanted != nil)
    }
}

extension QueryPlan.Arrangement {
    package var isAsFound: Bool { if case .asFound = self { true } else { false } }
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
