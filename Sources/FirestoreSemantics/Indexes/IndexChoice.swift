import FirestoreCore

/// Chooses among the indexes there are for one alternative of a filter.
///
/// A choice is one index, or several that agree behind their fixed columns. More fixed columns come first, then a range,
/// then the right order; with a limit, an index that gives the order and tests everything else in its own columns beats
/// a narrower one, because it stops early.
struct IndexChoice {
    let branch: FilterBranch
    let orders: [SortOrder]
    let isLimited: Bool

    struct Candidate {
        var legs: [(index: ReadyIndex, fixed: Int)]
        /// Behind the fixed columns, the same for all legs.
        var columns: [IndexDefinition.Field]
        var nameDirection: SortOrder.Direction
        /// nil: not in the query's order.
        var isBackward: Bool?
        var isExact: Bool
        var score: Int

        var fixedFields: [IndexDefinition.Field] {
            legs.flatMap { $0.index.definition.fields.prefix($0.fixed) }
        }
    }

    func best(among indexes: [ReadyIndex]) -> Candidate? {
        let single = indexes.compactMap { candidate([$0]) }
        // Ties go to the shorter index, then to the older one.
        guard let best = single.min(by: precedes) else { return nil }
        guard best.fixedFields.count < fixable, let merged = merge(indexes), precedes(merged, best) else { return best }
        return merged
    }

    private func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.score != right.score { return left.score > right.score }
        let (one, other) = (left.legs.count + left.columns.count, right.legs.count + right.columns.count)
        if one != other { return one < other }
        return left.legs[0].index.number < right.legs[0].index.number
    }

    /// Conditions that fix a column.
    private var fixable: Int { branch.fields.values.count { $0.points != nil } + (branch.array == nil ? 0 : 1) }

    private func isFixed(_ field: IndexDefinition.Field) -> Bool {
        field.mode == .arrayContains
            ? branch.array?.path == field.path : branch.fields[field.path]?.points != nil
    }

    /// How many leading columns are fixed; nil if the index lacks documents of the branch or repeats them.
    private func fixedPrefix(of index: ReadyIndex) -> Int? {
        let fields = index.definition.fields
        let present = branch.paths.union(orders.lazy.map(\.path))
        guard fields.allSatisfy({ present.contains($0.path) }) else { return nil }
        let fixed = fields.prefix(while: isFixed).count
        // An array column that is not fixed would show a document once per element.
        return fields.dropFirst(fixed).contains { $0.mode == .arrayContains } ? nil : fixed
    }

    /// Legs that agree behind their fixed columns.
    private func candidate(_ indexes: [ReadyIndex]) -> Candidate? {
        var legs: [(index: ReadyIndex, fixed: Int)] = []
        for index in indexes {
            guard let fixed = fixedPrefix(of: index) else { return nil }
            legs.append((index, fixed))
        }
        guard let first = legs.first else { return nil }
        let definition = first.index.definition
        var candidate = Candidate(
            legs: legs, columns: Array(definition.fields.dropFirst(first.fixed)),
            nameDirection: definition.nameDirection, isBackward: nil, isExact: false, score: 0)
        candidate.isBackward = direction(of: candidate)
        candidate.isExact = isExact(candidate)
        candidate.score = score(candidate)
        return candidate.score > 0 ? candidate : nil
    }

    /// Orders by columns that are not fixed must be the columns behind the fixed ones, all in their direction or all in
    /// the other.
    private func direction(of candidate: Candidate) -> Bool? {
        let fixed = Set(candidate.fixedFields.filter { $0.mode != .arrayContains }.map(\.path))
        let name = orders.firstIndex { $0.path.isDocumentID } ?? orders.endIndex
        let open = orders[..<name].filter { !fixed.contains($0.path) }
        guard open.map(\.path) == candidate.columns.map(\.path) else { return nil }
        let own = candidate.columns.map { $0.mode == .descending } + [candidate.nameDirection == .descending]
        let wanted = open.map { $0.direction == .descending }
            + [(name < orders.endIndex ? orders[name].direction : .ascending) == .descending]
        if own == wanted { return false }
        return own == wanted.map { !$0 } ? true : nil
    }

    /// Every condition and every ordered field is a column.
    private func isExact(_ candidate: Candidate) -> Bool {
        guard !branch.hasOtherConditions else { return false }
        let fixed = candidate.fixedFields
        if let array = branch.array, !fixed.contains(where: { $0.mode == .arrayContains && $0.path == array.path }) { return false }
        let columns = Set((fixed + candidate.columns).filter { $0.mode != .arrayContains }.map(\.path))
        return branch.fields.keys.allSatisfy(columns.contains)
            && orders.allSatisfy { $0.path.isDocumentID || columns.contains($0.path) }
    }

    private func score(_ candidate: Candidate) -> Int {
        let fixed = candidate.fixedFields.count
        let hasRange = candidate.columns.first.map { branch.fields[$0.path] != nil } ?? false
        let isOrdered = candidate.isBackward != nil
        guard fixed > 0 || hasRange || (isOrdered && isLimited) else { return 0 }
        let stopsEarly = isLimited && isOrdered && candidate.isExact
        return fixed * 8 + (hasRange ? 4 : 0) + (isOrdered ? 2 : 0) + (candidate.isExact ? 1 : 0) + (stopsEarly ? 8 : 0)
    }

    /// Adds legs with the same tail until nothing more gets fixed; the best of all tails.
    private func merge(_ indexes: [ReadyIndex]) -> Candidate? {
        struct Tail: Hashable {
            let columns: [IndexDefinition.Field]
            let nameDirection: SortOrder.Direction
        }
        var byTail: [Tail: [(index: ReadyIndex, fixed: [IndexDefinition.Field])]] = [:]
        for index in indexes {
            guard let fixed = fixedPrefix(of: index), fixed > 0 else { continue }
            let fields = index.definition.fields
            let tail = Tail(columns: Array(fields.dropFirst(fixed)), nameDirection: index.definition.nameDirection)
            byTail[tail, default: []].append((index, Array(fields.prefix(fixed))))
        }
        var best: Candidate?
        for legs in byTail.values where legs.count > 1 {
            var chosen: [ReadyIndex] = []
            var covered: Set<IndexDefinition.Field> = []
            func gain(_ fields: [IndexDefinition.Field]) -> Int { fields.count { !covered.contains($0.column) } }
            while let next = legs.max(by: { (gain($0.fixed), -$0.index.number) < (gain($1.fixed), -$1.index.number) }),
                gain(next.fixed) > 0
            {
                chosen.append(next.index)
                covered.formUnion(next.fixed.map(\.column))
            }
            guard chosen.count > 1, var merged = candidate(chosen) else { continue }
            // A column fixed twice counts once.
            merged.score -= (merged.fixedFields.count - covered.count) * 8
            if best.map({ precedes(merged, $0) }) ?? true { best = merged }
        }
        return best
    }
}

extension IndexDefinition.Field {
    /// The column whatever its direction.
    fileprivate var column: IndexDefinition.Field { mode == .descending ? IndexDefinition.Field(path) : self }
}
