// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// One Listen stream: the requested targets, the state that the peer knows, and what to do and send next.
///
/// Decides only. Methods report events; `next` returns one action at a time, and is called until it returns nil. Frames are made only
/// when the peer has capacity for them. Until then, changes are merged (`PendingStep`); beyond a limit the watches are cancelled and
/// later resumed from the peer's position.
///
/// A *step* is cut when everything reported so far is true at one moment: the time up to which all watches have received everything
/// (`deliveredUpTo`) has reached the latest that any of them knows (`knownUpTo`). It ends in a snapshot (LS-11, LS-17).
struct ListenState {
    enum Action {
        case watch(Int, WatchTarget, from: WatchResumption?)
        case cancel(Int)
        /// Ask up to when the watches have received everything, and call `timeArrived`.
        case askTime
        case send([ListenResponse])
        /// The last action.
        case finish(RPCStatus?)
    }

    /// One of a target's watches.
    struct Watch {
        enum Stage { case waiting, started, live }
        let target: Int
        let index: Int
        var stage = Stage.waiting
    }

    let database: DatabaseID
    let limits: ListenLimits
    /// The history of the database; set once it is open, and nil for a database without one.
    var history: DatabaseHistory?
    var targets: [Int: ListenedTarget] = [:]
    /// Numbers of the targets, by the peer's ids.
    var numbers: [Int32: Int] = [:]
    var watches: [Int: Watch] = [:]
    private var lastNumber = 0
    private var lastWatch = 0
    private var lastAssigned: Int32 = 0

    /// Watches to be cancelled.
    private var cancelled: [Int] = []
    /// Watches to be started, in order.
    private var waiting: [Int] = []
    private var starting = 0
    /// ADD and REMOVE: sent before anything else.
    private var replies: [ListenResponse] = []
    private var pending = PendingStep()
    private var sending: SendingStep?
    /// The time of the last step: with the frames sent or being sent, the peer has everything up to it.
    private var lastStep = DocumentVersion.none

    private var deliveredUpTo = DocumentVersion.none
    private var knownUpTo = DocumentVersion.none
    private var question = Question.idle
    private var pace = Pace.following
    /// The number of targets without CURRENT. A client that resumed one of them from a snapshot sent meanwhile would miss changes,
    /// because a snapshot's token is for all targets: the token of such a snapshot lists their positions.
    private var beginning = 0
    private var snapshot = SnapshotDemand.quiet(ticks: 0)
    private var life = Life.open

    /// Whether the service was asked up to when the watches have received everything.
    private enum Question { case idle, wanted, asked }

    /// How fast the peer takes the frames.
    private enum Pace {
        case following
        /// The peer was too slow, and its watches were cancelled.
        case lagging
        /// The peer has taken everything in flight. This many targets have not yet caught up with what the peer knows; no snapshot is
        /// sent before that.
        case catchingUp(targets: Int)
    }

    /// Whether a snapshot is due, with or without changes.
    private enum SnapshotDemand {
        /// Not now. The stream has been idle for this many ticks.
        case quiet(ticks: Int)
        case wantsTime
        case due
    }

    private enum Life {
        case open
        /// The peer has ended its half; the stream ends when it has no targets.
        case halfClosed
        /// Ends after a last snapshot.
        case draining(isHalfClosed: Bool)
        /// Ends once the answers to requests are sent.
        case refused
        /// Ends now.
        case failed(RPCStatus)
        case over
    }

    /// A heartbeat comes at the third tick without a snapshot (LS-21).
    private static let idleTicks = 3
    private static let framesAtOnce = 64
    /// Of documents in them: what the peer does not take stays with the database, for all of its listeners together.
    private static let bytesAtOnce = 64 << 10

    init(database: DatabaseID, limits: ListenLimits = ListenLimits(), history: DatabaseHistory? = nil) {
        self.database = database
        self.history = history
        self.limits = limits
    }

    // MARK: What to do next

    /// Returns nil if there is nothing to do until the next event.
    mutating func next(isWritable: Bool) -> Action? {
        if let end = end(isWritable: isWritable) {
            life = .over
            return end
        }
        if case .over = life { return nil }
        if let watch = cancelled.popLast() { return .cancel(watch) }
        if isWritable, isLagging, sending == nil { takeUpAgain() }
        if let action = nextStart() { return action }
        if wantsTime {
            question = .asked
            return .askTime
        }
        cut()
        guard isWritable else { return nil }
        if !replies.isEmpty {
            defer { replies = [] }
            return .send(replies)
        }
        if sending != nil { return .send(nextFrames()) }
        switch life {
        case .halfClosed where targets.isEmpty, .draining(isHalfClosed: true) where targets.isEmpty:
            life = .over
            return .finish(nil)
        case .open, .halfClosed, .draining, .refused, .failed, .over: return nil
        }
    }

    /// Whether the stream ends before any other action, and how.
    private func end(isWritable: Bool) -> Action? {
        switch life {
        case .open, .halfClosed, .over: return nil
        case .refused: return replies.isEmpty ? .finish(nil) : nil
        case .failed(let status): return .finish(status)
        case .draining:
            // A peer that does not read resumes from the last snapshot it received.
            if isWritable, !isLagging, hasSomethingToSay { return nil }
            return .finish(RPCStatus(.unavailable, "the server is shutting down; listen again with the last resume token"))
        }
    }

    private var hasSomethingToSay: Bool {
        if case .quiet = snapshot { return sending != nil || !replies.isEmpty }
        return true
    }

    private var wantsTime: Bool {
        switch (question, snapshot) {
        case (.asked, _): false
        case (.wanted, _), (.idle, .wantsTime): true
        case (.idle, .quiet), (.idle, .due): false
        }
    }

    /// Requests are taken only then, so that their answers do not pile up.
    var takesRequests: Bool { replies.isEmpty && isOpen }

    private var isOpen: Bool {
        switch life {
        case .open, .halfClosed: true
        case .draining, .refused, .failed, .over: false
        }
    }

    private var isLagging: Bool { if case .lagging = pace { true } else { false } }

    private mutating func cut() {
        guard sending == nil, case .following = pace, deliveredUpTo >= knownUpTo, !pending.isEmpty || isSnapshotDue else { return }
        let step = pending.take()
        lastStep = deliveredUpTo
        snapshot = .quiet(ticks: 0)
        for number in step.currents where targets[number]?.isCurrent == false {
            targets[number]?.becameCurrent()
            beginning -= 1
        }
        sending = SendingStep(step, at: deliveredUpTo, of: database, history: history)
        for number in step.resets { targets[number]?.wentOut() }
        for first in step.firstStates { targets[first.target]?.wentOut() }
    }

    /// Whether the held changes can be sent in a moment.
    func hasFewChanges(_ most: Int) -> Bool {
        sending == nil && pending.firstStateCount == 0 && pending.heldChanges <= most && pending.heldBytes <= Self.fewBytes
    }

    private static let fewBytes = 16 << 10

    private var isSnapshotDue: Bool { if case .due = snapshot { true } else { false } }

    private mutating func nextFrames() -> [ListenResponse] {
        guard var step = sending else { return [] }
        // Nothing else may hold the step while it changes, or its documents would be copied.
        sending = nil
        // Includes targets that were added after the step was cut.
        let laggards = beginning == 0 ? [:] : laggards
        let frames = step.next(Self.framesAtOnce, bytes: Self.bytesAtOnce, except: laggards) { targets[$0]?.id }
        if step.isDone {
            for number in step.currents where targets[number]?.isOnce == true { remove(number, because: nil) }
        } else {
            sending = step
        }
        return frames
    }

    /// The positions of targets that have not received everything up to the last step.
    private var laggards: [Int32: DocumentVersion?] {
        var laggards: [Int32: DocumentVersion?] = [:]
        for target in targets.values where !target.isCurrent {
            var stand: DocumentVersion?
            if target.standing == .asked, let time = target.start?.time, time <= lastStep { stand = time }
            laggards.updateValue(stand, forKey: target.id)
        }
        return laggards
    }

    /// Starts as many watches as allowed at the same time, and none while initial states wait to be sent. Targets that catch up come
    /// first, because the initial states of others may have to wait for them.
    private mutating func nextStart() -> Action? {
        guard starting < limits.startingWatches else { return nil }
        while let id = waiting.last {
            guard let watch = watches[id], watch.stage == .waiting, let target = targets[watch.target] else {
                waiting.removeLast()
                continue
            }
            let held = pending.firstStateCount + (sending?.firstStateCount ?? 0)
            guard target.isCurrent || held < limits.heldFirstStates else { return nil }
            waiting.removeLast()
            watches[id]?.stage = .started
            starting += 1
            let known: WatchResumption? =
                switch target.standing {
                case .current: WatchResumption(time: lastStep)
                // The position of a partly delivered target is unknown.
                case .interrupted: nil
                case .asked, .partial: target.start
                }
            return .watch(id, target.watched[watch.index], from: known)
        }
        return nil
    }

    // MARK: Targets

    /// Assigns numbers to a target and its watches, which wait for their start.
    mutating func admit(_ id: Int32, _ watched: [WatchTarget], isOnce: Bool, start: ListenTargetStart) {
        lastNumber += 1
        let range = (lastWatch + 1)..<(lastWatch + 1 + watched.count)
        let target = ListenedTarget(
            id: id, number: lastNumber, watched: watched, isOnce: isOnce, start: start, watches: range)
        targets[lastNumber] = target
        numbers[id] = lastNumber
        beginning += 1
        enqueue(target)
        reply(.add, id)
    }

    private mutating func enqueue(_ target: ListenedTarget) {
        lastWatch = target.watches.upperBound - 1
        for (index, id) in target.watches.enumerated() { watches[id] = Watch(target: target.number, index: index) }
        // The array's end is the front of the queue.
        waiting.insert(contentsOf: target.watches.reversed(), at: 0)
    }

    mutating func reply(_ kind: TargetChange.Kind, _ id: Int32, because cause: FirestoreError? = nil) {
        replies.append(.targetChange(TargetChange(kind, targets: [id], cause: cause)))
    }

    /// An id for a target without one (LS-3).
    mutating func assignID() -> Int32 {
        repeat { lastAssigned = lastAssigned == .max ? 1 : lastAssigned + 1 } while numbers[lastAssigned] != nil
        return lastAssigned
    }

    var hasAssignedIDs: Bool { lastAssigned > 0 }

    /// Removes the target, and notifies the peer.
    mutating func remove(_ number: Int, because cause: FirestoreError?) {
        guard let target = targets[number] else { return }
        giveUp(target)
        if target.isCatchingUp { caughtUp() }
        if !target.isCurrent { beginning -= 1 }
        targets[number] = nil
        numbers[target.id] = nil
        pending.drop(number)
        reply(.remove, target.id, because: cause)
    }

    private mutating func giveUp(_ target: ListenedTarget) {
        for id in target.watches {
            guard let watch = watches.removeValue(forKey: id), watch.stage != .waiting else { continue }
            if watch.stage == .started { starting -= 1 }
            cancelled.append(id)
        }
    }

    // MARK: Readers that are behind

    private mutating func boundWhatIsHeld() {
        // Without a step in flight the peer is not too slow: changes are held for a moment at which all are true.
        let patience = sending == nil ? 10 : 1
        guard pending.heldChanges > limits.heldChanges * patience || pending.heldBytes > limits.heldBytes * patience else {
            return
        }
        pace = .lagging
        pending = PendingStep()
        waiting = []
        for (number, target) in targets {
            giveUp(target)
            targets[number]?.gaveUp()
        }
    }

    /// The peer has taken everything in flight: resumes all targets from there.
    private mutating func takeUpAgain() {
        var catchingUp = 0
        let inOrder = targets.keys.sorted { left, right in
            let (isLeftCurrent, isRightCurrent) = (targets[left]?.isCurrent == true, targets[right]?.isCurrent == true)
            return isLeftCurrent == isRightCurrent ? left < right : isLeftCurrent
        }
        for number in inOrder {
            guard var target = targets[number], target.watches.isEmpty else { continue }
            target.watches = (lastWatch + 1)..<(lastWatch + 1 + target.watched.count)
            target.unheard = target.watches.count
            if target.isCurrent { catchingUp += 1 }
            targets[number] = target
            enqueue(target)
        }
        pace = catchingUp > 0 ? .catchingUp(targets: catchingUp) : .following
    }

    /// A target has caught up with what the peer knows, or was removed.
    private mutating func caughtUp() {
        guard case .catchingUp(let count) = pace else { return }
        pace = count > 1 ? .catchingUp(targets: count - 1) : .following
    }

    // MARK: Events of the service

    mutating func receive(_ batch: WatchBatch, from id: Int) {
        guard let watch = watches[id], var target = targets[watch.target] else { return }
        knownUpTo = max(knownUpTo, batch.readTime)
        let number = target.number
        let isFirst = watch.stage != .live
        target.heard()
        if isFirst {
            watches[id]?.stage = .live
            starting -= 1
            target.unheard -= 1
            if target.isCurrent, target.unheard == 0 { caughtUp() }
        }
        var changes = batch.changes
        var isReset = batch.isReset
        var keys = isReset ? nil : batch.keys
        if isReset, case .document(let key) = target.watched[watch.index] {
            // The whole state of one document is an ordinary change: the other documents stay as they are.
            isReset = false
            keys = isFirst && target.start?.wantsKeys == true ? (changes.isEmpty ? [] : [key]) : nil
            if changes.isEmpty, !isFirst || target.hasOlderState { changes = [.remove(key)] }
        }
        if isReset, !isFirst || target.announcesBeginning {
            pending.reset(number)
            if target.isCurrent { beginning += 1 }
            target.beganAnew()
        }
        targets[number] = target
        if isFirst || isReset {
            pending.begin(number, batch, changes)
        } else {
            pending.fold(number, batch)
        }
        // With a completely new state there is nothing to compare.
        if let keys { pending.compare(number, keys) }
        if target.unheard == 0, !target.isCurrent { pending.completed(number) }
        boundWhatIsHeld()
    }

    mutating func fail(_ id: Int, _ error: FirestoreError) {
        guard let watch = watches[id] else { return }
        // The end of a target is final for its client. A stream that ends is begun again, with the tokens of its targets.
        if error.code == .unavailable { return fail(RPCStatus(error)) }
        remove(watch.target, because: error)
    }

    /// All watches have received everything up to this time.
    mutating func roundEnded(_ time: DocumentVersion) {
        deliveredUpTo = max(deliveredUpTo, time)
        // A watch is ahead of the others, and no later event may show when they catch up.
        if question != .asked { question = deliveredUpTo < knownUpTo ? .wanted : .idle }
    }

    /// The answer to `askTime`.
    mutating func timeArrived(_ time: DocumentVersion) {
        question = .idle
        if case .wantsTime = snapshot { snapshot = .due }
        roundEnded(time)
    }

    mutating func timeFailed(_ error: FirestoreError) {
        question = .idle
        if case .over = life { return }
        life = .failed(RPCStatus(.unavailable, "the database can no longer be watched: \(error)"))
    }

    // MARK: The stream

    mutating func fail(_ status: RPCStatus) { if isOpen { life = .failed(status) } }

    /// The database cannot be listened to.
    mutating func endBehindReplies() { if isOpen { life = .refused } }

    mutating func halfClosed() {
        switch life {
        case .open: life = .halfClosed
        case .draining: life = .draining(isHalfClosed: true)
        case .halfClosed, .refused, .failed, .over: break
        }
    }

    /// Accepts nothing new; after one more snapshot the stream ends.
    mutating func drain() {
        switch life {
        case .open: life = .draining(isHalfClosed: false)
        case .halfClosed: life = .draining(isHalfClosed: true)
        case .draining, .refused, .failed, .over: return
        }
        if case .quiet = snapshot, hasCurrentTarget { snapshot = .wantsTime }
    }

    /// A tick of the timer.
    mutating func tick() {
        guard case .quiet(let ticks) = snapshot else { return }
        let isIdle = ticks + 1 >= Self.idleTicks && sending == nil && !isLagging && hasCurrentTarget
        snapshot = isIdle ? .wantsTime : .quiet(ticks: ticks + 1)
    }

    private var hasCurrentTarget: Bool { targets.values.contains(where: \.isCurrent) }
}
