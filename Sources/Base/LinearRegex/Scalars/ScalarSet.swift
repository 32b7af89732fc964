// SPDX-License-Identifier: Apache-2.0

/// Code points from `first` to `last`, both included.
struct ScalarRange: Hashable, Sendable {
    var first: UInt32
    var last: UInt32

    static let maximum: UInt32 = 0x10FFFF

    init(_ first: UInt32, _ last: UInt32) {
        self.first = first
        self.last = last
    }
}

/// A set of code points: sorted ranges that neither overlap nor touch.
struct ScalarSet: Hashable, Sendable {
    private(set) var ranges: [ScalarRange]

    static let all = ScalarSet([ScalarRange(0, ScalarRange.maximum)])
    static let newline = ScalarSet([ScalarRange(10, 10)])

    /// The union of ranges in any order.
    init(_ unordered: [ScalarRange]) {
        ranges = []
        ranges.reserveCapacity(unordered.count)
        for range in unordered.sorted(by: { $0.first < $1.first }) {
            if let end = ranges.last?.last, range.first <= end || range.first == end + 1 {
                ranges[ranges.count - 1].last = max(end, range.last)
            } else {
                ranges.append(range)
            }
        }
    }

    init(_ scalar: UInt32) { ranges = [ScalarRange(scalar, scalar)] }

    var inverted: ScalarSet {
        var gaps: [ScalarRange] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.first > next { gaps.append(ScalarRange(next, range.first - 1)) }
            next = range.last + 1
        }
        if next <= ScalarRange.maximum { gaps.append(ScalarRange(next, ScalarRange.maximum)) }
        return ScalarSet(gaps)
    }

    /// The only member, if there is one only.
    var single: UInt32? {
        guard ranges.count == 1, ranges[0].first == ranges[0].last else { return nil }
        return ranges[0].first
    }

    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].first <= scalar
    }
}
