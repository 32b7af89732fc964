// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// Decides what a trigger delivers next: it is given stretches of the log and the results of attempts, and returns what to do.
///
/// Ordered by document: the next event of a document waits until the one before is acknowledged or dead. Bounded: of a document with very
/// many events most stay in the log (`DocumentLines`), and while events of many documents are unanswered it wants no more of the log.
package struct DeliveryMachine {
    package enum Effect: Sendable {
        case bury(ChangeEvent, attempts: Int, DeliveryFailure)
        case redelivered(id: String)
        /// The receiver wants no more events; nothing is delivered from now on.
        case switchOff(DeliveryFailure)
        case suspectLoop(DocumentKey)
    }

    private struct Entry {
        let event: ChangeEvent
        var attempts = 0
        /// Its age counts from here, in microseconds.
        let born: Int64
        /// Whether it was dead before. It is not a part of the log, and waits for nothing.
        let isRetold: Bool
    }

    /// At most so many events wait, and one stretch of the log more.
    private static let maximumEvents = 1_024
    private static let maximumBytes = 8 << 20

    package let trigger: EventTrigger
    private let history: UInt64
    private let backoff: Backoff
    private var entries: [Int: Entry] = [:]
    private var bytes = 0
    private var last = 0
    /// What can be tried now.
    private var ready = NumberQueue()
    /// What failed, by the time of the next attempt.
    private var retries: [(due: Int64, number: Int)] = []
    private var lines = DocumentLines()
    private var inFlight = 0
    private var loops = LoopWatch()
    /// What an earlier run has answered.
    private var earlier: DeliveryPosition?
    /// Where the log is read next.
    package private(set) var read: DocumentVersion
    package private(set) var isOff = false
    /// Changes with the position, which takes longer to compute.
    package private(set) var revision = 0

    /// - Parameter isOff: Whether the receiver has refused all further events before.
    package init(
        _ trigger: EventTrigger, from position: DeliveryPosition, history: UInt64, backoff: Backoff = Self.backoff, isOff: Bool = false
    ) {
        self.isOff = isOff
        self.trigger = trigger
        self.history = history
        self.backoff = backoff
        read = position.floor
        if position.through > position.floor { earlier = position }
    }

    /// From a second, doubling, up to ten minutes, and a fifth more or less.
    package static let backoff = Backoff(first: .seconds(1), factor: 2, longest: .seconds(600), jitter: 0.2)

    // MARK: Questions

    /// Whether the log is to be read on.
    package var wantsMore: Bool { !isOff && entries.count < Self.maximumEvents && bytes < Self.maximumBytes }

    /// The events in memory that are not answered.
    package var pending: Int { entries.count }

    /// The document of which events are to be taken back from the log, and from when on.
    package var recall: (key: DocumentKey, from: DocumentVersion)? { isOff ? nil : lines.recall }

    /// Everything up to here is answered.
    package var floor: DocumentVersion {
        let oldest = entries.values.lazy.filter { !$0.isRetold }.map(\.event.time).min()
        let first = [oldest, lines.deferred.values.min()].compactMap(\.self).min()
        return first.map { min(DocumentVersion(microseconds: $0.microseconds - 1), read) } ?? read
    }

    /// How far the trigger has come.
    package var position: DeliveryPosition {
        var unanswered = Set(
            entries.values.lazy.filter { !$0.isRetold }.map { DeliveryPosition.Place(time: $0.event.time, key: $0.event.key) })
        var (through, deferred) = (read, lines.deferred)
        if let earlier, read < earlier.through {
            unanswered.formUnion(earlier.pending.lazy.filter { $0.time > read })
            let next = DocumentVersion(microseconds: read.microseconds + 1)
            deferred.merge(earlier.deferred.mapValues { max($0, next) }, uniquingKeysWith: min)
            through = earlier.through
        }
        guard unanswered.count + deferred.count <= DeliveryPosition.maximumPending else {
            return DeliveryPosition(floor: floor, through: floor)
        }
        return DeliveryPosition(floor: floor, through: through, pending: unanswered, deferred: deferred)
    }

    /// When the next attempt is due, in microseconds since 1970; nil if none is waiting for its time.
    package var nextRetry: Int64? { isOff ? nil : retries.first?.due }

    // MARK: Events in, effects out

    /// Takes what was read of the log.
    package mutating func take(_ stretch: LogStretch, now: Int64) -> [Effect] {
        var effects: [Effect] = []
        for commit in stretch.commits where commit.time > read {
            for change in commit.changes {
                guard let event = trigger.event(of: change, at: commit.time, history: history) else { continue }
                if let earlier, !earlier.awaits(DeliveryPosition.Place(time: event.time, key: event.key)) { continue }
                if loops.count(event.key, now: now) { effects.append(.suspectLoop(event.key)) }
                if !lines.defers(event) { add(event) }
            }
        }
        if stretch.end > read { revision += 1 }
        read = max(read, stretch.end)
        if let earlier, read >= earlier.through { self.earlier = nil }
        return effects
    }

    /// Takes back events of a document that stayed in the log. Returns whether no further stretch is needed now.
    package mutating func takeBack(_ stretch: LogStretch, of key: DocumentKey) -> Bool {
        guard let from = lines.deferred[key] else { return true }
        revision += 1
        for commit in stretch.commits where commit.time >= from && commit.time <= read {
            for change in commit.changes where change.key == key {
                guard let event = trigger.event(of: change, at: commit.time, history: history) else { continue }
                guard !lines.isFull(key) else {
                    lines.deferAgain(key, from: commit.time)
                    return true
                }
                add(event)
            }
        }
        guard stretch.end >= read || stretch.isLast else {
            lines.recalled(key, through: stretch.end)
            return false
        }
        lines.recalled(key)
        return true
    }

    /// What stayed in the log of a document has been lost.
    package mutating func giveUp(_ key: DocumentKey) {
        lines.recalled(key)
        revision += 1
    }

    /// Continues at a later place, because what is between has been lost.
    package mutating func skip(to time: DocumentVersion) {
        read = max(read, time)
        earlier = nil
        lines.forgetDeferred()
        revision += 1
    }

    /// Takes an event that was dead, to be tried again.
    package mutating func retell(_ event: ChangeEvent, now: Int64) {
        guard !entries.values.contains(where: { $0.event.id == event.id }) else { return }
        last += 1
        entries[last] = Entry(event: event, born: now, isRetold: true)
        bytes += event.bytes
        ready.append(last)
    }

    private mutating func add(_ event: ChangeEvent) {
        last += 1
        entries[last] = Entry(event: event, born: event.time.microseconds, isRetold: false)
        bytes += event.bytes
        let isFirst = lines.append(last, event)
        if isFirst || !trigger.isOrdered { ready.append(last) }
    }

    /// What to deliver now.
    package mutating func due(now: Int64) -> [Delivery] {
        guard !isOff else { return [] }
        let end = retries.firstIndex { $0.due > now } ?? retries.count
        for retry in retries[..<end] { ready.append(retry.number) }
        retries.removeFirst(end)
        var found: [Delivery] = []
        while inFlight < trigger.concurrency, let number = ready.popFirst() {
            guard let entry = entries[number] else { continue }
            entries[number]?.attempts += 1
            inFlight += 1
            found.append(Delivery(number: number, event: entry.event, attempt: entry.attempts + 1))
        }
        return found
    }

    /// Takes the result of an attempt.
    package mutating func answered(_ number: Int, _ outcome: DeliveryOutcome, now: Int64) -> [Effect] {
        guard let entry = entries[number] else { return [] }
        inFlight -= 1
        switch outcome {
        case .acknowledged:
            remove(number, entry)
            return entry.isRetold ? [.redelivered(id: entry.event.id)] : []
        case .cancelled:
            entries[number]?.attempts -= 1
            ready.append(number)
            return []
        case .gone(let failure):
            ready.append(number)
            defer { isOff = true }
            return isOff ? [] : [.switchOff(failure)]
        case .failed(let failure):
            let delay = max(backoff.delay(afterFailures: entry.attempts), failure.retryAfter ?? .zero)
            let due = now + delay.microseconds
            guard due - entry.born <= trigger.ageLimit.microseconds else {
                remove(number, entry)
                return [.bury(entry.event, attempts: entry.attempts, failure)]
            }
            let place = retries.firstIndex { $0.due > due } ?? retries.count
            retries.insert((due, number), at: place)
            return []
        }
    }

    private mutating func remove(_ number: Int, _ entry: Entry) {
        entries[number] = nil
        revision += 1
        bytes -= entry.event.bytes
        guard !entry.isRetold else { return }
        let next = lines.remove(number, entry.event)
        if let next, trigger.isOrdered { ready.append(next) }
    }
}

extension Duration {
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000).partialValue &+ attoseconds / 1_000_000_000_000
    }
}
