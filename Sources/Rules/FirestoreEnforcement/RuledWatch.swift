// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreSemantics

/// A listener under rules, between the service that watches and the caller's sink.
///
/// Nothing is delivered that was not judged: the start, the state of a document target, and every batch of a query whose judgement may
/// no longer hold, because rules, caller, time or a document that its conditions have read may have changed. One step is judged at a time;
/// what arrives meanwhile waits. A denial is the last event that the sink receives.
final class RuledWatch: WatchHandle {
    enum Step: Sendable {
        case start
        /// A batch, and its numbers in the order of deliveries: several if batches were merged.
        case batch(WatchBatch, [UInt64])
        /// Something changed that the judgement relies on.
        case judge
        case fail(FirestoreError)
    }

    /// The caller, who may come with another token.
    struct Caller: Sendable {
        var caller: RequestContext.Caller
        /// Ascends with each token.
        var number = 0
    }

    /// The state that the last judgement depends on.
    struct Basis: Sendable {
        var rules: UInt64
        var caller: Caller
        /// The documents that conditions have read, and their versions.
        var documents: [DocumentKey: DocumentVersion] = [:]
        var usesTime = false
    }

    private struct State {
        var caller: Caller
        /// Steps that wait.
        var steps: [Step] = []
        /// Whether a step is being judged or delivered.
        var isBusy = false
        var hasEnded = false
        /// Whether one of the steps is to judge as of now, which serves everything that asks for it before it begins.
        var isToBeJudged = false
        var handle: (any WatchHandle)?
        /// Nil before the first judgement.
        var basis: Basis?

        mutating func take() -> Step? {
            guard !isBusy, !hasEnded, !steps.isEmpty else { return nil }
            isBusy = true
            let step = steps.removeFirst()
            if case .judge = step { isToBeJudged = false }
            return step
        }
    }

    /// Steps that wait; when there are more, batches are merged.
    static let longestQueue = 64

    let target: WatchTarget
    let service: any DocumentService
    let enforcement: RuleEnforcement
    let context: RequestContext
    private let resumption: WatchResumption?
    private let sink: any WatchSink
    private let deliveries: DeliveryOrder
    private let siblings: LiveWatches
    private let state: Mutex<State>

    init(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink, of service: RuledService
    ) {
        self.target = target
        self.service = service.service
        enforcement = service.enforcement
        self.context = context
        self.resumption = resumption
        self.sink = sink
        deliveries = service.deliveries
        siblings = service.watches
        state = Mutex(State(caller: Caller(caller: context.caller)))
    }

    var caller: Caller { state.withLock { $0.caller } }
    var basis: Basis? { state.withLock { $0.basis } }
    var usesTime: Bool { basis?.usesTime == true }

    // MARK: What makes it judge

    func start() { add(.start) }

    /// Judges it again, as of now.
    func judgeAgain() { add(.judge) }

    func judgeAgain(as caller: RequestContext.Caller) {
        state.withLock { state in
            state.caller = Caller(caller: caller, number: state.caller.number + 1)
        }
        add(.judge)
    }

    /// A document that conditions have read has another version.
    func documentChanged(_ key: DocumentKey, to version: DocumentVersion) {
        if let known = basis?.documents[key], known != version { add(.judge) }
    }

    func fail(_ error: FirestoreError) { add(.fail(error)) }

    private func add(_ step: Step) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            if case .judge = step {
                guard !state.isToBeJudged else { return }
                state.isToBeJudged = true
            }
            state.steps.append(step)
        }
        advance()
    }

    // MARK: Steps

    private func advance() {
        while let step = state.withLock({ $0.take() }) {
            guard perform(step) else { return }
            state.withLock { $0.isBusy = false }
        }
    }

    /// Returns false if the step has to wait for a read, and continues by itself.
    private func perform(_ step: Step) -> Bool {
        switch step {
        case .fail(let error):
            end(error)
            return true
        case .start:
            // The first batch of a document is judged; a query is proved before it costs anything.
            if case .document = target { return open() }
        case .batch, .judge: break
        }
        var judgement = WatchJudgement(self, step)
        do throws(FirestoreError) {
            if case (.start, .query(let query)) = (step, target) {
                try QueryCheck.checkListenable(query, database: enforcement.database)
            }
            guard try judgement.isJudgedNow() else {
                continueLater(judgement, step)
                return false
            }
            complete(step, judgement)
        } catch {
            reject(step, error)
        }
        return true
    }

    private func continueLater(_ judgement: WatchJudgement, _ step: Step) {
        Task {
            var judgement = judgement
            do throws(FirestoreError) {
                try await judgement.judge()
                complete(step, judgement)
            } catch {
                reject(step, error)
            }
            state.withLock { $0.isBusy = false }
            advance()
        }
    }

    private func complete(_ step: Step, _ judgement: WatchJudgement) {
        rely(on: judgement)
        switch step {
        case .start: _ = open()
        case .batch(_, let numbers):
            if !state.withLock({ $0.hasEnded }), let batch = judgement.batch { sink.receive(batch) }
            for number in numbers { deliveries.leave(number) }
        case .judge, .fail: break
        }
    }

    private func reject(_ step: Step, _ error: FirestoreError) {
        end(error)
        if case .batch(_, let numbers) = step { for number in numbers { deliveries.leave(number) } }
    }

    private func open() -> Bool {
        let handle = service.watch(target, from: resumption, context: context, sink: Inlet(self))
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.handle = handle }
            return state.hasEnded
        }
        if hasEnded { handle.cancel() }
        return true
    }

    private func rely(on judgement: WatchJudgement) {
        let basis = judgement.basis
        let (added, removed) = state.withLock { state -> ([DocumentKey], [DocumentKey]) in
            guard !state.hasEnded else { return ([], []) }
            let before = state.basis?.documents ?? [:]
            state.basis = basis
            return (basis.documents.keys.filter { before[$0] == nil }, before.keys.filter { basis.documents[$0] == nil })
        }
        if !removed.isEmpty { enforcement.documents.remove(self, from: removed) }
        for key in added {
            enforcement.documents.add(self, to: key, relyingOn: basis.documents[key] ?? .none, via: service)
        }
        if !added.isEmpty, state.withLock({ $0.hasEnded }) { enforcement.documents.remove(self, from: added) }
        if basis.usesTime { enforcement.startTiming() }
    }

    // MARK: End

    func cancel() { end(nil) }

    private func end(_ error: FirestoreError?) {
        let (wasLive, handle, steps, documents) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.handle = nil
                state.steps = []
            }
            return (!state.hasEnded, state.handle, state.steps, state.basis?.documents ?? [:])
        }
        guard wasLive else { return }
        handle?.cancel()
        siblings.remove(self)
        enforcement.watches.remove(self)
        enforcement.documents.remove(self, from: documents.keys)
        if let error { sink.fail(error) }
        for case .batch(_, let numbers) in steps { for number in numbers { deliveries.leave(number) } }
    }

    // MARK: What the service reports

    /// The sink of the service: the service's word and the caller's are apart.
    private final class Inlet: WatchSink {
        private let watch: RuledWatch

        init(_ watch: RuledWatch) { self.watch = watch }

        func receive(_ batch: WatchBatch) { watch.arrived(batch) }

        func fail(_ error: FirestoreError) { watch.add(.fail(error)) }
    }

    private func arrived(_ batch: WatchBatch) {
        let number = deliveries.enter()
        let isTaken = state.withLock { state in
            guard !state.hasEnded else { return false }
            if state.steps.count >= Self.longestQueue, case .batch(let last, let numbers)? = state.steps.last {
                // The merged batch is the state of the later moment, and judged there.
                state.steps[state.steps.count - 1] = .batch(last.merged(with: batch), numbers + [number])
            } else {
                state.steps.append(.batch(batch, [number]))
            }
            return true
        }
        if !isTaken { deliveries.leave(number) }
        advance()
    }
}
