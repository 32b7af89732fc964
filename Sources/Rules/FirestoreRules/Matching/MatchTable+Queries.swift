// SPDX-License-Identifier: Apache-2.0

/// The paths of a query's documents, as far as the query determines them.
struct QueryPath: Sendable {
    /// The segments that all documents share: `/databases/D/documents`, the parent and, of a plain collection, its id.
    let path: RequestPath
    /// Whether any number of segments follows, and then the id of the collection.
    let isRecursive: Bool
    /// The id of the collections of a recursive query; nil if the query reads all collections.
    let collectionID: String?
}

/// Where a request looks for match statements.
enum RequestPlace: Sendable {
    case document(RequestPath)
    case query(QueryPath)

    var path: RequestPath {
        switch self {
        case .document(let path): path
        case .query(let query): query.path
        }
    }
}

extension MatchTable {
    /// The patterns that match a document, or every document of a query, in the order of their numbers.
    func matches(_ place: RequestPlace) -> MatchedPatterns {
        switch place {
        case .document(let path): matches(path)
        case .query(let query): MatchedPatterns(patterns.indices.lazy.filter { captures(patterns[$0], query) != nil })
        }
    }

    /// The value that a wildcard of a pattern is bound to where it matches.
    func capture(_ index: Int, of id: Int, at place: RequestPlace) -> Capture {
        switch place {
        case .document(let path): capture(index, of: id, on: path)
        case .query(let query): captures(patterns[id], query)?[index] ?? .null
        }
    }

    /// The values that the wildcards of a pattern are bound to if it matches every document of a query (SR-91).
    private func captures(_ pattern: MatchPattern, _ query: QueryPath) -> [Capture]? {
        query.isRecursive ? recursiveCaptures(pattern, query) : plainCaptures(pattern, query)
    }

    /// A plain collection: everything but the last segment is known.
    private func plainCaptures(_ pattern: MatchPattern, _ query: QueryPath) -> [Capture]? {
        let count = query.path.count + 1
        guard pattern.globIndex == nil ? pattern.segments.count == count : pattern.segments.count - 1 + pattern.globMinimum <= count else {
            return nil
        }
        var captures: [Capture] = []
        var position = 0
        for segment in pattern.segments {
            switch segment {
            case .literal(let text):
                guard position < query.path.count, query.path.equals(position, text) else { return nil }
                position += 1
            case .single:
                captures.append(position < query.path.count ? .segment(position) : .null)
                position += 1
            case .glob:
                let end = count - pattern.tailCount
                captures.append(end < count ? .segments(position..<end) : .unbound)
                position = end
            }
        }
        return captures
    }

    /// Collections at any depth: a glob must take the unknown segments.
    private func recursiveCaptures(_ pattern: MatchPattern, _ query: QueryPath) -> [Capture]? {
        guard let glob = pattern.globIndex, glob <= query.path.count, pattern.tailCount <= 2 else { return nil }
        guard query.path.count - glob + 2 - pattern.tailCount >= pattern.globMinimum else { return nil }
        var captures: [Capture] = []
        for (index, segment) in pattern.segments.enumerated() {
            // The tail is the id of the collection and that of the document.
            let isDocument = index == pattern.segments.count - 1 && index > glob
            switch segment {
            case .literal(let text) where index < glob:
                guard query.path.equals(index, text) else { return nil }
            case .literal(let text):
                guard !isDocument, let id = query.collectionID, id.utf8.elementsEqual(text.utf8) else { return nil }
            case .single: captures.append(index < glob ? .segment(index) : isDocument ? .null : .unbound)
            case .glob: captures.append(.unbound)
            }
        }
        return captures
    }
}
