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
/// Clients also name the wrong transaction, or none: in the official Python client the threads that share a function share its notes
/// about the attempt, so one names another thread's transaction, which still runs or has committed. Such a retry takes the oldest
/// loss of its caller that was not retried; the turn is given up when it reads a contested place elsewhere. If there is none, it
/// takes its turn where it first reads a place at which transactions were aborted a moment ago.
///
/// A transaction that has a turn never waits for another one, so none wait in a circle.
///
/// A turn is not a lock: whether a commit succeeds depends on its reads alone, and writes outside of transactions never wait.
/// Everything is bounded: an unused turn lapses, a wait ends, and only a limited number of aborted transactions is remembered.
///
/// Decides only; `RetryGate` waits and wakes. Times are microseconds of a monotonic clock.
struct RetryLine {
    enum Entry: Equatable {
        /// The transaction may run: it has the turn, or no other transaction waits for the documents it reads.
        case goOn
        /// It may run: its turn begins with this event.
        case goOnInTurn
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
        var places: [DocumentKey]
        /// When it began to wait, or when its turn began.
        var since: Int64
        var used: Int64
        var hasTurn = false
        var hasRead: Bool
        /// It may be the retry of another transaction, and has read nowhere that the turn is for.
        var isGuess = false
    }

    let limits: Limits
    private var runs: [UInt64: Run] = [:]
    /// In the order in which they get their turns.
    private var waiting: [(seniority: UInt64, id: UInt64)] = []
    /// The holder of each turn. `DocumentKey` is the key because it compares bytes; collections are places, too.
    private var holders: [DocumentKey: UInt64] = [:]
    /// How many runs name a place.
    private var interest: [DocumentKey: Int] = [:]
    private var losses: LossBook
    /// When transactions were last aborted at a place.
    private var contested: [DocumentKey: Int64] = [:]
    /// Transactions that retry one of which no loss is known and have not entered the line yet, and when they began.
    private var misnamed: [UInt64: Int64] = [:]

    private var lastNote: Int64 = 0
    /// Transactions whose turn has begun because another one has given up its own to read.
    private var freed: [UInt64] = []

    init(limits: Limits = Limits()) {
        self.limits = limits
        losses = LossBook(limits: limits)
    }

    /// Whether no transaction waits, has a turn or is to take one: the usual case, in which nothing has to be looked up.
    var isEmpty: Bool { runs.isEmpty && misnamed.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }
    func hasTurn(_ id: UInt64) -> Bool { runs[id]?.hasTurn == true }
    var rememberedCount: Int { losses.count }

    // MARK: Events

    /// A transaction begins as a retry of `earlier`.
    mutating func begin(_ id: UInt64, retrying earlier: UInt64, of owner: SequenceOwner, now: Int64) -> Entry {
        guard let (loss, isGuess) = losses.take(id, naming: earlier, of: owner, now: now) else {
            note(id, now)
            return .goOn
        }
        return enter(
            id, seniority: loss.first, Run(places: loss.places, since: now, used: now, hasRead: false, isGuess: isGuess), now)
    }

    /// A transaction is about to read.
    mutating func read(_ id: UInt64, at places: some Sequence<DocumentKey>, now: Int64) -> Entry {
        // Transactions that were not ended do not keep the others busy.
        if runs.isEmpty, now - lastNote >= limits.turn { misnamed = [:] }
        guard !isEmpty else { return .goOn }
        if let run = runs[id] {
            runs[id]?.used = now
            // A transaction that reads several places simultaneously waits with all of its reads.
            guard run.hasTurn else { return .wait }
            runs[id]?.hasRead = true
            guard run.isGuess else {
                extend(id, to: places, now)
                return .goOn
            }
            if places.contains(where: { run.places.contains($0) }) {
                runs[id]?.isGuess = false
                return .goOn
            }
            // Elsewhere, where others are: the turn is another transaction's.
            guard places.contains(where: { interest[$0] != nil || isContested($0, now) }) else { return .goOn }
            losses.giveBack(id)
            _ = remove(id)
            note(id, now)
        }
        let isRetry = misnamed[id] != nil
        var wanted: Set<DocumentKey> = []
        for place in places where wanted.count < limits.places {
            if interest[place] != nil || isRetry && isContested(place, now) { wanted.insert(place) }
        }
        guard !wanted.isEmpty else {
            freed += grant(now)
            return .goOn
        }
        misnamed[id] = nil
        let run = Run(places: wanted.sorted(), since: now, used: now, hasRead: true)
        return enter(id, seniority: losses.loss(of: id, now: now)?.first ?? id, run, now)
    }

    /// The transactions that may continue after another one has read.
    mutating func takeFreed() -> [UInt64] {
        defer { freed = [] }
        return freed
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
        losses.end(id)
        return remove(id) ? grant(now) : []
    }

    /// The transaction was aborted at places: its retry gets a turn there, and where this attempt had one or has waited for it.
    mutating func abort(_ id: UInt64, of owner: SequenceOwner, at places: [DocumentKey], now: Int64) -> [UInt64] {
        misnamed[id] = nil
        for place in places { contest(place, now) }
        let run = runs[id]
        if run?.isGuess == true { losses.giveBack(id) }
        losses.abort(id, of: owner, at: places + (run?.isGuess == false ? run?.places ?? [] : []), now: now)
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

    private mutating func enter(_ id: UInt64, seniority: UInt64, _ run: Run, _ now: Int64) -> Entry {
        runs[id] = run
        for place in run.places { interest[place, default: 0] += 1 }
        let index = waiting.firstIndex { ($0.seniority, $0.id) > (seniority, id) } ?? waiting.endIndex
        waiting.insert((seniority, id), at: index)
        var granted = grant(now)
        let isGranted = granted.contains(id)
        granted.removeAll { $0 == id }
        freed += granted
        return isGranted ? .goOnInTurn : .wait
    }

    /// The turn is also for contested places without a holder: transactions that read them later wait.
    private mutating func extend(_ id: UInt64, to places: some Sequence<DocumentKey>, _ now: Int64) {
        for place in places where holders[place] == nil && isContested(place, now) {
            guard let run = runs[id], run.places.count < limits.places else { return }
            runs[id]?.places.append(place)
            interest[place, default: 0] += 1
            holders[place] = id
        }
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
        lastNote = now
        if misnamed.count >= limits.remembered { misnamed = misnamed.filter { now - $0.value < limits.turn } }
        if misnamed.count < limits.remembered { misnamed[id] = now }
    }
}
