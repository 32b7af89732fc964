// SPDX-License-Identifier: Apache-2.0

extension StructuredQuery {
    /// Checks everything in a query that is counted, before anything is done for each of it. Throws `invalidArgument`.
    package func checkCounts() throws(FirestoreError) {
        try filter?.checkCounts()
        try Limit.orders.check(orders.count)
        try Limit.cursorValues.check(start?.values.count ?? 0, at: "start cursor")
        try Limit.cursorValues.check(end?.values.count ?? 0, at: "end cursor")
        try Limit.readMask.check(projection?.count ?? 0)
    }
}

extension QueryFilter {
    /// Comparisons, and the filters that combine them: one that combines a single filter counts, too. Without recursion, since the depth
    /// of a filter of this process is not known here, and no further than the limit.
    fileprivate func checkCounts() throws(FirestoreError) {
        var (comparisons, composites) = (0, 0)
        var rest = [self]
        while let filter = rest.popLast() {
            switch filter {
            case .field:
                comparisons += 1
                try Limit.components.check(comparisons)
            case .and(let filters), .or(let filters):
                composites += 1
                try Limit.components.check(composites)
                try Limit.components.check(filters.count)
                rest += filters
            }
        }
    }
}
