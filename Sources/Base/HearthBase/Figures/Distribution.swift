// SPDX-License-Identifier: Apache-2.0

/// How many values lie between bounds, and their sum: the content of a histogram. Of a fixed size.
package struct Distribution: Sendable, Equatable {
    /// From a tenth of a millisecond, the duration of a read, to a minute.
    package static let seconds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60,
    ]
    package static let sizes: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000]

    package let bounds: [Double]
    /// One more than there are bounds: the last is of the values beyond them.
    package private(set) var counts: [Int64]
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// The number of values.
    package var total: Int64 { counts.reduce(0, +) }

    package mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }

    /// Adds the values of a distribution with the same bounds that have come since `earlier`; all of them if it began anew since then.
    package mutating func add(_ other: Distribution, since earlier: Distribution?) {
        precondition(other.bounds == bounds, "distributions are added that have the same bounds")
        let isLater = earlier.map { earlier in zip(other.counts, earlier.counts).allSatisfy { $0 >= $1 } } ?? false
        let base = isLater ? earlier : nil
        for index in counts.indices { counts[index] += other.counts[index] - (base?.counts[index] ?? 0) }
        sum += other.sum - (base?.sum ?? 0)
    }
}
