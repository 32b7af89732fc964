// SPDX-License-Identifier: Apache-2.0

/// About the most frequent elements of a stream, in a fixed amount of memory: the algorithm Space-Saving (Metwally and others, 2005).
///
/// An element that comes more often than one in `capacity` is always among them. A count is never too small, and too large by at most
/// `error`. Every step takes constant time.
package struct FrequentElements<Element: Hashable & Sendable>: Sendable {
    package struct Entry: Sendable {
        package let element: Element
        package fileprivate(set) var count: Int
        /// By how much the count may be too large: the element took the place of another one.
        package let error: Int
    }

    private let capacity: Int
    /// With descending counts.
    private var entries: [Entry] = []
    private var places: [Element: Int] = [:]
    /// The first place of each count.
    private var starts: [Int: Int] = [:]

    package init(capacity: Int) {
        precondition(capacity > 0, "something is counted")
        self.capacity = capacity
    }

    package mutating func add(_ element: Element) {
        if let place = places[element] { return increment(place) }
        guard entries.count < capacity else { return replaceLast(by: element) }
        places[element] = entries.count
        if starts[1] == nil { starts[1] = entries.count }
        entries.append(Entry(element: element, count: 1, error: 0))
    }

    /// The most frequent ones, the most frequent first.
    package func first(_ most: Int) -> [Entry] { Array(entries.prefix(most)) }

    /// Moves an entry before all others of its count, and then counts it.
    private mutating func increment(_ place: Int) {
        let count = entries[place].count
        let start = starts[count] ?? place
        if start != place {
            entries.swapAt(start, place)
            places[entries[place].element] = place
            places[entries[start].element] = start
        }
        let next = start + 1
        starts[count] = next < entries.count && entries[next].count == count ? next : nil
        entries[start].count += 1
        if starts[count + 1] == nil { starts[count + 1] = start }
    }

    /// The least frequent element makes room, and leaves its count as the error of the new one.
    private mutating func replaceLast(by element: Element) {
        let place = entries.count - 1
        let last = entries[place]
        places[last.element] = nil
        places[element] = place
        entries[place] = Entry(element: element, count: last.count, error: last.count)
        increment(place)
    }
}
