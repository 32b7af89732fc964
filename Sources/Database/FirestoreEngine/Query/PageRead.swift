// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// A page of a result: read over one snapshot, which is released before the page is used, so that a slow reader holds no resources.
struct PageRead: ReadOperation {
    let rest: ResultPage.Rest
    /// The whole query, for the statistics about indexes.
    let query: StructuredQuery
    let limits: PageLimits
    let database: DatabaseID
    let indexes: IndexManager
    let report: ReadReport

    var places: [DocumentKey] { [DocumentKey(trusted: query.scope.place)] }

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> ResultPage {
        report.began()
        let counters = QueryCounters()
        let page = try QueryExecutor.page(of: rest, limits: limits, over: snapshot, database: database, counters: counters)
        // Documents that had to be sorted are all available, or in flight.
        let results =
            switch page.rest {
            case .keys(let keys, _): page.documents.count + keys.count
            case .documents(let documents): page.documents.count + documents.count
            case .query, .nothing: page.documents.count
            }
        indexes.observe(query, counters, results: results, at: snapshot.readTime)
        report.ended(counters)
        return page
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> ResultPage {
        report.began()
        let past = PastSnapshot(snapshot, at: time, states: try snapshot.states(at: time, in: query.scope))
        let counters = QueryCounters()
        let page = try QueryExecutor.page(of: rest, limits: limits, over: past, database: database, counters: counters)
        report.ended(counters)
        return page
    }

    /// Transactions read everything in one page.
    func dependency(of answer: ResultPage) -> ReadDependency {
        .query(QueryDependency(query, result: [], database: database, isWhole: true))
    }
}
