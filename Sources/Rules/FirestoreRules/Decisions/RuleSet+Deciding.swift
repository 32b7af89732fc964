// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RuleSet {
    /// Whether the rules grant a request. Throws if the state cannot be read.
    ///
    /// Costs a bounded number of evaluated expressions and of documents read per operation. Rules do not apply to administrators.
    package func decide(_ request: RulesRequest, _ state: any RulesState) throws(FirestoreError) -> RulesDecision {
        if case .administrator = request.caller {
            return RulesDecision(isGranted: true, readDocuments: [], usesTime: false, debugged: [])
        }
        var judge = Judge(self, request, state: state, recorder: NoRecorder())
        let isGranted = try judge.isGranted(request, state)
        return decision(isGranted, judge)
    }

    func decision<Recorder>(_ isGranted: Bool, _ judge: borrowing Judge<Recorder>) -> RulesDecision {
        RulesDecision(
            isGranted: isGranted, readDocuments: judge.readDocuments, usesTime: judge.usesTime,
            debugged: judge.debugged.map { (source.position(of: rules.program.ranges[$0.node]), $0.value.json) })
    }
}
