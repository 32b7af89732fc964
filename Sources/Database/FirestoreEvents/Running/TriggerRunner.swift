// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreStorage

/// Delivers the events of one trigger: reads the log, starts attempts, stores how far it has come. `DeliveryMachine` decides.
///
/// Of several processes over one database, the one with the lease of the trigger delivers.
package actor TriggerRunner {
    private let trigger: EventTrigger
    private let database: any LoggedDatabase
    private let receiver: any EventReceiver
    /// nil if dead events are not kept.
    private let shelf: DeadLetterStore?
    private let settings: RunnerSettings
    private let report: @Sendable (EventReport) -> Void
    private let bell = EventWakeUp()

    private var machine: DeliveryMachine?
    private var running: Task<Void, Never>?
    private var attempts: [Int: Task<Void, Never>] = [:]
    /// Counts the machines: the answers of an earlier one's attempts are not this one's.
    private var epoch = 0
    private var isStopping = false
    /// Whether everything of the log has been read that was there.
    private var isAtEnd = false
    /// The machine's revision whose position is stored.
    private var saved: Int?
    private var lastSave: Int64 = 0
    private var leaseEnd: Int64 = 0
    /// Dead events that are being stored. The position waits for them.
    private var burials = 0
    private var storing: Task<Void, Never>?
    private var seenChanges: Int64?
    private var lastLook: Int64 = 0
    private var alarm: (time: Int64, task: Task<Void, Never>)?
    private var resting: [CheckedContinuation<Void, Never>] = []

    package init(
        _ trigger: EventTrigger, of database: any LoggedDatabase, to receiver: any EventReceiver, shelf: DeadLetterStore? = nil,
        settings: RunnerSettings = RunnerSettings(), report: @escaping @Sendable (EventReport) -> Void = { _ in }
    ) {
        self.trigger = trigger
        self.database = database
        self.receiver = receiver
        self.shelf = shelf
        self.settings = settings
        self.report = report
    }

    // MARK: Lifecycle

    package func start() {
        guard running == nil, !isStopping else { return }
        bell.ring()
        running = Task { await self.run() }
    }

    /// Starts no more attempts, waits a while for those that run, and stores the position.
    package func stop(within patience: Duration = .seconds(5)) async {
        isStopping = true
        bell.ring()
        await running?.value
        wakeResting()
        alarm?.task.cancel()
        let timer = Task { [settings] in
            await settings.backoff.sleep(patience)
            if !Task.isCancelled { self.cancelAttempts() }
        }
        for attempt in Array(attempts.values) { await attempt.value }
        timer.cancel()
        await storing?.value
        await save(isLast: true)
    }

    private func cancelAttempts() { for attempt in attempts.values { attempt.cancel() } }

    /// The events in memory that are not answered.
    package var pending: Int { machine?.pending ?? 0 }

    /// Whether the receiver has refused all further events.
    package var isOff: Bool { machine?.isOff ?? false }

    /// How far the delivery is behind: the microseconds since the commit of the oldest event that is not answered; nil if there is none.
    package var lag: Int64? {
        guard let machine, machine.pending > 0 || !isAtEnd else { return nil }
        return max(now - machine.floor.microseconds, 0)
    }

    private func run() async {
        let handle = database.log.follow { [bell] in bell.ringForNews() } ended: { [bell] _ in bell.ring() }
        defer { handle.stop() }
        for await _ in bell.rings {
            if isStopping { return }
            guard await mayDeliver() else {
                setAlarm(now + settings.lease.microseconds / 3)
                continue
            }
            await takeRequests()
            await read()
            await takeBack()
            startAttempts()
            await save()
            setAlarm()
            wakeResting()
        }
    }

    // MARK: Rest

    /// Looks at the clock again.
    package nonisolated func wake() { bell.ring() }

    /// Returns when everything that was committed before is handled, except events that are attempted again later. Returns the time of the
    /// last of these commits.
    package func rest() async -> DocumentVersion {
        guard let end = try? await endOfLog() else { return .none }
        bell.ringForNews()
        while !isStopping, !isAtRest(behind: end) {
            await withCheckedContinuation { resting.append($0) }
        }
        return end
    }

    private func isAtRest(behind end: DocumentVersion) -> Bool {
        guard let machine, attempts.isEmpty, burials == 0 else { return false }
        if machine.isOff { return true }
        return machine.read >= end && machine.recall == nil && machine.nextRetry ?? .max > now
    }

    /// Those that wait look again.
    private func wakeResting() {
        for continuation in resting { continuation.resume() }
        resting = []
    }

    private var now: Int64 { settings.clock.now() }

    // MARK: Whose turn it is

    /// Whether this process has the lease, and knows where to continue.
    private func mayDeliver() async -> Bool {
        let now = now
        do throws(FirestoreError) {
            if trigger.isDurable, leaseEnd - now < settings.lease.microseconds * 2 / 3 {
                guard try await database.lease("events/" + trigger.storedName, for: settings.lease) else {
                    // Another process continues; what it answers is not known here.
                    machine = nil
                    return false
                }
                // One that has ended may have been another's meanwhile.
                if leaseEnd < now, database.isShared { machine = nil }
                leaseEnd = now + settings.lease.microseconds
            }
            if machine == nil { try await begin() }
            return true
        } catch {
            report(.trouble(error))
            return false
        }
    }

    private var holdName: String { "events/" + trigger.storedName }
    private var factKey: String { EventFacts.position(of: trigger.storedName) }

    private func begin() async throws(FirestoreError) {
        let position = try await position()
        let isOff = try await isSwitchedOff()
        cancelAttempts()
        attempts = [:]
        epoch += 1
        machine = DeliveryMachine(trigger, from: position, history: database.history?.number ?? 0, backoff: settings.backoff, isOff: isOff)
        isAtEnd = false
        saved = nil
        await save(isLast: true)
    }

    /// Whether the receiver has refused all further events, of this definition of the trigger.
    private func isSwitchedOff() async throws(FirestoreError) -> Bool {
        guard trigger.isDurable, let definition = try await database.fact(EventFacts.switchedOff(trigger.storedName)) else { return false }
        return definition.array == Array(trigger.definition.utf8)
    }

    private func position() async throws(FirestoreError) -> DeliveryPosition {
        let hold = trigger.isDurable ? try await database.hold(holdName) : nil
        let stored = trigger.isDurable ? try await database.fact(factKey) : nil
        if let hold { return stored.flatMap { DeliveryPosition(floor: hold, stored: $0) } ?? DeliveryPosition(floor: hold, through: hold) }
        let start: DocumentVersion
        if let stored {
            report(.lost(after: DeliveryPosition(floor: .none, stored: stored)?.through ?? .none))
            start = try await endOfLog()
        } else if case .time(let time) = trigger.start {
            start = time
        } else {
            start = try await endOfLog()
        }
        return DeliveryPosition(floor: start, through: start)
    }

    private func endOfLog() async throws(FirestoreError) -> DocumentVersion { try await commits(after: .none, limit: 0).end }

    private func commits(after time: DocumentVersion, limit: Int) async throws(FirestoreError) -> LogStretch {
        let log = database.log
        let result: Result<LogStretch, FirestoreError> = await withCheckedContinuation { continuation in
            // Waits for the store, which must not happen on the cooperative pool.
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(FirestoreError) in try log.commits(after: time, limit: limit) })
            }
        }
        return try result.get()
    }

    // MARK: Reading and delivering

    private static let stretch = 256

    private func read() async {
        if bell.takeNews() { isAtEnd = false }
        while !isAtEnd, !isStopping, let machine, machine.wantsMore {
            do throws(FirestoreError) {
                let stretch = try await commits(after: machine.read, limit: Self.stretch)
                isAtEnd = stretch.isLast
                perform(self.machine?.take(stretch, now: now) ?? [])
                startAttempts()
            } catch {
                guard error.code == .outOfRange else { return report(.trouble(error)) }
                await skip(after: machine.read)
            }
        }
    }

    /// Takes events back that stayed in the log, of documents that have very many.
    private func takeBack() async {
        while !isStopping, let recall = machine?.recall {
            var place = DocumentVersion(microseconds: recall.from.microseconds - 1)
            var isDone = false
            while !isDone, !isStopping {
                do throws(FirestoreError) {
                    let stretch = try await commits(after: place, limit: Self.stretch)
                    isDone = machine?.takeBack(stretch, of: recall.key) ?? true
                    place = stretch.end
                } catch {
                    guard error.code == .outOfRange else { return report(.trouble(error)) }
                    report(.lost(after: place))
                    machine?.giveUp(recall.key)
                    isDone = true
                }
            }
            startAttempts()
        }
    }

    /// What the log does not have any more cannot be delivered.
    private func skip(after time: DocumentVersion) async {
        report(.lost(after: time))
        do throws(FirestoreError) {
            let end = try await endOfLog()
            machine?.skip(to: end)
        } catch {
            report(.trouble(error))
            isAtEnd = true
        }
    }

    private func startAttempts() {
        guard !isStopping else { return }
        for delivery in machine?.due(now: now) ?? [] {
            attempts[delivery.number] = Task { [receiver, epoch] in
                let outcome = await receiver.deliver(delivery)
                if epoch == self.epoch { self.finished(delivery, outcome) }
            }
        }
    }

    private func finished(_ delivery: Delivery, _ outcome: DeliveryOutcome) {
        attempts[delivery.number] = nil
        switch outcome {
        case .acknowledged:
            report(.delivered(delivery.event, attempt: delivery.attempt, latency: now - delivery.event.time.microseconds))
        case .failed(let failure), .gone(let failure): report(.failed(delivery.event, attempt: delivery.attempt, failure))
        case .cancelled: break
        }
        perform(machine?.answered(delivery.number, outcome, now: now) ?? [])
        startAttempts()
        bell.ring()
    }

    private func perform(_ effects: [DeliveryMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .bury(let event, let attempts, let failure):
                report(.buried(event, attempts: attempts, failure))
                bury(DeadLetter(event: event, trigger: trigger.storedName, attempts: attempts, failure: failure, died: now))
            case .redelivered(let id): store { (shelf) throws(FirestoreError) in try await shelf.drop([id]) }
            case .switchOff(let failure):
                report(.switchedOff(failure))
                noteSwitch()
            case .suspectLoop(let key): report(.suspectedLoop(key))
            }
        }
    }

    // MARK: Dead events

    private func bury(_ letter: DeadLetter) {
        store { [report] (shelf) throws(FirestoreError) in
            let removed = try await shelf.bury(letter)
            if removed > 0 { report(.shelfShortened(removed)) }
        }
    }

    private func store(_ body: @escaping @Sendable (DeadLetterStore) async throws(FirestoreError) -> Void) {
        guard let shelf else { return }
        storeInOrder { () throws(FirestoreError) in try await body(shelf) }
    }

    /// Notes that the receiver wants no more events, not after a restart either.
    private func noteSwitch() {
        guard trigger.isDurable else { return }
        let (key, definition) = (EventFacts.switchedOff(trigger.storedName), ByteSlice(Array(trigger.definition.utf8)))
        storeInOrder { [database] () throws(FirestoreError) in
            try await database.changeFacts { (facts) throws(FirestoreError) in try facts.setFact(key, definition) }
        }
    }

    private func storeInOrder(_ body: @escaping @Sendable () async throws(FirestoreError) -> Void) {
        burials += 1
        storing = Task { [previous = storing] in
            await previous?.value
            do throws(FirestoreError) { try await body() } catch { report(.trouble(error)) }
            burials -= 1
            bell.ring()
        }
    }

    /// So many are delivered again at the same time.
    private static let requests = 100

    private func takeRequests() async {
        guard let shelf, trigger.isDurable, now - lastLook >= settings.requestPause.microseconds else { return }
        lastLook = now
        do throws(FirestoreError) {
            let changes = try await shelf.changes()
            guard changes != seenChanges else { return }
            let letters = try await shelf.takeRequests(of: trigger.storedName, limit: Self.requests)
            for letter in letters { machine?.retell(letter.event, now: now) }
            if letters.count < Self.requests { seenChanges = changes }
        } catch {
            report(.trouble(error))
        }
    }

    // MARK: Position and alarm

    private func save(isLast: Bool = false) async {
        guard trigger.isDurable, burials == 0 || isLast, let machine, machine.revision != saved else { return }
        let now = now
        guard isLast || now - lastSave >= settings.savePause.microseconds || now < lastSave else { return }
        let (position, revision) = (machine.position, machine.revision)
        lastSave = now
        do throws(FirestoreError) {
            try await database.setHold(holdName, at: position.floor, storing: factKey, position.stored)
            saved = revision
        } catch {
            report(.trouble(error))
        }
    }

    /// Wakes this runner when something is due.
    private func setAlarm() {
        var time = machine?.nextRetry ?? .max
        if trigger.isDurable {
            time = min(time, leaseEnd - settings.lease.microseconds * 2 / 3)
            if shelf != nil { time = min(time, lastLook + settings.requestPause.microseconds) }
            if machine?.revision != saved { time = min(time, lastSave + settings.savePause.microseconds) }
        }
        // After trouble with the log.
        if !isAtEnd && machine?.wantsMore == true || machine?.recall != nil { time = min(time, now + 1_000_000) }
        if time < .max { setAlarm(time) }
    }

    private func setAlarm(_ time: Int64) {
        if let alarm, alarm.time == time, time > now { return }
        alarm?.task.cancel()
        let delay = Duration.microseconds(max(time - now, 1_000))
        alarm = (
            time,
            Task { [bell, settings] in
                await settings.backoff.sleep(delay)
                if !Task.isCancelled { bell.ring() }
            }
        )
    }
}
