// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads all scans of an index access: in the query's order if every scan has it, otherwise one after the other.
/// Returns each document once.
struct IndexMerge {
    private struct Head {
        let walk: IndexWalk
        var orderKey: [UInt8]
    }

    private let access: IndexAccess
    private let walks: [IndexWalk]

    init(
        _ access: IndexAccess, scope: QueryScope, over source: some DocumentSource, counters: QueryCounters
    ) throws(FirestoreError) {
        self.access = access
        var collection: CollectionPath?
        if case .collection(let path) = scope { collection = path }
        var walks: [IndexWalk] = []
        for scan in access.scans {
            walks.append(try IndexWalk(scan, in: collection, over: source, counters: counters))
        }
        self.walks = walks
    }

    /// Calls `body` with every document until it returns `stop`.
    func forEach(_ body: (DocumentHandle) throws(FirestoreError) -> ScanStep) throws(FirestoreError) {
        if access.isOrdered, walks.count > 1 { return try merge(body) }
        var seen: Set<DocumentHandle> = []
        for walk in walks {
            while try walk.next() {
                if access.mayRepeat, !seen.insert(walk.document).inserted { continue }
                if try body(walk.document) == .stop { return }
            }
        }
    }

    private func merge(_ body: (DocumentHandle) throws(FirestoreError) -> ScanStep) throws(FirestoreError) {
        var heap: [Head] = []
        for walk in walks where try walk.next() {
            heap.append(Head(walk: walk, orderKey: walk.scan.orderKey(suffix: walk.suffix)))
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { Self.siftDown(&heap, from: index) }
        // The order ends with the name, so the same document comes several times in a row or once.
        var last: DocumentHandle?
        while let first = heap.first {
            let document = first.walk.document
            if document != last {
                last = document
                if try body(document) == .stop { return }
            }
            if try first.walk.next() {
                heap[0].orderKey = first.walk.scan.orderKey(suffix: first.walk.suffix)
            } else {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            Self.siftDown(&heap, from: 0)
        }
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
