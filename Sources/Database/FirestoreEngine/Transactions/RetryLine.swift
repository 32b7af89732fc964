// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Decides which transaction goes first where several conflict (TX-9).
///
/// The database is optimistic: of sixteen transactions that read and write one document at the same time, one commits and fifteen
/// are aborted. Clients that retry immediately, as the official Python client does, would use up their attempts. So a transaction
/// that retries an aborted one takes a *turn* at the places where its predecessors failed. During the turn, transactions that
/// begin by reading there wait in line, and those that have read there before are aborted when they commit, because their commit
/// would abort the holder again. The line is ordered by the age of the first attempt.
///
/// Clients also name the wrong transaction: in the official Python client the threads that share a function share its notes about
/// the attempt, so one names another thread's transaction, which still runs or has committed. Such a retry takes its turn when it
/// first reads a place at which transactions were aborted a moment ago.
///
/// A turn is not a lock: whether a commit succeeds depends on its reads alone, and writes outside of transactions never wait.
/// Everything is bounded: an unused turn lapses, a wait ends, and only a limited number of aborted transactions is remembered.
///
/// Decides only; `RetryGate` waits and wakes. Times are microseconds of a monotonic clock.
struct RetryLine {
    enum Entry: Equatable {
        /// The transaction may run: it has the turn, or no other transaction waits for the documents it reads.
        case goOn
        case wait
    }

    struct Limits: Sendable {
        /// A turn lapses when its transaction was inactive for this long…
        var idle: Int64 = 2_000_000
        /// …and after this time in any case.
        var turn: Int64 = 10_000_000
        /// The longest wait of a transaction.
        var wait: Int64 = 15_000_000
        /// How long an aborted transaction is remembered…
        var memory: Int64 = 60_000_000
        /// …and how many of them.
        var remembered = 4_096
        /// The maximum number of places of each.
        var places = 16
        /// How long a place is considered contested after a transaction was aborted there.
        var contest: Int64 = 2_000_000
    }

    /// A transaction that waits for a turn or has one.
    private struct Run {
        let places: [DocumentKey]
        /// When it began to wait, or when its turn began.
        var since: Int64
        var used: Int64
        var hasTurn = false
        var hasRead: Bool
    }

    /// An aborted transaction, and its next attempt while that is open.
    private struct Loss {
        /// The number of the first attempt.
        var seniority: UInt64
        var places: [DocumentKey]
        var time: Int64
    }

    let limits: Limits
    private var runs: [UInt64: Run] = [:]
    /// In the order in which they get their turns.
    private var waiting: [(seniority: UInt64, id: UInt64)] = []
    /// The holder of each turn. `DocumentKey` is the key because it compares bytes; collections are places, too.
    private var holders: [DocumentKey: UInt64] = [:]
    /// How many runs name a place.
    private var interest: [DocumentKey: Int] = [:]
    private var losses: [UInt64: Loss] = [:]
    /// When transactions were last aborted at a place.
    private var contested: [DocumentKey: Int64] = [:]
    /// Transactions that have not read yet and retry one of which no loss is known, and when they began.
    private var misnamed: [UInt64: Int64] = [:]

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether no transaction waits, has a turn or is to take one: the usual case, in which nothing has to be looked up.
    var isEmpty: Bool { runs.isEmpty && misnamed.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }
    func hasTurn(_ id: UInt64) -> Bool { runs[id]?.hasTurn == true }
    var rememberedCount: Int { losses.count }

    // MARK: Events

    /// A transaction begins as a retry of `earlier`.
    mutating func begin(_ id: UInt64, retrying earlier: UInt64, now: Int64) -> Entry {
        guard let loss = loss(of: earlier, now) else {
            note(id, now)
            return .goOn
        }
        remember(Loss(seniority: loss.seniority, places: loss.places, time: now), for: [id])
        return enter(id, seniority: loss.seniority, at: loss.places, hasRead: false, now)
    }

    /// A transaction is about to read for the first time.
    mutating func read(_ id: UInt64, at places: some Sequence<DocumentKey>, now: Int64) -> Entry {
        if runs[id] != nil {
            runs[id]?.used = now
            runs[id]?.hasRead = true
            return .goOn
        }
        guard !isEmpty else { return .goOn }
        let isRetry = misnamed.removeValue(forKey: id) != nil
        var wanted: Set<DocumentKey> = []
        for place in places where wanted.count < limits.places {
            if interest[place] != nil || isRetry && isContested(place, now) { wanted.insert(place) }
        }
        guard !wanted.isEmpty else { return .goOn }
        return enter(id, seniority: loss(of: id, now)?.seniority ?? id, at: Array(wanted), hasRead: true, now)
    }

    /// The transaction was active.
    mutating func use(_ id: UInt64, now: Int64) { runs[id]?.used = now }

    /// A place where committing would violate another transaction's turn; nil if there is none.
    func conflict(of id: UInt64, at places: some Sequence<DocumentKey>, now: Int64) -> DocumentKey? {
        guard !holders.isEmpty else { return nil }
        return places.first { place in
            guard let holder = holders[place], holder != id, let run = runs[holder] else { return false }
            return run.hasRead && !hasLapsed(run, now)
        }
    }

    /// The transaction has ended. Returns the transactions whose turn it is now.
    mutating func leave(_ id: UInt64, now: Int64) -> [UInt64] {
        misnamed[id] = nil
        if let loss = losses.removeValue(forKey: id) { losses[loss.seniority] = nil }
        return remove(id) ? grant(now) : []
    }

    /// The transaction was aborted at a place: its retry gets a turn there.
    mutating func abort(_ id: UInt64, at place: DocumentKey, now: Int64) -> [UInt64] {
        misnamed[id] = nil
        contest(place, now)
        let earlier = loss(of: id, now)
        let first = earlier?.seniority ?? id
        var places = earlier?.places ?? []
        if !places.contains(place), places.count < limits.places { places.append(place) }
        // Clients name the first attempt or the last one.
        remember(Loss(seniority: first, places: places, time: now), for: [first, id])
        return remove(id) ? grant(now) : []
    }

    /// Ends lapsed turns and overdue waits. Returns the transactions that may continue.
    mutating func sweep(now: Int64) -> [UInt64] {
        for (id, run) in runs where run.hasTurn && hasLapsed(run, now) { _ = remove(id) }
        let tired = waiting.map(\.id).filter { id in runs[id].map { now - $0.since >= limits.wait } ?? true }
        for id in tired { _ = remove(id) }
        return tired + grant(now)
    }

    // MARK: The line

    private mutating func enter(
        _ id: UInt64, seniority: UInt64, at places: [DocumentKey], hasRead: Bool, _ now: Int64
    ) -> Entry {
        runs[id] = Run(places: places, since: now, used: now, hasRead: hasRead)
        for place in places { interest[place, default: 0] += 1 }
        let index = waiting.firstIndex { ($0.seniority, $0.id) > (seniority, id) } ?? waiting.endIndex
        waiting.insert((seniority, id), at: index)
        return grant(now).contains(id) ? .goOn : .wait
    }

    /// Gives turns to the transactions that can have them at all their places, the oldest first; a younger one does not overtake.
    private mutating func grant(_ now: Int64) -> [UInt64] {
        var granted: [UInt64] = []
        var wanted: Set<DocumentKey> = []
        for (_, id) in waiting {
            guard let run = runs[id] else { continue }
            let isFree = run.places.allSatisfy { holders[$0] == nil && !wanted.contains($0) }
            guard isFree else {
                wanted.formUnion(run.places)
                continue
            }
            for place in run.places { holders[place] = id }
            runs[id]?.hasTurn = true
            runs[id]?.since = now
            runs[id]?.used = now
            granted.append(id)
        }
        if !granted.isEmpty { waiting.removeAll { runs[$0.id]?.hasTurn != false } }
        return granted
    }

    private mutating func remove(_ id: UInt64) -> Bool {
        guard let run = runs.removeValue(forKey: id) else { return false }
        for place in run.places {
            if holders[place] == id { holders[place] = nil }
            let count = (interest[place] ?? 1) - 1
            interest[place] = count == 0 ? nil : count
        }
        if !run.hasTurn { waiting.removeAll { $0.id == id } }
        return true
    }

    private func hasLapsed(_ run: Run, _ now: Int64) -> Bool {
        now - run.used >= limits.idle || now - run.since >= limits.turn
    }

    // MARK: Memory

    private func isContested(_ place: DocumentKey, _ now: Int64) -> Bool {
        contested[place].map { now - $0 < limits.contest } ?? false
    }

    private mutating func contest(_ place: DocumentKey, _ now: Int64) {
        if contested.count >= limits.remembered { contested = contested.filter { now - $0.value < limits.contest } }
        // With so many contested places none of them is remembered for long.
        if contested.count >= limits.remembered { contested.removeAll() }
        contested[place] = now
    }

    private mutating func note(_ id: UInt64, _ now: Int64) {
        if misnamed.count >= limits.remembered { misnamed = misnamed.filter { now - $0.value < limits.turn } }
        if misnamed.count < limits.remembered { misnamed[id] = now }
    }

    private func loss(of id: UInt64, _ now: Int64) -> Loss? {
        losses[id].flatMap { now - $0.time < limits.memory ? $0 : nil }
    }

    private mutating func remember(_ loss: Loss, for ids: Set<UInt64>) {
        for id in ids { losses[id] = nil }
        if losses.count + ids.count > limits.remembered { losses = losses.filter { loss.time - $0.value.time < limits.memory } }
        while losses.count + ids.count > limits.remembered, let oldest = losses.min(by: { $0.value.time < $1.value.time }) {
            losses[oldest.key] = nil
        }
        for id in ids { losses[id] = loss }
    }
}
