// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Sums the numbers of a field from the entries of an index, without reading documents.
///
/// The key of an entry has the number exactly, and the kinds beside it say whether it is an integer.
enum IndexedSum {
    /// Adds the result of a query to `state`. Returns false, and adds nothing, if no index contains the condition and the field.
    static func add(
        _ query: StructuredQuery, to state: inout AggregationState, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters
    ) throws(FirestoreError) -> Bool {
        guard let field = state.requiredFields.first, state.requiredFields.count == 1, state.sufficientCount == nil, query.isWholeResult,
            let scans = try scans(query, of: field, over: source, database: database, counters)
        else { return false }
        let path = CompiledPath(field)
        var (entries, documents) = (0, 0)
        for scan in scans {
            let isKnown = try source.numberEntries(of: scan.leg.index, in: query.scope.collection, range: scan.leg.range) {
                (key, kinds, document) throws(FirestoreError) in
                entries += 1
                guard let kinds else {
                    documents += 1
                    return state.add(try source.withDocument(document) { path.value(in: $0.view).flatMap(IndexedNumber.init) })
                }
                state.add(scan.number(in: key, kinds))
            }
            // All scans are of the same source.
            guard isKnown else { return false }
        }
        counters.entriesRead += entries
        counters.matches += entries
        counters.documentsRead += documents
        return true
    }

    /// A range of entries whose keys contain the field.
    private struct Scan {
        let leg: IndexScan.Leg
        /// The directions of the columns behind the fixed ones, up to the field.
        let isDescending: [Bool]
        /// The place of the field among all columns.
        let place: Int

        func number(in key: UnsafeRawBufferPointer, _ kinds: Int64) -> IndexedNumber? {
            var components = IndexComponents(key, from: leg.prefix.count)
            for isDescending in isDescending.dropLast() { _ = components.next(isDescending: isDescending) }
            // All numbers take the same space.
            let component = key[components.position...].prefix(IndexEntries.numberLength)
            return IndexEntries.number(component, isDescending: isDescending.last == true, at: place, kinds: kinds)
        }
    }

    private static func scans(
        _ query: StructuredQuery, of field: FieldPathSegments, over source: some DocumentSource, database: DatabaseID,
        _ counters: QueryCounters
    ) throws(FirestoreError) -> [Scan]? {
        // An index has this order if it contains the field behind those that conditions fix.
        var ordered = query
        ordered.orders = [SortOrder(path: field)]
        // Of several indexes the one in this order is chosen for results with a limit.
        ordered.limit = .max
        let plan = try QueryExecutor.plan(ordered, over: source, database: database)
        guard case .indexes(let access) = plan.access, access.isCountable else { return nil }
        var scans: [Scan] = []
        for scan in access.scans {
            let leg = scan.legs[0]
            let fields = leg.index.definition.fields
            let fixed = fields.count - scan.columns.count
            guard let place = fields[fixed...].firstIndex(where: { $0.path == field && $0.mode != .arrayContains }),
                place < IndexEntries.columnsWithKinds
            else { return nil }
            scans.append(Scan(leg: leg, isDescending: scan.columns[...(place - fixed)].map(\.isDescending), place: place))
        }
        counters.indexes += plan.indexes
        return scans
    }
}

extension IndexedNumber {
    fileprivate init?(_ view: ValueView) {
        if let integer = view.integer {
            self = .integer(integer)
        } else if let double = view.double {
            self = .double(double)
        } else {
            return nil
        }
    }
}

extension StructuredQuery {
    /// Whether nothing but its conditions says which documents are in the result.
    fileprivate var isWholeResult: Bool {
        limit == nil && offset == 0 && start == nil && end == nil && orders.isEmpty && nearest == nil
    }
}

extension QueryScope {
    fileprivate var collection: CollectionPath? { if case .collection(let path) = self { path } else { nil } }
}
