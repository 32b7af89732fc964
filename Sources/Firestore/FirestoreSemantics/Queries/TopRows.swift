// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The first `capacity` rows among those offered, in a heap whose root is the last of them.
struct TopRows {
    private let ordering: DocumentOrdering
    private let capacity: Int
    private var heap: [SortRow] = []

    init(capacity: Int, ordering: DocumentOrdering) {
        self.capacity = capacity
        self.ordering = ordering
        heap.reserveCapacity(min(capacity, 1_024))
    }

    /// Copies the document out of the scan only if it is among the first so far.
    mutating func offer(_ scanned: borrowing ScannedDocument) {
        if heap.count == capacity {
            guard let last = heap.first else { return }
            let first = ordering.columns.first?.path.value(in: scanned.view)
            // The first column of most candidates sorts after the last row already.
            if ordering.prefix(of: first) > last.prefix { return }
        }
        offer(scanned.document())
    }

    mutating func offer(_ document: Document) {
        let row = ordering.row(document)
        if heap.count < capacity {
            heap.append(row)
            siftUp()
        } else if let last = heap.first, ordering.precedes(row, last) {
            heap[0] = row
            siftDown()
        }
    }

    func sorted() -> [Document] { heap.sorted(by: ordering.precedes).map(\.document) }

    private mutating func siftUp() {
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard ordering.precedes(heap[parent], heap[child]) else { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var last = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && ordering.precedes(heap[last], heap[child]) {
                last = child
            }
            guard last != parent else { return }
            heap.swapAt(parent, last)
            parent = last
        }
    }
}
