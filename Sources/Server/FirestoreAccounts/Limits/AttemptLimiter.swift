// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Counts attempts by key in token buckets, in bounded memory.
struct AttemptLimiter {
    private struct Bucket {
        var left: Double
        var time: Int64
    }

    private var buckets: [String: Bucket] = [:]
    private let capacity: Int

    init(capacity: Int = 50_000) { self.capacity = capacity }

    /// Whether another attempt is allowed, which is then counted. `now` is in microseconds.
    mutating func take(_ key: String, _ budget: AttemptBudget?, now: Int64) -> Bool {
        guard let budget else { return true }
        var bucket = current(key, budget, now)
        guard bucket.left >= 1 else { return false }
        bucket.left -= 1
        store(bucket, key)
        return true
    }

    mutating func giveBack(_ key: String, _ budget: AttemptBudget?) {
        guard let budget, var bucket = buckets[key] else { return }
        bucket.left = min(budget.burst, bucket.left + 1)
        buckets[key] = bucket
    }

    /// Forgets the attempts of a key.
    mutating func forget(_ key: String) { buckets[key] = nil }

    private func current(_ key: String, _ budget: AttemptBudget, _ now: Int64) -> Bucket {
        guard let bucket = buckets[key] else { return Bucket(left: budget.burst, time: now) }
        // A clock that was set back does not refill.
        let passed = Double(max(0, now - bucket.time)) / 1_000_000
        return Bucket(left: min(budget.burst, bucket.left + passed * budget.perSecond), time: now)
    }

    private mutating func store(_ bucket: Bucket, _ key: String) {
        if buckets.count >= capacity, buckets[key] == nil {
            // Attempts from very many addresses: the older half is forgotten.
            let times = buckets.values.map(\.time).sorted()
            let middle = times[times.count / 2]
            buckets = buckets.filter { $0.value.time > middle }
            if buckets.count >= capacity { buckets.removeAll() }
        }
        buckets[key] = bucket
    }
}
