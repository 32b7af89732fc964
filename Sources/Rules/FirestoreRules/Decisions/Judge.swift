// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Judges a request by a ruleset. Not copyable: it is large, and there is one per request.
struct Judge<Recorder: EvaluationRecorder>: ~Copyable {
    let ruleSet: RuleSet
    private let strictLists: Bool
    private var accesses: DocumentAccesses
    private var patternBudget = RulesPattern.Budget()
    private(set) var recorder: Recorder
    private(set) var usesTime = false
    private(set) var debugged: [(node: NodeID, value: RulesValue)] = []

    init(_ ruleSet: RuleSet, _ request: RulesRequest, state: any RulesState, recorder: Recorder) {
        self.ruleSet = ruleSet
        strictLists = request.strictLists || request.isOfPipeline
        self.recorder = recorder
        let (operations, writes): (Int, [Write]) =
            switch request.operation {
            case .get(let keys): (keys.count, [])
            case .list: (1, [])
            case .pipeline(let reads): (reads.lists.count + reads.keys.count, [])
            case .commit(let writes): (writes.count, writes)
            }
        accesses = DocumentAccesses(state, operations: operations, writes: writes)
    }

    var readDocuments: [DocumentKey] { accesses.keys }

    // MARK: Operations

    /// Whether the request that the judge was made for is granted.
    mutating func isGranted(_ request: RulesRequest, _ state: any RulesState) throws(FirestoreError) -> Bool {
        // First: nothing is read, applied or proved for a request that no statement speaks of.
        if let part = ruleSet.unspokenPart(of: request.operation, in: request.database) {
            if Recorder.isRecording { recorder.begin(RequestFacts(request, unspoken: part)) }
            return false
        }
        switch request.operation {
        case .get(let keys):
            for key in keys where !(try mayGet(key, request, state)) { return false }
        case .list(let query): return try mayList(query, request)
        case .pipeline(let reads):
            // The service keeps pipelines that write, and those that read nothing, from callers under rules.
            guard !reads.writes, !reads.isEmpty else { return false }
            for query in reads.lists where !(try mayList(query, request)) { return false }
            for key in reads.keys where !(try mayGet(key, request, state)) { return false }
        case .commit(let writes):
            for change in DocumentChange.all(of: writes) where !(try mayWrite(change, request, state)) { return false }
        }
        return true
    }

    private mutating func mayGet(
        _ key: DocumentKey, _ request: RulesRequest, _ state: any RulesState
    ) throws(FirestoreError) -> Bool {
        try isGranted(RequestFacts(request, .get, key, before: state.before(key)))
    }

    private mutating func mayWrite(
        _ change: DocumentChange, _ request: RulesRequest, _ state: any RulesState
    ) throws(FirestoreError) -> Bool {
        let key = change.key
        guard !change.isVerification else { return try mayGet(key, request, state) }
        // First: applying the commit reads the document, which is then known.
        var after: FieldBytes?
        do throws(FirestoreError) {
            after = try state.after(key)?.fields
        } catch {
            guard error.isOfWrite else { throw error }
            // The commit fails in any case; whether the caller may know why depends on the rules (SR-23).
            after = change.intended
        }
        let before = try state.before(key)
        let method = change.method(exists: before != nil, remains: after != nil)
        let outcome: RequestFacts.Outcome =
            after.map { .document(DocumentFacts(key: key, fields: $0, database: request.database.databaseID)) } ?? .deleted
        return try isGranted(RequestFacts(request, method, key, before: method == .create ? nil : before, outcome))
    }

    private mutating func isGranted(_ facts: RequestFacts) throws(FirestoreError) -> Bool {
        accesses.beginOperation()
        return try evaluate(facts)
    }

    // MARK: Statements

    mutating func beginList() { accesses.beginOperation() }

    /// Whether one of the statements that match grants.
    mutating func evaluate(_ facts: RequestFacts) throws(FirestoreError) -> Bool {
        recorder.begin(facts)
        let method = MethodSet(facts.method)
        var evaluation = Evaluation(
            ruleSet, facts, accesses: accesses, patternBudget: patternBudget, recorder: recorder,
            takesAssumptions: !strictLists)
        defer {
            accesses = evaluation.accesses
            patternBudget = evaluation.patternBudget
            recorder = evaluation.recorder
            usesTime = usesTime || evaluation.usesTime
            if !evaluation.debugged.isEmpty { debugged += evaluation.debugged }
        }
        for pattern in ruleSet.rules.table.matches(facts.place) {
            evaluation.pattern = pattern
            for index in ruleSet.rules.statements[pattern].indices {
                // The statement itself is only needed by recorders.
                guard !ruleSet.rules.statements[pattern][index].methods.isDisjoint(with: method) else { continue }
                if Recorder.isRecording { evaluation.recorder.begin(ruleSet.rules.statements[pattern][index]) }
                let outcome = try outcome(
                    of: ruleSet.rules.statements[pattern][index].condition, isDeep: ruleSet.rules.statements[pattern][index].isDeep,
                    &evaluation)
                if Recorder.isRecording { evaluation.recorder.end(ruleSet.rules.statements[pattern][index], outcome) }
                switch outcome {
                case .granted: return true
                case .exhausted: return false
                case .notGranted, .failed: continue
                }
            }
        }
        return false
    }

    private static var noThread: FirestoreError {
        FirestoreError(.resourceExhausted, "No thread could be started to evaluate the security rules. Try again.")
    }

    private func outcome(
        of condition: NodeID?, isDeep: Bool, _ evaluation: inout Evaluation<Recorder>
    ) throws(FirestoreError) -> StatementOutcome {
        guard let condition else { return .granted }
        var result: Result<Bool, Interruption>?
        if isDeep {
            guard RuleStack.run({ result = evaluation.result(of: condition) }) else { throw Self.noThread }
        } else {
            result = evaluation.result(of: condition)
        }
        switch result {
        case .success(let isGranted): return isGranted ? .granted : .notGranted
        case .failure(.failure(let failure)): return .failed(failure)
        case .failure(.exhausted), nil: return .exhausted
        case .failure(.state(let error)): throw error
        }
    }
}
