// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads all scans of an index access: in the query's order if every scan has it, otherwise one after the other.
/// Returns each document once.
final class IndexMerge {
    private struct Head {
        let walk: IndexWalk
        var orderKey: [UInt8]
    }

    private let access: IndexAccess
    /// Whether several walks are read side by side.
    private let isMerged: Bool
    /// Those that are not read to their end, if they are read one after the other.
    private var walks: ArraySlice<IndexWalk> = []
    private var seen: Set<DocumentHandle> = []
    /// The walks that are merged, the first one in the query's order at the top; nil before the first document.
    private var heap: [Head]?
    private var last: DocumentHandle?

    init(
        _ access: IndexAccess, scope: QueryScope, over source: some DocumentSource, counters: QueryCounters
    ) throws(FirestoreError) {
        self.access = access
        var collection: CollectionPath?
        if case .collection(let path) = scope { collection = path }
        for scan in access.scans {
            walks.append(try IndexWalk(scan, in: collection, over: source, counters: counters))
        }
        isMerged = access.isOrdered && walks.count > 1
    }

    /// The next document; nil at the end.
    func next() throws(FirestoreError) -> DocumentHandle? {
        if isMerged { return try nextMerged() }
        while let walk = walks.first {
            while try walk.next() {
                if !access.mayRepeat || seen.insert(walk.document).inserted { return walk.document }
            }
            walks.removeFirst()
        }
        return nil
    }

    /// Calls `body` with every document until it returns `stop`.
    func forEach(_ body: (DocumentHandle) throws(FirestoreError) -> ScanStep) throws(FirestoreError) {
        while let document = try next() {
            if try body(document) == .stop { return }
        }
    }

    private func nextMerged() throws(FirestoreError) -> DocumentHandle? {
        var heap: [Head]
        if let known = self.heap.take() {
            heap = known
            try advance(&heap)
        } else {
            heap = try heads()
        }
        // The order ends with the name, so the same document comes several times in a row or once.
        while let document = heap.first?.walk.document, document == last { try advance(&heap) }
        last = heap.first?.walk.document
        self.heap = heap
        return last
    }

    private func heads() throws(FirestoreError) -> [Head] {
        var heap: [Head] = []
        for walk in walks where try walk.next() {
            heap.append(Head(walk: walk, orderKey: walk.scan.orderKey(suffix: walk.suffix)))
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { Self.siftDown(&heap, from: index) }
        return heap
    }

    /// Leaves the first entry.
    private func advance(_ heap: inout [Head]) throws(FirestoreError) {
        guard let walk = heap.first?.walk else { return }
        if try walk.next() {
            heap[0].orderKey = walk.scan.orderKey(suffix: walk.suffix)
        } else {
            heap[0] = heap[heap.count - 1]
            heap.removeLast()
        }
        Self.siftDown(&heap, from: 0)
    }

    private static func siftDown(_ heap: inout [Head], from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].orderKey.lexicographicallyPrecedes(heap[least].orderKey) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
