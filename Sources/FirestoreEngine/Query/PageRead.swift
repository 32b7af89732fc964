import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// A page of a result: read over one view, which is let go before the page is used, so that a slow reader holds nothing.
struct PageRead: ReadOperation {
    let rest: ResultPage.Rest
    /// The whole query, for what is learned about indexes.
    let query: StructuredQuery
    let limits: PageLimits
    let database: DatabaseID
    let indexes: IndexManager

    var places: [DocumentKey] { [DocumentKey(trusted: query.scope.place)] }

    func answer(from view: ReadTransaction) throws(FirestoreError) -> ResultPage {
        let counters = QueryCounters()
        let page = try QueryExecutor.page(of: rest, limits: limits, over: view, database: database, counters: counters)
        // Documents that had to be sorted are all there, or on their way.
        let results =
            switch page.rest {
            case .keys(let keys, _): page.documents.count + keys.count
            case .documents(let documents): page.documents.count + documents.count
            case .query, .nothing: page.documents.count
            }
        indexes.observe(query, counters, results: results, at: view.readTime)
        return page
    }

    func answer(from view: ReadTransaction, at time: DocumentVersion) throws(FirestoreError) -> ResultPage {
        let past = PastView(view, at: time, states: try view.states(at: time, in: query.scope))
        return try QueryExecutor.page(of: rest, limits: limits, over: past, database: database)
    }

    /// Transactions read all at once.
    func dependency(of answer: ResultPage) -> ReadDependency {
        .query(QueryDependency(query, result: [], database: database, isWhole: true))
    }
}
