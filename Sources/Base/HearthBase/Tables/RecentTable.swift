// SPDX-License-Identifier: Apache-2.0

/// A dictionary of a bounded size: the key that was used longest ago makes room. Every step takes constant time.
package struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var key: Key
        var value: Value
        /// The entries that were used just before and just after it.
        var earlier: Int?
        var later: Int?
    }

    private let capacity: Int
    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]
    private var earliest: Int?
    private var latest: Int?

    package init(capacity: Int) {
        precondition(capacity > 0, "something is kept")
        self.capacity = capacity
    }

    package var count: Int { entries.count }

    /// All entries, in no particular order. Reading them here does not make them recent.
    package var all: [(key: Key, value: Value)] { entries.map { ($0.key, $0.value) } }

    /// The value of a key, to be read and changed in place: a use of the key.
    package mutating func with<R>(_ key: Key, default value: @autoclosure () -> Value, _ body: (inout Value) -> R) -> R {
        body(&entries[use(key, value())].value)
    }

    /// The value of a key; nil if it is not in the table. This does not count as using the key.
    package subscript(key: Key) -> Value? { places[key].map { entries[$0].value } }

    /// Changes the value of a key that is in the table. This does not count as using the key.
    package mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        if let place = places[key] { body(&entries[place].value) }
    }

    private mutating func use(_ key: Key, _ value: @autoclosure () -> Value) -> Int {
        if let place = places[key] {
            guard place != latest else { return place }
            unlink(place)
            link(place)
            return place
        }
        var place = entries.count
        let entry = Entry(key: key, value: value())
        if entries.count < capacity {
            entries.append(entry)
        } else if let earliest {
            place = earliest
            unlink(place)
            places[entries[place].key] = nil
            entries[place] = entry
        }
        places[key] = place
        link(place)
        return place
    }

    private mutating func unlink(_ place: Int) {
        let (earlier, later) = (entries[place].earlier, entries[place].later)
        if let earlier { entries[earlier].later = later } else { earliest = later }
        if let later { entries[later].earlier = earlier } else { latest = earlier }
    }

    /// Makes an entry the latest.
    private mutating func link(_ place: Int) {
        entries[place].earlier = latest
        entries[place].later = nil
        if let latest { entries[latest].later = place } else { earliest = place }
        latest = place
    }
}
