// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Judges a request by a ruleset. Not copyable: it is large, and there is one per request.
struct Judge<Recorder: EvaluationRecorder>: ~Copyable {
    let ruleSet: RuleSet
    let request: RulesRequest
    private var accesses: DocumentAccesses
    private var patternBudget = RulesPattern.Budget()
    private(set) var recorder: Recorder
    private(set) var usesTime = false
    private(set) var debugged: [(node: NodeID, value: RulesValue)] = []

    init(_ ruleSet: RuleSet, _ request: RulesRequest, state: any RulesState, recorder: Recorder) {
        self.ruleSet = ruleSet
        self.request = request
        self.recorder = recorder
        let operations =
            switch request.operation {
            case .get(let keys): keys.count
            case .list: 1
            case .commit(let writes): writes.count
            }
        accesses = DocumentAccesses(state, operations: operations)
    }

    var readDocuments: [DocumentKey] { accesses.keys }

    var database: String { request.database.databaseID }

    // MARK: Operations

    mutating func isGranted(_ state: any RulesState) throws(FirestoreError) -> Bool {
        switch request.operation {
        case .get(let keys):
            for key in keys where !(try mayGet(key, state)) { return false }
        case .list(let query): return try mayList(query)
        case .commit(let writes):
            for change in DocumentChange.all(of: writes) where !(try mayWrite(change, state)) { return false }
        }
        return true
    }

    private mutating func mayGet(_ key: DocumentKey, _ state: any RulesState) throws(FirestoreError) -> Bool {
        try isGranted(key, facts(.get, key, before: state.before(key)))
    }

    private mutating func mayWrite(_ change: DocumentChange, _ state: any RulesState) throws(FirestoreError) -> Bool {
        let key = change.key
        guard !change.isVerification else { return try mayGet(key, state) }
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
            after.map { .document(DocumentFacts(key: key, fields: $0, database: database)) } ?? .deleted
        return try isGranted(key, facts(method, key, before: method == .create ? nil : before, outcome))
    }

    private func facts(
        _ method: RulesMethod, _ key: DocumentKey, before: Document?, _ outcome: RequestFacts.Outcome = .none
    ) -> RequestFacts {
        let resource: RulesValue =
            before.map { .map(.document(DocumentFacts(key: key, fields: $0.fields, database: database))) } ?? .null
        return RequestFacts(
            method: method, database: database, caller: request.caller, time: request.time, isInTransaction: isInTransaction,
            path: key.path, resource: resource, outcome: outcome)
    }

    /// Every commit counts as a transaction.
    var isInTransaction: Bool {
        if case .commit = request.operation { true } else { request.isInTransaction }
    }

    private mutating func isGranted(_ key: DocumentKey, _ facts: RequestFacts) throws(FirestoreError) -> Bool {
        accesses.beginOperation()
        return try evaluate(facts, .document(RequestPath(database: database, path: key.path)))
    }

    // MARK: Statements

    mutating func beginList() { accesses.beginOperation() }

    /// Whether one of the statements that match grants.
    mutating func evaluate(_ facts: RequestFacts, _ place: RequestPlace) throws(FirestoreError) -> Bool {
        recorder.begin(facts)
        let method = MethodSet(facts.method)
        var evaluation = Evaluation(
            ruleSet, facts, place: place, accesses: accesses, patternBudget: patternBudget, recorder: recorder,
            takesAssumptions: !request.strictLists)
        defer {
            accesses = evaluation.accesses
            patternBudget = evaluation.patternBudget
            recorder = evaluation.recorder
            usesTime = usesTime || evaluation.usesTime
            if !evaluation.debugged.isEmpty { debugged += evaluation.debugged }
        }
        for pattern in ruleSet.rules.table.matches(place) {
            evaluation.pattern = pattern
            for statement in ruleSet.rules.statements[pattern] where !statement.methods.isDisjoint(with: method) {
                evaluation.recorder.begin(statement)
                let outcome = try outcome(of: statement, &evaluation)
                evaluation.recorder.end(statement, outcome)
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
        of statement: AllowStatement, _ evaluation: inout Evaluation<Recorder>
    ) throws(FirestoreError) -> StatementOutcome {
        guard let condition = statement.condition else { return .granted }
        evaluation.locals.removeAll(keepingCapacity: true)
        evaluation.frame = 0
        var result: Result<Bool, Interruption>?
        if statement.isDeep {
            guard LargeStack.run({ result = evaluation.result(of: condition) }) else { throw Self.noThread }
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
