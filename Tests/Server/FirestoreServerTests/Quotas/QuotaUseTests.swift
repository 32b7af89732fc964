// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreServer

/// OT-54: exact at the edge, the end of a day.
struct QuotaUseTests {
    private static let second: Int64 = 1_000_000
    private static let noon: Int64 = 20_000 * QuotaUse.dayLength + QuotaUse.dayLength / 2

    private func admit(_ use: inout QuotaUse, _ cost: Int64, _ rate: QuotaLimits.Rate, at now: Int64) -> Int64 {
        let wait = use.wait(for: cost, rate, now: now)
        if wait == 0 { use.add(cost, rate, now: now) }
        return wait
    }

    @Test func `as many as the limit are admitted, and one more when its time has come`() {
        var use = QuotaUse()
        let rate = QuotaLimits.Rate(minute: 60)
        for _ in 0..<60 { #expect(admit(&use, 1, rate, at: Self.noon) == 0) }
        #expect(admit(&use, 1, rate, at: Self.noon) == Self.second)
        #expect(admit(&use, 1, rate, at: Self.noon + Self.second - 1) == 1)
        #expect(admit(&use, 1, rate, at: Self.noon + Self.second) == 0)
        #expect(admit(&use, 1, rate, at: Self.noon + Self.second) == Self.second)
        // After a minute all of it is back, and no more than that.
        for _ in 0..<60 { #expect(admit(&use, 1, rate, at: Self.noon + 1_000 * Self.second) == 0) }
        #expect(admit(&use, 1, rate, at: Self.noon + 1_000 * Self.second) > 0)
    }

    @Test(arguments: [1, 3, 7, 59, 1_000, 10_000_000_000] as [Int64]) func `the wait is exact for every limit`(limit: Int64) {
        var use = QuotaUse()
        let rate = QuotaLimits.Rate(minute: limit)
        #expect(admit(&use, limit, rate, at: Self.noon) == 0)
        let wait = admit(&use, 1, rate, at: Self.noon)
        #expect(wait > 0)
        var early = use
        #expect(early.wait(for: 1, rate, now: Self.noon + wait - 1) == 1)
        #expect(admit(&use, 1, rate, at: Self.noon + wait) == 0)
    }

    @Test func `what exceeds the limit by itself waits for all of it`() {
        var use = QuotaUse()
        let rate = QuotaLimits.Rate(minute: 60)
        #expect(admit(&use, 1, rate, at: Self.noon) == 0)
        #expect(admit(&use, 500, rate, at: Self.noon) == Self.second)
        #expect(admit(&use, 500, rate, at: Self.noon + Self.second) == 0)
        // It is paid for afterwards, during ten minutes at most.
        use.add(1_000_000, rate, now: Self.noon + Self.second)
        #expect(use.wait(for: 1, rate, now: Self.noon + Self.second) == 600 * Self.second + Self.second)
    }

    @Test func `a limit of nothing admits nothing`() {
        var use = QuotaUse()
        #expect(use.wait(for: 1, QuotaLimits.Rate(minute: 0), now: Self.noon) > 0)
        #expect(use.wait(for: 1, QuotaLimits.Rate(day: 0), now: Self.noon) > 0)
        #expect(use.wait(for: 1, QuotaLimits.Rate(), now: Self.noon) == 0)
    }

    @Test func `the sum of a day ends with the day`() {
        var use = QuotaUse()
        let rate = QuotaLimits.Rate(day: 3)
        let evening = 20_001 * QuotaUse.dayLength - 10 * Self.second
        for _ in 0..<3 { #expect(admit(&use, 1, rate, at: evening) == 0) }
        #expect(admit(&use, 1, rate, at: evening) == 10 * Self.second)
        #expect(admit(&use, 1, rate, at: evening + 10 * Self.second - 1) == 1)
        for _ in 0..<3 { #expect(admit(&use, 1, rate, at: evening + 10 * Self.second) == 0) }
        #expect(admit(&use, 1, rate, at: evening + 10 * Self.second) == QuotaUse.dayLength)
    }

    @Test func `what is given back was not used`() {
        var use = QuotaUse()
        let rate = QuotaLimits.Rate(minute: 5, day: 5)
        #expect(admit(&use, 5, rate, at: Self.noon) == 0)
        use.add(-2, rate, now: Self.noon)
        #expect(admit(&use, 2, rate, at: Self.noon) == 0)
        #expect(admit(&use, 1, rate, at: Self.noon) > 0)
    }

    @Test func `a clock that is set back gives nothing back`() {
        var use = QuotaUse()
        let rate = QuotaLimits.Rate(minute: 60)
        #expect(admit(&use, 60, rate, at: Self.noon) == 0)
        #expect(admit(&use, 1, rate, at: Self.noon - 30 * Self.second) == Self.second)
        #expect(admit(&use, 1, rate, at: Self.noon - 29 * Self.second) == 0)
    }
}
