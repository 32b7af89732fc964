// SPDX-License-Identifier: Apache-2.0

/// What of one resource was used: in the last minute, by a bucket whose allowance comes back steadily, and on the present day.
struct QuotaUse: Sendable, Equatable {
    static let minute: Int64 = 60_000_000
    static let dayLength: Int64 = 86_400_000_000
    /// A result that is larger than expected is paid for during so many minutes at most.
    private static let longestDebt: Int64 = 10

    /// What has not come back yet, in units times microseconds of a minute, so that numbers remain whole.
    private var spent: Int64 = 0
    /// Microseconds since 1970.
    private var time: Int64 = 0
    private(set) var day: Int64 = 0
    private(set) var daily: Int64 = 0

    init() {}

    /// A daily sum of before.
    init(day: Int64, daily: Int64) {
        self.day = day
        self.daily = daily
    }

    /// In how many microseconds `cost` may be used; 0 for now. What exceeds a limit by itself has to wait for all of it.
    mutating func wait(for cost: Int64, _ rate: QuotaLimits.Rate, now: Int64) -> Int64 {
        pass(rate, now)
        var wait: Int64 = 0
        if let limit = rate.minute {
            let missing = spent - (limit - min(cost, limit)) * Self.minute
            wait = limit == 0 ? Self.minute : missing > 0 ? (missing + limit - 1) / limit : 0
        }
        if let limit = rate.day, daily > limit - min(cost, limit) || limit == 0 {
            wait = max(wait, (day + 1) * Self.dayLength - now)
        }
        return wait
    }

    /// Counts a cost; a negative one gives back.
    mutating func add(_ cost: Int64, _ rate: QuotaLimits.Rate, now: Int64) {
        pass(rate, now)
        daily = max(0, daily + cost)
        guard let limit = rate.minute else { return }
        let most = (Self.longestDebt + 1) * limit
        spent = spent / Self.minute + cost >= most ? most * Self.minute : max(0, spent + cost * Self.minute)
    }

    /// What has come back since the last time. A clock that is set back gives nothing back, and takes nothing.
    private mutating func pass(_ rate: QuotaLimits.Rate, _ now: Int64) {
        let today = now / Self.dayLength
        if day != today { (day, daily) = (today, 0) }
        let (back, isMore) = max(now - time, 0).multipliedReportingOverflow(by: rate.minute ?? 0)
        spent = isMore ? 0 : max(spent - back, 0)
        time = now
    }
}

/// The use of all resources by one subject.
struct QuotaAccount: Sendable {
    var reads = QuotaUse()
    var writes = QuotaUse()
    var writtenBytes = QuotaUse()

    subscript(_ resource: QuotaResource) -> QuotaUse {
        get {
            switch resource {
            case .reads: reads
            case .writes: writes
            case .writtenBytes: writtenBytes
            }
        }
        set {
            switch resource {
            case .reads: reads = newValue
            case .writes: writes = newValue
            case .writtenBytes: writtenBytes = newValue
            }
        }
    }
}
