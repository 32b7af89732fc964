// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A decision with everything that was evaluated for it.
package struct RulesTrace: Sendable {
    package let decision: RulesDecision
    let ruleSet: RuleSet
    let request: RulesRequest
    /// None if no rule was asked: of an administrator's request, and of one without documents.
    let operations: [TraceRecorder.Operation]
}

extension RuleSet {
    /// Decides like `decide`, and records every intermediate value. Costs several times as much; meant for development and tests.
    package func trace(_ request: RulesRequest, _ state: any RulesState) throws(FirestoreError) -> RulesTrace {
        if case .administrator = request.caller {
            return RulesTrace(decision: try decide(request, state), ruleSet: self, request: request, operations: [])
        }
        var judge = Judge(self, request, state: state, recorder: TraceRecorder())
        let isGranted = try judge.isGranted(request, state)
        return RulesTrace(decision: decision(isGranted, judge), ruleSet: self, request: request, operations: judge.recorder.operations)
    }
}
