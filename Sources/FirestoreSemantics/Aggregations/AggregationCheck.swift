package import FirestoreCore

/// Refuses the aggregations Firestore refuses (QR-62, QR-64). All failures are `invalidArgument` and say which rule it is.
///
/// The query below them is checked by `QueryCheck`.
package enum AggregationCheck {
    package static func check(
        _ aggregations: [Aggregation], over query: StructuredQuery
    ) throws(FirestoreError) {
        guard !aggregations.isEmpty else {
            throw .invalidArgument("an aggregation asks for at least one number: count, sum or average (QR-62)")
        }
        guard aggregations.count <= Limits.aggregations else {
            throw .invalidArgument(
                "an aggregation asks for at most \(Limits.aggregations) numbers, here are \(aggregations.count); "
                    + "ask twice (QR-62)")
        }
        try checkAliases(aggregations)
        for (aggregation, alias) in zip(aggregations, aggregations.aliases) {
            do { try check(aggregation.kind, over: query) } catch { throw error.located(at: "aggregation \(alias)") }
        }
    }

    /// Whether all names are legal and no two are the same, given or made.
    private static func checkAliases(_ aggregations: [Aggregation]) throws(FirestoreError) {
        var seen: Set<ByteSlice> = []
        for (position, alias) in aggregations.aliases.enumerated() {
            let bytes = ByteSlice(Array(alias.utf8))
            if let violation = bytes.withUnsafeBytes(NameRules.fieldName) {
                throw .invalidArgument("the alias of aggregation \(position + 1) \(violation.explanation) (QR-62)")
            }
            guard seen.insert(bytes).inserted else {
                throw .invalidArgument("two aggregations have the same alias; give each its own (QR-62)", at: alias)
            }
        }
    }

    private static func check(_ kind: Aggregation.Kind, over query: StructuredQuery) throws(FirestoreError) {
        switch kind {
        case .count(let upTo):
            if let upTo, upTo <= 0 { throw .invalidArgument("a count goes up to at least 1 (QR-64)") }
        case .sum(let path), .average(let path):
            try QueryCheck.checkPath(path)
            guard !path.isDocumentID else {
                throw .invalidArgument("the document id is no number and cannot be summed (QR-65)")
            }
            if let projection = query.projection, !projection.contains(where: { $0.isPrefix(of: path) }) {
                throw .invalidArgument(
                    "the projection of the query leaves out \(path.canonical), which is to be summed (QR-63)")
            }
        }
    }
}

extension [Aggregation] {
    /// The names of the answers: those given, else `field_1`, `field_2`, … in order (QR-62).
    package var aliases: [String] {
        var unnamed = 0
        return map { aggregation in
            if let alias = aggregation.alias { return alias }
            unnamed += 1
            return "field_\(unnamed)"
        }
    }
}
