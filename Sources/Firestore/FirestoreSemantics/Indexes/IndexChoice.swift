// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Chooses among the existing indexes for one alternative of a filter.
///
/// A choice is one index, or several that are equal after their fixed columns. More fixed columns are preferred, then a
/// range, then the right order. With a limit, an index that provides the order and tests everything else in its columns
/// is preferred to a narrower one, because it can stop early.
struct IndexChoice {
    let branch: FilterBranch
    let orders: [SortOrder]
    let isLimited: Bool

    struct Candidate {
        var legs: [(index: ReadyIndex, fixed: Int)]
        /// The columns after the fixed ones, the same for all legs.
        var columns: ArraySlice<IndexDefinition.Field>
        var nameDirection: SortOrder.Direction
        /// nil if the entries are not in the query's order.
        var isBackward: Bool?
        var isExact: Bool
        var score: Int

        var fixedFields: [IndexDefinition.Field] {
            if legs.count == 1 { return Array(legs[0].index.definition.fields[..<legs[0].fixed]) }
            return legs.flatMap { $0.index.definition.fields.prefix($0.fixed) }
        }

        var fixedCount: Int { legs.reduce(0) { $0 + $1.fixed } }

        // Indexes have few columns: looking through them, for each query, takes less than hashing paths or making arrays of them.

        /// Whether a fixed column meets a condition.
        func hasFixed(_ condition: (IndexDefinition.Field) -> Bool) -> Bool {
            legs.contains { leg in leg.index.definition.fields[..<leg.fixed].contains(where: condition) }
        }

        /// Whether a column has the value of the field, and not an element of it.
        func hasValue(of path: FieldPathSegments) -> Bool {
            func isValue(_ field: IndexDefinition.Field) -> Bool { field.mode != .arrayContains && field.path == path }
            return hasFixed(isValue) || columns.contains(where: isValue)
        }
    }

    func best(among indexes: [ReadyIndex]) -> Candidate? {
        var best: Candidate?
        for index in indexes {
            guard let fixed = fixedPrefix(of: index), let candidate = candidate([(index, fixed)]) else { continue }
            // Ties are resolved in favour of the shorter index, then of the older one.
            if let known = best, !precedes(candidate, known) { continue }
            best = candidate
        }
        guard let best, best.fixedCount < fixable, let merged = merge(indexes), precedes(merged, best) else { return best }
        return merged
    }

    private func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.score != right.score { return left.score > right.score }
        let (one, other) = (left.legs.count + left.columns.count, right.legs.count + right.columns.count)
        if one != other { return one < other }
        return left.legs[0].index.number < right.legs[0].index.number
    }

    /// The number of conditions that fix a column.
    private var fixable: Int { branch.fields.count(where: \.values.arePoints) + (branch.array == nil ? 0 : 1) }

    private func isFixed(_ field: IndexDefinition.Field) -> Bool {
        field.mode == .arrayContains
            ? branch.array?.path == field.path : branch.isFixed(field.path)
    }

    /// The number of leading columns that are fixed; nil if the index lacks documents of the branch or contains them
    /// repeatedly.
    private func fixedPrefix(of index: ReadyIndex) -> Int? {
        let fields = index.definition.fields
        var fixed = 0
        for (place, field) in fields.enumerated() {
            if fixed == place, isFixed(field) {
                fixed += 1
                continue
            }
            // An array column that is not fixed would return a document once per element.
            guard field.mode != .arrayContains, branch.has(field.path) || orders.contains(where: { $0.path == field.path })
            else { return nil }
        }
        return fixed
    }

    /// A candidate of legs that are equal after their fixed columns.
    private func candidate(_ legs: [(index: ReadyIndex, fixed: Int)]) -> Candidate? {
        guard let first = legs.first else { return nil }
        let definition = first.index.definition
        var candidate = Candidate(
            legs: legs, columns: definition.fields.dropFirst(first.fixed),
            nameDirection: definition.nameDirection, isBackward: nil, isExact: false, score: 0)
        candidate.isBackward = direction(of: candidate)
        candidate.isExact = isExact(candidate)
        candidate.score = score(candidate)
        return candidate.score > 0 ? candidate : nil
    }

    /// Orders by columns that are not fixed must be the columns after the fixed ones, all in their direction or all in
    /// the opposite one.
    private func direction(of candidate: Candidate) -> Bool? {
        let name = orders.firstIndex { $0.path.isDocumentID } ?? orders.endIndex
        var columns = candidate.columns
        var (isForward, isBackward) = (true, true)
        func compare(_ own: SortOrder.Direction, _ wanted: SortOrder.Direction) {
            if own == wanted { isBackward = false } else { isForward = false }
        }
        for order in orders[..<name] {
            if candidate.hasFixed({ $0.mode != .arrayContains && $0.path == order.path }) { continue }
            guard let column = columns.popFirst(), column.path == order.path else { return nil }
            compare(column.mode == .descending ? .descending : .ascending, order.direction)
        }
        guard columns.isEmpty else { return nil }
        compare(candidate.nameDirection, name < orders.endIndex ? orders[name].direction : .ascending)
        return isForward ? false : isBackward ? true : nil
    }

    /// Whether every condition and every ordered field is a column.
    private func isExact(_ candidate: Candidate) -> Bool {
        guard !branch.hasOtherConditions else { return false }
        if let array = branch.array, !candidate.hasFixed({ $0.mode == .arrayContains && $0.path == array.path }) { return false }
        guard branch.fields.allSatisfy({ candidate.hasValue(of: $0.path) }) else { return false }
        // Entries in the query's order have a column for each field of it.
        return candidate.isBackward != nil || orders.allSatisfy { $0.path.isDocumentID || candidate.hasValue(of: $0.path) }
    }

    private func score(_ candidate: Candidate) -> Int {
        let fixed = candidate.fixedCount
        let hasRange = candidate.columns.first.map { branch.values(of: $0.path) != nil } ?? false
        let isOrdered = candidate.isBackward != nil
        guard fixed > 0 || hasRange || (isOrdered && isLimited) else { return 0 }
        let stopsEarly = isLimited && isOrdered && candidate.isExact
        return fixed * 8 + (hasRange ? 4 : 0) + (isOrdered ? 2 : 0) + (candidate.isExact ? 1 : 0) + (stopsEarly ? 8 : 0)
    }

    /// Adds legs with the same tail until no further column is fixed; returns the best candidate of all tails.
    private func merge(_ indexes: [ReadyIndex]) -> Candidate? {
        struct Tail: Hashable {
            let columns: ArraySlice<IndexDefinition.Field>
            let nameDirection: SortOrder.Direction
        }
        var byTail: [Tail: [(index: ReadyIndex, fixed: ArraySlice<IndexDefinition.Field>)]] = [:]
        for index in indexes {
            guard let fixed = fixedPrefix(of: index), fixed > 0 else { continue }
            let fields = index.definition.fields
            let tail = Tail(columns: fields.dropFirst(fixed), nameDirection: index.definition.nameDirection)
            byTail[tail, default: []].append((index, fields.prefix(fixed)))
        }
        var best: Candidate?
        for legs in byTail.values where legs.count > 1 {
            var chosen: [(index: ReadyIndex, fixed: Int)] = []
            var covered: Set<IndexDefinition.Field> = []
            func gain(_ fields: ArraySlice<IndexDefinition.Field>) -> Int { fields.count { !covered.contains($0.column) } }
            while let next = legs.max(by: { (gain($0.fixed), -$0.index.number) < (gain($1.fixed), -$1.index.number) }),
                gain(next.fixed) > 0
            {
                chosen.append((next.index, next.fixed.count))
                covered.formUnion(next.fixed.map(\.column))
            }
            guard chosen.count > 1, var merged = candidate(chosen) else { continue }
            // A column that is fixed twice scores once.
            merged.score -= (merged.fixedFields.count - covered.count) * 8
            if best.map({ precedes(merged, $0) }) ?? true { best = merged }
        }
        return best
    }
}

extension IndexDefinition.Field {
    /// The column without its direction.
    fileprivate var column: IndexDefinition.Field { mode == .descending ? IndexDefinition.Field(path) : self }
}
