// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Finds the documents of a source: through indexes, where the conditions behind it have a form that the planner of queries knows.
///
/// The planner finds candidates, never too few; the stages decide. Whatever finds them, the rows come in the order of the names, unless
/// what follows has the same result in every order: the result of a pipeline does not depend on the indexes that exist.
struct SourceScan {
    private let scope: QueryScope
    private let condition: SourceCondition
    private let execution: Execution

    init(_ scope: QueryScope, _ condition: SourceCondition, _ execution: Execution) {
        (self.scope, self.condition, self.execution) = (scope, condition, execution)
    }

    func run(to chain: StageChain) throws(FirestoreError) {
        guard let source = execution.source else { return }
        try run(source, to: chain)
    }

    /// How the source is found, for people.
    func plan(over source: some DocumentSource, most: Int?) throws(FirestoreError) -> SourcePlan {
        try planner.plan(over: source, most: most, counting: QueryCounters())
    }

    private var planner: SourcePlanner {
        let bound = condition.usesIndexes ? condition.conditions.map(bound) : []
        return SourcePlanner(scope, condition, bound: bound, database: execution.database)
    }

    private func run(_ source: some DocumentSource, to chain: StageChain) throws(FirestoreError) {
        let counters = QueryCounters()
        defer { execution.counters.add(counters) }
        let planner = planner
        if let pages = execution.pages, let start = pages.start {
            pages.begin(chain)
            return try page(start.rest, pages, planner, source, counters, to: chain)
        }
        let isLimited = execution.documentsLeft != nil
        let plan = try planner.plan(over: source, most: chain.expected, counting: isLimited ? nil : counters)
        if isLimited, !plan.mayBeShort(isSorted: chain.sort != nil) { return execution.giveUp() }
        if let pages = execution.pages, plan.isStreaming(isSorted: chain.sort != nil) {
            chain.sort?.order = .given
            try page(.query(plan.query), pages, planner, source, counters, to: chain)
        } else {
            try run(plan, planner, source, counters, to: chain)
        }
        if !execution.isGivenUp { execution.observe?(plan.wish, counters) }
    }

    private func run(
        _ plan: SourcePlan, _ planner: SourcePlanner, _ source: some DocumentSource, _ counters: QueryCounters, to chain: StageChain
    ) throws(FirestoreError) {
        let first = first(planner, chain)
        switch plan.way {
        case .counted:
            guard let group = chain.group else { preconditionFailure("a source is counted for a group") }
            let watched = WatchedSource(source, execution)
            try group.take(count: try QueryExecutor.count(plan.query, over: watched, database: execution.database, counters: counters))
        case .asFound:
            if !plan.plan.arrangement.isAsFound { chain.sort?.order = .none }
            try scan(plan, source, counters) { (row) throws(FirestoreError) in try first.take(row) }
        case .held: try hold(plan, source, counters, to: first)
        case .sorted(let ties):
            chain.sort?.order = SortStage.Order(ties)
            try scan(plan, source, counters) { (row) throws(FirestoreError) in try first.take(row) }
        case .sortedWithValues(let path, let ties):
            chain.sort?.order = SortStage.Order(ties)
            try withValues(path, plan, planner, source, counters, to: first, of: chain)
        case .extreme(let path): try extreme(path, plan, source, counters, to: first, of: chain)
        }
    }

    /// The filters need not see what a query has found that says the same.
    private func first(_ planner: SourcePlanner, _ chain: StageChain) -> any RowReceiver {
        condition.usesIndexes && planner.isExact ? chain.behindFilters : chain.first
    }

    /// The documents that make one page of rows, or that are one page themselves where they have to be sorted.
    private func page(
        _ rest: ResultPage.Rest, _ pages: PipelinePages, _ planner: SourcePlanner, _ source: some DocumentSource,
        _ counters: QueryCounters, to chain: StageChain
    ) throws(FirestoreError) {
        let database = execution.database
        let first = first(planner, chain)
        if case .query(let query) = rest {
            let plan = try planner.plan(query, source, most: chain.expected)
            if plan.arrangement.isAsFound {
                var last: Document?
                try QueryExecutor.forEach(plan, of: query, over: source, database: database, counters: counters) {
                    (scanned) throws(FirestoreError) in
                    try execution.stepRow()
                    let step = try first.take(Row(scanned))
                    guard step == .next, pages.isFull else { return step }
                    last = scanned.document()
                    return .stop
                }
                guard let last else { return }
                return pages.end(chain, rest: .query(try QueryExecutor.query(query, behind: last, database: database)))
            }
        }
        let limits = PageLimits(page: pages.size)
        let watched = WatchedSource(source, execution)
        let page = try QueryExecutor.page(of: rest, limits: limits, over: watched, database: database, counters: counters)
        for document in page.documents where try first.take(Row(document)) == .stop { return }
        pages.end(chain, rest: page.rest)
    }

    private func scan(
        _ plan: SourcePlan, _ source: some DocumentSource, _ counters: QueryCounters, _ body: (Row) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let database = execution.database
        try QueryExecutor.forEach(plan.plan, of: plan.query, over: source, database: database, counters: counters) {
            (scanned) throws(FirestoreError) in
            try execution.stepRow()
            return execution.mayLook() ? try body(Row(scanned)) : .stop
        }
    }

    /// Holds what an index finds, and passes it in the order of the names.
    private func hold(
        _ plan: SourcePlan, _ source: some DocumentSource, _ counters: QueryCounters, to first: any RowReceiver,
        where isWanted: (Row) -> Bool = { _ in true }
    ) throws(FirestoreError) {
        let holder = RowHolder(execution: execution, slots: [])
        var rows: [HeldRow] = []
        try scan(plan, source, counters) { (row) throws(FirestoreError) in
            if isWanted(row) { rows.append(try holder.hold(row)) }
            return .next
        }
        // From the last to the first.
        try execution.sort(&rows) { PathOrdering.compare($0.row.name ?? "", $1.row.name ?? "") > 0 }
        _ = try holder.pass(&rows, to: first)
    }

    /// Rows with a value of the field, as an index orders them; then, if more are wanted, those without one.
    private func withValues(
        _ path: FieldPathSegments, _ plan: SourcePlan, _ planner: SourcePlanner, _ source: some DocumentSource,
        _ counters: QueryCounters, to first: any RowReceiver, of chain: StageChain
    ) throws(FirestoreError) {
        var isStopped = false
        try scan(plan, source, counters) { (row) throws(FirestoreError) in
            let step = try first.take(row)
            isStopped = step == .stop
            return step
        }
        guard !isStopped, !execution.isGivenUp, try chain.sort?.flush() != .stop else { return }
        // The names follow in their order.
        chain.sort?.order = .given
        let path = CompiledPath(path)
        func isWithout(_ row: Row) -> Bool { path.value(in: row.fields).map { $0.kind == .null } ?? true }
        let rest = try planner.rows(source, seesOrder: true)
        if execution.documentsLeft != nil, !rest.mayBeShort(isSorted: false) { return execution.giveUp() }
        guard case .asFound = rest.way else { return try hold(rest, source, counters, to: first, where: isWithout) }
        try scan(rest, source, counters) { (row) throws(FirestoreError) in isWithout(row) ? try first.take(row) : .next }
    }

    /// The rows up to the second value of the field.
    private func extreme(
        _ path: FieldPathSegments, _ plan: SourcePlan, _ source: some DocumentSource, _ counters: QueryCounters,
        to first: any RowReceiver, of chain: StageChain
    ) throws(FirestoreError) {
        let path = CompiledPath(path)
        var found: EvaluatedValue?
        try scan(plan, source, counters) { (row) throws(FirestoreError) in
            guard let view = path.value(in: row.fields) else { return .next }
            let value = EvaluatedValue.encoded(view, owner: row.owner)
            if let found, ComparisonFunctions.compare(found, value) != 0 { return .stop }
            let before = chain.group?.rowCount
            let step = try first.take(row)
            // A row that a filter drops says nothing about the value.
            if found == nil, chain.group?.rowCount != before { found = value.owned() }
            return step
        }
    }

    private func bound(_ argument: PipelineArgument) -> PipelineArgument {
        switch argument {
        case .variable(let name):
            guard let slot = condition.variables[name] else { return argument }
            let value = execution.frame[slot]
            if value.isAbsent || value.failure != nil { return argument }
            return .constant(ValueBytes(canonical: value.withView { ByteSlice(copying: $0.buffer) }))
        case .function(var function):
            function.arguments = function.arguments.map(bound)
            return .function(function)
        case .constant, .field, .pipeline, .array, .map: return argument
        }
    }
}

extension SortStage.Order {
    fileprivate init(_ ties: SourcePlan.Ties) { self = if case .byName = ties { .given } else { .tiesReversed } }
}

extension QueryCounters {
    /// Adds the work of a part; the matches of different sources are no sum of anything.
    fileprivate func add(_ part: QueryCounters) {
        documentsRead += part.documentsRead
        entriesRead += part.entriesRead
        indexes += part.indexes
    }
}
