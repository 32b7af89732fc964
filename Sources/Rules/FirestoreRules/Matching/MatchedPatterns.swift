// SPDX-License-Identifier: Apache-2.0

/// The patterns that match a path, by their numbers. Most paths match one, which takes no memory.
struct MatchedPatterns: Sequence, IteratorProtocol {
    private var first: Int?
    /// After sorting, from the last to the second.
    private var others: [Int] = []

    init() {}

    init(_ ids: some Sequence<Int>) {
        for id in ids { append(id) }
        sort()
    }

    mutating func append(_ id: Int) {
        if first == nil { first = id } else { others.append(id) }
    }

    mutating func sort() {
        guard !others.isEmpty, let first else { return }
        others.append(first)
        others.sort(by: >)
        self.first = others.popLast()
    }

    mutating func next() -> Int? {
        defer { first = others.popLast() }
        return first
    }
}
