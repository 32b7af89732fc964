// SPDX-License-Identifier: Apache-2.0

/// A first-in, first-out queue that does not move its remaining elements.
struct CommitFIFO<Element: Sendable>: Sendable {
    private var slots: [Element?] = []
    private var first = 0

    var count: Int { slots.count - first }
    var isEmpty: Bool { count == 0 }

    /// Counted from the head; nil past the end.
    subscript(index: Int) -> Element? { index < count ? slots[first + index] : nil }

    /// The first element, for changes in place.
    var head: Element? {
        get { self[0] }
        set { if !isEmpty, let newValue { slots[first] = newValue } }
    }

    mutating func append(_ element: Element) { slots.append(element) }

    mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = slots[first]
        slots[first] = nil
        first += 1
        if first == slots.count || first > 256 && first > slots.count / 2 {
            slots.removeFirst(first)
            first = 0
        }
        return element
    }
}
