// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The changes that turn one snapshot of a result into another, without knowing the order of the query.
///
/// Documents of which only the metadata changed keep their order among each other, because an order depends on content alone.
/// They and those modified documents that did not move are the fixed points; the others move between them.
struct SnapshotDifference {
    /// A document in both snapshots.
    private struct Kept {
        let old: Int
        let new: Int
        /// nil if nothing changed.
        let kind: ViewChange.Kind?
        var moves = false
    }

    private let old: [Document]
    private let new: [Document]
    private var kept: [Kept] = []
    private var removed: [Int] = []
    private var added: [Int] = []

    init(from earlier: ViewSnapshot, to later: ViewSnapshot, includesMetadataChanges: Bool) {
        old = Array(earlier.documents)
        new = Array(later.documents)
        var positions: [DocumentKey: Int] = [:]
        positions.reserveCapacity(old.count)
        for (index, document) in old.enumerated() { positions[document.key] = index }
        for (index, document) in new.enumerated() {
            guard let position = positions.removeValue(forKey: document.key) else {
                added.append(index)
                continue
            }
            var kind: ViewChange.Kind?
            if old[position].fields != document.fields {
                kind = .modified
            } else if includesMetadataChanges,
                earlier.pendingKeys.contains(document.key) != later.pendingKeys.contains(document.key)
            {
                kind = .metadata
            }
            kept.append(Kept(old: position, new: index, kind: kind))
        }
        removed = positions.values.sorted()
        findMoves()
    }

    /// Removed, then added, then modified and metadata; the indices assume that they are applied in this order (LS-48, LS-49).
    var changes: [ViewChange] {
        let places = Places(old: old.count, new: new.count, kept: kept.map { ($0.old, $0.new, $0.moves) })
        var line = OccupiedPlaces(count: places.count)
        for place in places.old { line.occupy(place) }
        var changes: [ViewChange] = []
        for index in removed {
            let place = places.old[index]
            line.vacate(place)
            changes.append(ViewChange(kind: .removed, document: old[index], oldIndex: line.countBefore(place), newIndex: nil))
        }
        for index in added {
            let place = places.new[index]
            changes.append(ViewChange(kind: .added, document: new[index], oldIndex: nil, newIndex: line.countBefore(place)))
            line.occupy(place)
        }
        for document in kept {
            guard let kind = document.kind else { continue }
            let (from, to) = (places.old[document.old], places.new[document.new])
            line.vacate(from)
            changes.append(
                ViewChange(
                    kind: kind, document: new[document.new], oldIndex: line.countBefore(from), newIndex: line.countBefore(to)))
            line.occupy(to)
        }
        return changes
    }

    // MARK: Moves

    /// Marks the modified documents that do not keep their order with the fixed ones.
    private mutating func findMoves() {
        var limit = old.count
        var limits = [Int](repeating: limit, count: kept.count)
        for index in kept.indices.reversed() {
            limits[index] = limit
            if kept[index].kind != .modified { limit = kept[index].old }
        }
        var floor = -1
        var start = 0
        for index in kept.indices {
            if kept[index].kind == .modified {
                kept[index].moves = kept[index].old < floor || kept[index].old > limits[index]
            } else {
                markMoves(in: start..<index)
                floor = kept[index].old
                start = index + 1
            }
        }
        markMoves(in: start..<kept.count)
    }

    /// Between two fixed documents, all but a longest run of documents in their old order move.
    private mutating func markMoves(in range: Range<Int>) {
        let candidates = range.filter { !kept[$0].moves }
        guard candidates.count > 1 else { return }
        // Patience sorting: the last document of the best run of each length, and every document's predecessor.
        var ends: [Int] = []
        var before: [Int: Int] = [:]
        for index in candidates {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if kept[ends[middle]].old < kept[index].old { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var stays: Set<Int> = []
        var last = ends.last
        while let index = last {
            stays.insert(index)
            last = before[index]
        }
        for index in candidates where !stays.contains(index) { kept[index].moves = true }
    }
}

/// One line of places for the documents of both snapshots: a fixed document has one place, a moving one two.
private struct Places {
    /// The place of every document of the old snapshot.
    private(set) var old: [Int]
    /// The place of every document of the new snapshot.
    private(set) var new: [Int]
    private(set) var count = 0

    init(old oldCount: Int, new newCount: Int, kept: [(old: Int, new: Int, moves: Bool)]) {
        old = [Int](repeating: 0, count: oldCount)
        new = [Int](repeating: 0, count: newCount)
        var (nextOld, nextNew) = (0, 0)
        for document in kept where !document.moves {
            fill(&nextOld, to: document.old, &nextNew, to: document.new)
            old[document.old] = count
            new[document.new] = count
            count += 1
            (nextOld, nextNew) = (document.old + 1, document.new + 1)
        }
        fill(&nextOld, to: oldCount, &nextNew, to: newCount)
    }

    /// The places between two fixed documents: those of the new snapshot first.
    private mutating func fill(_ nextOld: inout Int, to oldEnd: Int, _ nextNew: inout Int, to newEnd: Int) {
        while nextNew < newEnd {
            new[nextNew] = count
            count += 1
            nextNew += 1
        }
        while nextOld < oldEnd {
            old[nextOld] = count
            count += 1
            nextOld += 1
        }
    }
}

/// Counts the occupied places before a place, in logarithmic time (a Fenwick tree).
private struct OccupiedPlaces {
    private var sums: [Int]

    init(count: Int) { sums = [Int](repeating: 0, count: count + 1) }

    mutating func occupy(_ place: Int) { add(1, at: place) }
    mutating func vacate(_ place: Int) { add(-1, at: place) }

    func countBefore(_ place: Int) -> Int {
        var (index, result) = (place, 0)
        while index > 0 {
            result += sums[index]
            index &= index - 1
        }
        return result
    }

    private mutating func add(_ difference: Int, at place: Int) {
        var index = place + 1
        while index < sums.count {
            sums[index] += difference
            index += index & -index
        }
    }
}
