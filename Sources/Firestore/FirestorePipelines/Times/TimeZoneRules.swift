// SPDX-License-Identifier: Apache-2.0

/// How far the clocks of a zone are ahead of UTC, at every moment.
struct TimeZoneRules: Sendable {
    /// From these seconds since 1970 on the offset of the same place applies, in ascending order.
    private let transitions: [Int64]
    private let offsets: [Int64]
    /// Before the first transition.
    private let initial: Int64
    /// From the last transition on; nil if the last offset remains.
    private let later: RecurringOffsets?

    static let utc = TimeZoneRules(offset: 0)

    /// A zone that never changes; seconds east of Greenwich.
    init(offset: Int64) { self.init(initial: offset, transitions: [], offsets: [], later: nil) }

    init(initial: Int64, transitions: [Int64], offsets: [Int64], later: RecurringOffsets?) {
        (self.initial, self.transitions, self.offsets, self.later) = (initial, transitions, offsets, later)
    }

    /// Seconds east of Greenwich at a time in seconds since 1970.
    func offset(at time: Int64) -> Int64 {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        if low == transitions.count, let later { return later.offset(at: time) }
        return low == 0 ? initial : offsets[low - 1]
    }

    /// The first moment at which clocks show a time, given as if it were UTC. When they skip it, the moment of the change.
    func firstMoment(ofLocal local: Int64) -> Int64 {
        // No zone is a day ahead or behind, so these are the offsets before and after every change that matters.
        let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
        if offset(at: local - before) == before { return local - before }
        if offset(at: local - after) == after { return local - after }
        // The clocks jump over the time between these two moments: at the first one they show less, at the second one more.
        var (low, high) = (local - max(before, after), local - min(before, after))
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if middle + offset(at: middle) < local { low = middle } else { high = middle }
        }
        return high
    }
}
