// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreRules

/// Applies the rules of one database to its requests. Shared by all its `RuledService`s.
package final class RuleEnforcement: Sendable {
    package struct Settings: Sendable {
        /// Rejects lists that are granted only because filters do not mention a field (SR-96).
        package var strictLists = false
        /// Whether callers learn why they are denied and what their queries cost. In production they must not: both reveal documents
        /// to which the rules do not grant access.
        package var explainsToCallers = false
        /// Receives the reasons of denials. It is called on the thread that judged, which may be that of all commits: it must return
        /// immediately. Explaining costs several times what judging does, so at most so many denials a second are explained.
        package var onDenial: (@Sendable (RulesExplanation) -> Void)?
        package var explainedDenialsPerSecond = 10
        /// Receives every decision, where coverage is counted. It is called on the thread that judged.
        package var onDecision: (@Sendable (RulesTrace) -> Void)?
        /// Receives the arguments of `debug`, in the order of evaluation. It is called on the thread that judged.
        package var onDebug: (@Sendable ([(position: SourcePosition, value: JSON)]) -> Void)?
        /// How often listeners are judged again whose conditions look at the time.
        package var timeStep = Duration.seconds(10)
        package var clock: any WallClock = SystemClock()

        package init() {}
    }

    package let rules: RulesInForce
    package let database: DatabaseID
    let settings: Settings
    /// The documents that conditions of listeners have read.
    let documents = WatchedDocuments()
    /// All listeners that are judged.
    let watches = LiveWatches()
    private let observation = Mutex<(any WatchHandle)?>(nil)
    private let isTiming = Mutex(false)
    private let denied = Mutex(0)
    private let explained = Mutex((second: Int64(0), count: 0))

    package init(_ rules: RulesInForce, database: DatabaseID, settings: Settings = Settings()) {
        self.rules = rules
        self.database = database
        self.settings = settings
        let handle = rules.observe { [weak self] _ in self?.judgeListenersAgain() }
        observation.withLock { $0 = handle }
    }

    deinit { observation.withLock { $0 }?.cancel() }

    /// How many requests and listeners were denied.
    var denials: Int { denied.withLock { $0 } }

    // MARK: Judging

    enum Verdict {
        case granted(RulesDecision)
        /// A document has to be read first.
        case needs(DocumentKey)
    }

    /// Judges a request on documents that were read before. Throws the denial.
    func judge(
        _ operation: RulesRequest.Operation, by version: RulesInForce.Version, for caller: RequestContext.Caller,
        isInTransaction: Bool = false, patience: Patience = .endless, on sample: Sample
    ) throws(FirestoreError) -> Verdict {
        let state = SampledState(sample)
        let now = version.mayReadTime ? settings.clock.now() : 0
        let time = TimestampValue(microsecondsSince1970: now).truncatedToMilliseconds
        do throws(FirestoreError) {
            return .granted(
                try judge(
                    operation, by: version, for: caller, at: time, isInTransaction: isInTransaction, patience: patience, state))
        } catch {
            if let key = state.missing { return .needs(key) }
            throw error
        }
    }

    /// Denies a request that no statement speaks of, before anything is read for it.
    func denyUnspoken(
        _ operation: RulesRequest.Operation, by version: RulesInForce.Version, for caller: RequestContext.Caller
    ) throws(FirestoreError) {
        guard case .ruleSet(let ruleSet) = version.rules, !ruleSet.speaks(of: operation, in: database) else { return }
        _ = try judge(operation, by: version, for: caller, on: Sample())
    }

    /// Judges a request on a state. Throws the denial.
    @discardableResult
    func judge(
        _ operation: RulesRequest.Operation, by version: RulesInForce.Version, for caller: RequestContext.Caller, at time: TimestampValue,
        isInTransaction: Bool, patience: Patience = .endless, _ state: any RulesState
    ) throws(FirestoreError) -> RulesDecision {
        let ruleSet: RuleSet
        switch version.rules {
        case .open: return .open
        case .broken(let error): throw .invalidArgument("Error compiling rules:\n\(error)")
        case .ruleSet(let known): ruleSet = known
        }
        var request = RulesRequest(
            operation, caller: caller, database: database, time: time, isInTransaction: isInTransaction, strictLists: settings.strictLists)
        request.patience = patience
        if let coverage = version.coverage {
            let trace = try ruleSet.trace(request, state)
            coverage.add(trace)
            settings.onDecision?(trace)
            note(trace.decision.debugged)
            guard trace.decision.isGranted else {
                denied.withLock { $0 += 1 }
                throw denial(trace.explanation)
            }
            return trace.decision
        }
        let decision = try ruleSet.decide(request, state)
        note(decision.debugged)
        guard !decision.isGranted else { return decision }
        denied.withLock { $0 += 1 }
        guard settings.explainsToCallers || mayExplain() else { throw .permissionDenied }
        throw denial(try ruleSet.trace(request, state).explanation)
    }

    private func note(_ debugged: [(position: SourcePosition, value: JSON)]) {
        if !debugged.isEmpty { settings.onDebug?(debugged) }
    }

    private func denial(_ explanation: RulesExplanation) -> FirestoreError {
        settings.onDenial?(explanation)
        guard settings.explainsToCallers else { return .permissionDenied }
        return FirestoreError(.permissionDenied, "\(FirestoreError.permissionDenied.message)\n\(explanation)")
    }

    private func mayExplain() -> Bool {
        guard settings.onDenial != nil else { return false }
        let second = settings.clock.now() / 1_000_000
        return explained.withLock { explained in
            if explained.second != second { explained = (second, 0) }
            explained.count += 1
            return explained.count <= settings.explainedDenialsPerSecond
        }
    }

    // MARK: Listeners

    /// The queue on which listeners are judged that have received nothing.
    static let queue = DispatchQueue(label: "hearth.rules")

    /// Judges all listeners again, soon.
    func judgeListenersAgain() {
        Self.queue.async { [watches] in
            for watch in watches.all { watch.judgeAgain() }
        }
    }

    /// Judges the listeners again whose conditions look at the time.
    package func timePassed() {
        for watch in watches.all where watch.usesTime { watch.judgeAgain() }
    }

    /// A listener's conditions look at the time: judges it again as time passes.
    func startTiming() {
        if isTiming.setOnce() { time() }
    }

    private func time() {
        let seconds = Int(settings.timeStep.components.seconds)
        Self.queue.asyncAfter(deadline: .now() + .seconds(max(seconds, 1))) { [weak self] in
            guard let self else { return }
            isTiming.withLock { $0 = false }
            guard watches.all.contains(where: \.usesTime) else { return }
            timePassed()
            startTiming()
        }
    }
}

extension FirestoreError {
    static let permissionDenied = FirestoreError(.permissionDenied, "Missing or insufficient permissions.")
}

/// Documents that were read for a request. A document that is not among them has to be read first.
private final class SampledState: RulesState {
    private let sample: RuleEnforcement.Sample
    /// The document that was asked for and is not known.
    private(set) var missing: DocumentKey?

    init(_ sample: RuleEnforcement.Sample) { self.sample = sample }

    func before(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard let document = sample[key] else {
            missing = key
            throw FirestoreError(.internal, "a document that a condition reads is not known yet", at: key.path)
        }
        return document
    }

    func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { try before(key) }
}

/// Listeners that have not ended.
final class LiveWatches: Sendable {
    private let watches = Mutex<[ObjectIdentifier: RuledWatch]>([:])

    var all: [RuledWatch] { watches.withLock { Array($0.values) } }

    func add(_ watch: RuledWatch) { watches.withLock { $0[ObjectIdentifier(watch)] = watch } }

    func remove(_ watch: RuledWatch) { watches.withLock { $0[ObjectIdentifier(watch)] = nil } }
}
