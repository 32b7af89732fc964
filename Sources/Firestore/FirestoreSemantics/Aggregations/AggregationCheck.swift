// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Rejects the aggregations that Firestore rejects (QR-62, QR-64). All failures are `invalidArgument`.
///
/// `QueryCheck` checks the query of the aggregation.
package enum AggregationCheck {
    package static func check(
        _ aggregations: [Aggregation], over query: StructuredQuery
    ) throws(FirestoreError) {
        guard !aggregations.isEmpty else {
            // The service's own words come first, here and below, because test suites compare them.
            throw .invalidArgument("Aggregations can not be empty; ask for a count, a sum or an average")
        }
        try Limit.aggregations.check(aggregations.count)
        try checkAliases(aggregations)
        for (aggregation, alias) in zip(aggregations, aggregations.aliases) {
            do { try check(aggregation.kind, over: query) } catch { throw error.located(at: "aggregation \(alias.quoted)") }
        }
    }

    /// Checks that all aliases, given or generated, are legal and distinct.
    private static func checkAliases(_ aggregations: [Aggregation]) throws(FirestoreError) {
        var seen: Set<ByteSlice> = []
        for (position, alias) in aggregations.aliases.enumerated() {
            let bytes = ByteSlice(Array(alias.utf8))
            if let violation = bytes.withUnsafeBytes(NameRules.fieldName) {
                throw .invalidArgument("the alias of aggregation \(position + 1) \(violation.explanation)")
            }
            guard seen.insert(bytes).inserted else {
                throw .invalidArgument("Aggregation aliases contain duplicate alias: \(alias.quoted); give each its own")
            }
        }
    }

    private static func check(_ kind: Aggregation.Kind, over query: StructuredQuery) throws(FirestoreError) {
        switch kind {
        case .count(let upTo):
            if let upTo, upTo <= 0 { throw .invalidArgument("the limit of a count must be at least 1") }
        case .sum(let path), .average(let path):
            try QueryCheck.checkPath(path)
            guard !path.isDocumentID else {
                throw .invalidArgument("the document id is not a number and cannot be summed")
            }
            if let projection = query.projection, !projection.contains(where: { $0.isPrefix(of: path) }) {
                throw .invalidArgument(
                    "the projection of the query does not include the aggregated field \(path.quoted)")
            }
        }
    }
}

extension [Aggregation] {
    /// The names of the results: the given ones, otherwise `field_1`, `field_2`, … in order (QR-62).
    package var aliases: [String] {
        var unnamed = 0
        return map { aggregation in
            if let alias = aggregation.alias { return alias }
            unnamed += 1
            return "field_\(unnamed)"
        }
    }
}
