// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// What every caller and every database has used, and whether a call may use more. Decides; `Quotas` holds it.
struct QuotaTable {
    /// Why a call is refused.
    struct Refusal: Equatable {
        enum Reason: Equatable {
            case rate(QuotaResource)
            case listeners
        }

        let reason: Reason
        let subject: QuotaSubject
        /// Microseconds until the call would be admitted; nil if that depends on others.
        var wait: Int64?
    }

    var limits: QuotaLimits
    private var accounts: RecentTable<QuotaSubject, QuotaAccount>
    /// Listened targets. A subject is in it while it has some, so that it needs no bound of its own.
    private var listeners: [QuotaSubject: Int] = [:]

    init(_ limits: QuotaLimits, capacity: Int) {
        self.limits = limits
        accounts = RecentTable(capacity: capacity)
    }

    var count: Int { accounts.count }

    /// Admits a call and counts its cost for all subjects, or refuses it and counts nothing.
    mutating func admit(_ costs: [QuotaResource: Int64], for subjects: [QuotaSubject], now: Int64) -> Refusal? {
        let refusal = check(costs, for: subjects, now: now)
        if refusal == nil { add(costs, for: subjects, now: now) }
        return refusal
    }

    /// Why a call would be refused, of several reasons the one that lasts longest.
    mutating func check(_ costs: [QuotaResource: Int64], for subjects: [QuotaSubject], now: Int64) -> Refusal? {
        var refusal: Refusal?
        each(subjects, costs) { subject, resource, rate, use, cost in
            let wait = use.wait(for: cost, rate, now: now)
            if wait > refusal?.wait ?? 0 { refusal = Refusal(reason: .rate(resource), subject: subject, wait: wait) }
        }
        return refusal
    }

    /// Counts what was used, whether or not there was as much left.
    mutating func add(_ costs: [QuotaResource: Int64], for subjects: [QuotaSubject], now: Int64) {
        each(subjects, costs) { _, _, rate, use, cost in use.add(cost, rate, now: now) }
    }

    private mutating func each(
        _ subjects: [QuotaSubject], _ costs: [QuotaResource: Int64],
        _ body: (QuotaSubject, QuotaResource, QuotaLimits.Rate, inout QuotaUse, Int64) -> Void
    ) {
        for subject in subjects {
            let share = limits.share(of: subject)
            for resource in QuotaResource.allCases {
                let rate = share.rate(resource)
                guard rate.isLimited, let cost = costs[resource] else { continue }
                accounts.with(subject, default: QuotaAccount()) { account in body(subject, resource, rate, &account[resource], cost) }
            }
        }
    }

    // MARK: Listeners

    /// Admits a listener and counts it until `removeListener`, or refuses it.
    mutating func addListener(for subjects: [QuotaSubject]) -> Refusal? {
        for subject in subjects {
            if let most = limits.share(of: subject).listeners, listeners[subject] ?? 0 >= most {
                return Refusal(reason: .listeners, subject: subject)
            }
        }
        for subject in subjects { listeners[subject, default: 0] += 1 }
        return nil
    }

    mutating func removeListener(for subjects: [QuotaSubject]) {
        for subject in subjects {
            let rest = (listeners[subject] ?? 0) - 1
            listeners[subject] = rest > 0 ? rest : nil
        }
    }

    // MARK: Daily sums

    /// What subjects with daily limits have used on a day.
    func dailySums(of day: Int64) -> [QuotaSums.Entry] {
        accounts.all.compactMap { subject, account in
            var sums: [QuotaResource: Int64] = [:]
            for resource in QuotaResource.allCases where limits.share(of: subject).rate(resource).day != nil {
                let use = account[resource]
                if use.day == day, use.daily > 0 { sums[resource] = use.daily }
            }
            return sums.isEmpty ? nil : QuotaSums.Entry(subject: subject, sums: sums)
        }
    }

    mutating func restore(_ entries: [QuotaSums.Entry], of day: Int64) {
        for entry in entries {
            accounts.with(entry.subject, default: QuotaAccount()) { account in
                for (resource, sum) in entry.sums { account[resource] = QuotaUse(day: day, daily: sum) }
            }
        }
    }
}
