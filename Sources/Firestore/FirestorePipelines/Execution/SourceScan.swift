// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Finds the documents of a source: through indexes, where the conditions behind it have a form that the planner of queries knows.
///
/// The planner finds candidates, never too few; the stages decide. Whatever finds them, the rows come in the order of the names, unless
/// what follows has the same result in every order: the result of a pipeline does not depend on the indexes that exist.
struct SourceScan {
    /// More values than this in lists, multiplied with one another, are not looked up one by one.
    private static let mostPoints = 256

    private let scope: QueryScope
    private let condition: SourceCondition
    private let execution: Execution

    init(_ scope: QueryScope, _ condition: SourceCondition, _ execution: Execution) {
        (self.scope, self.condition, self.execution) = (scope, condition, execution)
    }

    func run(to first: any RowReceiver) throws(FirestoreError) {
        guard let source = execution.source else { return }
        try run(source, to: first)
    }

    private func run(_ source: some DocumentSource, to first: any RowReceiver) throws(FirestoreError) {
        let query = StructuredQuery(scope: scope, filter: execution.usesIndexes ? filter : nil)
        var ordered = query
        // By name first, or the planner would order by the fields of inequalities.
        ordered.orders = [SortOrder(path: .documentID)]
        let counters = QueryCounters()
        let plan = try QueryExecutor.plan(ordered, over: source, database: execution.database)
        if plan.arrangement.isAsFound || !condition.seesOrder {
            try scan(ordered, source, counters) { (row) throws(FirestoreError) in try first.take(row) }
        } else {
            try sorted(ordered, source, counters, to: first)
        }
        execution.counters.documentsRead += counters.documentsRead
        execution.counters.entriesRead += counters.entriesRead
        execution.counters.indexes += counters.indexes
        execution.observe?(query, counters)
    }

    private func scan(
        _ query: StructuredQuery, _ source: some DocumentSource, _ counters: QueryCounters,
        _ body: (Row) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let database = execution.database
        try QueryExecutor.forEach(query, over: source, database: database, counters: counters) { (scanned) throws(FirestoreError) in
            try execution.step()
            return try body(Row(scanned))
        }
    }

    /// Holds what an index finds, and passes it in the order of the names.
    private func sorted(
        _ query: StructuredQuery, _ source: some DocumentSource, _ counters: QueryCounters, to first: any RowReceiver
    ) throws(FirestoreError) {
        let holder = RowHolder(execution: execution, slots: [])
        var rows: [HeldRow] = []
        try scan(query, source, counters) { (row) throws(FirestoreError) in
            rows.append(try holder.hold(row))
            return .next
        }
        rows.sort { PathOrdering.compare($0.row.name ?? "", $1.row.name ?? "") < 0 }
        for row in rows where try holder.pass(row, to: first) == .stop { return }
    }

    // MARK: The filter

    /// What the conditions imply, with the values of variables; nil if that is nothing or too much.
    private var filter: QueryFilter? {
        guard !condition.conditions.isEmpty else { return nil }
        let bound = condition.conditions.map(bound)
        let filter = ImpliedFilter(bound, in: execution.database).filter?.plannable
        return filter.flatMap { $0.points <= Self.mostPoints ? $0 : nil }
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

extension QueryFilter {
    /// Without what a query would understand in another way; nil if nothing is left. Conditions on the name need references. And a query
    /// is ordered by the fields of its inequalities, which its documents must have: here that has to follow from the filter itself.
    fileprivate var plannable: QueryFilter? {
        switch self {
        case .field(let path, let op, let operand): return !path.isDocumentID || operand.namesDocuments(op) ? self : nil
        case .and(let filters):
            let plannable = filters.compactMap(\.plannable)
            return plannable.count > 1 ? .and(plannable) : plannable.first
        case .or(let filters):
            let plannable = filters.compactMap(\.plannable)
            let whole = QueryFilter.or(plannable)
            return plannable.count == filters.count && present.isSuperset(of: whole.inequalityFields) ? whole : nil
        }
    }

    /// The fields that every document has for which the filter holds.
    private var present: Set<FieldPathSegments> {
        switch self {
        case .field(let path, _, _): [path]
        case .and(let filters): filters.reduce(into: []) { $0.formUnion($1.present) }
        case .or(let filters): filters.dropFirst().reduce(filters.first?.present ?? []) { $0.intersection($1.present) }
        }
    }

    /// How many single ranges of an index it may need.
    fileprivate var points: Int {
        switch self {
        case .field(_, .in, let operand), .field(_, .arrayContainsAny, let operand): operand.view.elements?.count ?? 1
        case .field: 1
        case .and(let filters): filters.reduce(1) { min($0 * max(1, $1.points), 1 << 20) }
        case .or(let filters): filters.reduce(0) { $0 + $1.points }
        }
    }
}

extension ValueBytes {
    fileprivate func namesDocuments(_ op: QueryFilter.FieldOperator) -> Bool {
        defer { withExtendedLifetime(self) {} }
        func isReference(_ view: ValueView) -> Bool { view.referenceBytes.flatMap { ReferenceName($0) } != nil }
        if op == .in { return view.elements?.allSatisfy(isReference) ?? false }
        return isReference(view)
    }
}
