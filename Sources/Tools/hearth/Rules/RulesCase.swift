// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// A request, the documents that it meets, and the answer that is expected of the rules.
struct RulesCase {
    enum Answer: String, CaseIterable {
        case allow, deny
    }

    var file: String
    var name: String
    var operation: RulesRequest.Operation
    var caller: RequestContext.Caller
    var documents: [Document]
    var database: DatabaseID
    var time: TimestampValue
    var expected: Answer

    /// Throws if the rules cannot be asked: they look at a state after writes that cannot be applied.
    func run(_ rules: RuleSet, strictLists: Bool) throws(FirestoreError) -> RulesCaseResult {
        var writes: [Write] = []
        if case .commit(let all) = operation { writes = all }
        let request = RulesRequest(operation, caller: caller, database: database, time: time, strictLists: strictLists)
        let state = RulesCaseState(documents, writes, at: time, in: database)
        let trace: RulesTrace?
        do throws(FirestoreError) {
            trace = try rules.trace(request, state)
        } catch {
            guard state.failure != nil else { throw FirestoreError(error.code, "\(error)", at: "\(file), \(name)") }
            trace = nil
        }
        // A commit like this is denied, for another reason than the case is about.
        guard let trace, state.failure == nil else {
            throw .invalidArgument(
                "the writes of the case cannot be applied: \(state.failure?.message ?? "")", at: "\(file), \(name)")
        }
        return RulesCaseResult(
            file: file, name: name, expected: expected, actual: trace.decision.isGranted ? .allow : .deny, trace: trace)
    }
}

struct RulesCaseResult {
    let file: String
    let name: String
    let expected: RulesCase.Answer
    let actual: RulesCase.Answer
    let trace: RulesTrace

    var passed: Bool { expected == actual }
    var explanation: RulesExplanation { trace.explanation }
    var debugged: [(position: SourcePosition, value: JSON)] { trace.decision.debugged }
}
