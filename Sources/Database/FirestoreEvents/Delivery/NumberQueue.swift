// SPDX-License-Identifier: Apache-2.0

/// Numbers, first in, first out, without moving the rest for each.
struct NumberQueue {
    private var numbers: [Int] = []
    private var start = 0

    var first: Int? { start < numbers.count ? numbers[start] : nil }

    mutating func append(_ number: Int) { numbers.append(number) }

    mutating func popFirst() -> Int? {
        guard let first else { return nil }
        advance()
        return first
    }

    private mutating func advance() {
        start += 1
        guard start > 64, start * 2 > numbers.count else { return }
        numbers.removeFirst(start)
        start = 0
    }
}
