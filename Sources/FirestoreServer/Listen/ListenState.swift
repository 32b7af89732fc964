// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// One Listen stream: what has been asked for, what the peer knows, and what is to be done and sent next.
///
/// Does nothing itself. Events come in by methods; `next` gives what to do, one thing at a time, and is asked until it has
/// nothing more. Frames are made only when the peer has room for them: until then what happens is folded (`PendingStep`),
/// and beyond a bound the watches are given up and later taken up again where the peer stands.
///
/// A *step* is cut when everything told so far is true at one moment: the moment up to which all watches have been told
/// everything (`told`) has reached the latest that any of them knows (`ahead`). It ends in a snapshot (LS-11, LS-17).
struct ListenState {
    enum Action {
        case watch(Int, WatchTarget, from: WatchResumption?)
        case cancel(Int)
        /// `timeArrived` wants to know up to when the watches have been told everything.
        case askTime
        case send([ListenResponse])
        /// The last thing to do.
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
    var targets: [Int: ListenedTarget] = [:]
    /// By what the peer calls them.
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
    /// The time of the last step: with what has been sent or is being sent the peer has everything up to it.
    private var lastStep = DocumentVersion.none

    private var told = DocumentVersion.none
    private var ahead = DocumentVersion.none
    private var question = Question.idle
    private var pace = Pace.following
    /// Targets whose CURRENT has not been made out. Who resumed one of them at a snapshot sent meanwhile would miss what it
    /// has not been told, and a snapshot's token is for all targets: that of such a snapshot says where they stand.
    private var beginning = 0
    private var snapshot = SnapshotDemand.quiet(ticks: 0)
    private var life = Life.open

    /// Whether the service is asked up to when the watches have been told everything.
    private enum Question { case idle, wanted, asked }

    /// How the peer takes what there is for it.
    private enum Pace {
        case following
        /// Too much came while it took nothing: its watches have been given up.
        case lagging
        /// It has taken what was on its way. So many targets do not know again yet what it knows of them: no snapshot before
        /// that.
        case catchingUp(targets: Int)
    }

    /// Whether a snapshot is due, with news or without.
    private enum SnapshotDemand {
        /// Not now. The stream has been idle for so many ticks.
        case quiet(ticks: Int)
        case wantsTime
        case due
    }

    private enum Life {
        case open
        /// The peer has said everything; the stream ends when it has no targets.
        case halfClosed
        /// Ends after a last snapshot.
        case draining(isHalfClosed: Bool)
        /// Ends once the answers to requests are out.
        case refused
        /// Ends now.
        case failed(RPCStatus)
        case over
    }

    /// A heartbeat comes at the third tick without a snapshot (LS-21).
    private static let idleTicks = 3
    private static let framesAtOnce = 64

    init(database: DatabaseID, limits: ListenLimits = ListenLimits()) {
        self.database = database
        self.limits = limits
    }

    // MARK: What to do next

    /// nil: nothing until something happens.
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

    /// Whether the stream ends before anything else is done, and how.
    private func end(isWritable: Bool) -> Action? {
        switch life {
        case .open, .halfClosed, .over: return nil
        case .refused: return replies.isEmpty ? .finish(nil) : nil
        case .failed(let status): return .finish(status)
        case .draining:
            // A peer that does not take what is there will resume from the last snapshot it got.
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

    /// Requests are taken only then: their answers are not to pile up.
    var takesRequests: Bool { replies.isEmpty && isOpen }

    private var isOpen: Bool {
        switch life {
        case .open, .halfClosed: true
        case .draining, .refused, .failed, .over: false
        }
    }

    private var isLagging: Bool { if case .lagging = pace { true } else { false } }

    private mutating func cut() {
        guard sending == nil, case .following = pace, told >= ahead, !pending.isEmpty || isSnapshotDue else { return }
        let step = pending.take()
        lastStep = told
        snapshot = .quiet(ticks: 0)
        for number in step.currents where targets[number]?.isCurrent == false {
            targets[number]?.becameCurrent()
            beginning -= 1
        }
        sending = SendingStep(step, at: told, of: database)
        for number in step.resets { targets[number]?.wentOut() }
        for first in step.firstStates { targets[first.target]?.wentOut() }
    }

    private var isSnapshotDue: Bool { if case .due = snapshot { true } else { false } }

    private mutating func nextFrames() -> [ListenResponse] {
        guard var step = sending else { return [] }
        // Only one may hold the step while it changes, or its documents would be copied.
        sending = nil
        // Targets that came after the step was cut are among them.
        let laggards = beginning == 0 ? [:] : laggards
        let frames = step.next(Self.framesAtOnce, except: laggards) { targets[$0]?.id }
        if step.isDone {
            for number in step.currents where targets[number]?.isOnce == true { remove(number, because: nil) }
        } else {
            sending = step
        }
        return frames
    }

    /// Where the targets stand that have not been told everything up to the last step.
    private var laggards: [Int32: DocumentVersion?] {
        var laggards: [Int32: DocumentVersion?] = [:]
        for target in targets.values where !target.isCurrent {
            let stand = target.standing == .asked ? target.start?.time.flatMap { $0 <= lastStep ? $0 : nil } : nil
            laggards.updateValue(stand, forKey: target.id)
        }
        return laggards
    }

    /// Starts as many watches at once as there may be, and none while first states wait to be sent; but those that catch
    /// up come first, and the others' states may have to wait for them.
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
                // Of what has been told in part nobody knows where it stands.
                case .interrupted: nil
                case .asked, .partial: target.start
                }
            return .watch(id, target.watched[watch.index], from: known)
        }
        return nil
    }

    // MARK: Targets

    /// Numbers for a target and its watches, which wait for their start.
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
        // The end is the front.
        waiting.insert(contentsOf: target.watches.reversed(), at: 0)
    }

    mutating func reply(_ kind: TargetChange.Kind, _ id: Int32, because cause: FirestoreError? = nil) {
        replies.append(.targetChange(TargetChange(kind, targets: [id], cause: cause)))
    }

    /// An id for a target that came without one (LS-3).
    mutating func assignID() -> Int32 {
        repeat { lastAssigned = lastAssigned == .max ? 1 : lastAssigned + 1 } while numbers[lastAssigned] != nil
        return lastAssigned
    }

    var hasAssignedIDs: Bool { lastAssigned > 0 }

    /// The target is gone, and its peer told so.
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
        // Without a step on its way the peer is not to blame: what is held waits for a moment that all is true at.
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

    /// The peer has taken what was on its way: everything from there on.
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

    /// A target knows again what the peer knows of it, or is gone.
    private mutating func caughtUp() {
        guard case .catchingUp(let count) = pace else { return }
        pace = count > 1 ? .catchingUp(targets: count - 1) : .following
    }

    // MARK: What the service tells

    mutating func receive(_ batch: WatchBatch, from id: Int) {
        guard let watch = watches[id], var target = targets[watch.target] else { return }
        ahead = max(ahead, batch.readTime)
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
            // A whole state of one document is a change like any other: the other documents stay as they are.
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
        // With a whole new state there is nothing to compare.
        if let keys { pending.compare(number, keys) }
        if target.unheard == 0, !target.isCurrent { pending.completed(number) }
        boundWhatIsHeld()
    }

    mutating func fail(_ id: Int, _ error: FirestoreError) {
        guard let watch = watches[id] else { return }
        remove(watch.target, because: error)
    }

    /// All watches have been told everything up to this time.
    mutating func roundEnded(_ time: DocumentVersion) {
        told = max(told, time)
        // Some watch knows more than the others have been told; nothing may come that tells when they have.
        if question != .asked { question = told < ahead ? .wanted : .idle }
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

    /// Nothing can be listened to here.
    mutating func endBehindReplies() { if isOpen { life = .refused } }

    mutating func halfClosed() {
        switch life {
        case .open: life = .halfClosed
        case .draining: life = .draining(isHalfClosed: true)
        case .halfClosed, .refused, .failed, .over: break
        }
    }

    /// Nothing new is taken up; one more snapshot, and the stream ends.
    mutating func drain() {
        switch life {
        case .open: life = .draining(isHalfClosed: false)
        case .halfClosed: life = .draining(isHalfClosed: true)
        case .draining, .refused, .failed, .over: return
        }
        if case .quiet = snapshot, hasCurrentTarget { snapshot = .wantsTime }
    }

    /// Time passes.
    mutating func tick() {
        guard case .quiet(let ticks) = snapshot else { return }
        let isIdle = ticks + 1 >= Self.idleTicks && sending == nil && !isLagging && hasCurrentTarget
        snapshot = isIdle ? .wantsTime : .quiet(ticks: ticks + 1)
    }

    private var hasCurrentTarget: Bool { targets.values.contains(where: \.isCurrent) }
}
