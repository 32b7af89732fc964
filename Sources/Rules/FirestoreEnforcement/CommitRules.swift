// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// The condition that the rules grant a commit. All of it is judged on one state: that which the commit is applied to, by the rules that
/// are active then.
struct CommitRules: CommitCondition {
    let enforcement: RuleEnforcement
    let caller: RequestContext.Caller

    /// Rules read a bounded number of documents (SR-120), and evaluate a bounded number of expressions (SR-122).
    func check(_ commit: any CommitState) throws(FirestoreError) {
        try enforcement.judge(
            .commit(commit.writes), by: enforcement.rules.current, for: caller, at: commit.time.timestamp.truncatedToMilliseconds,
            isInTransaction: true, JudgedCommit(commit))
    }

    /// A user's claims come with every request; their size is that of a token.
    var weight: Int { 1_024 }
}

/// The state of a commit that conditions see.
private final class JudgedCommit: RulesState {
    private let commit: any CommitState

    init(_ commit: any CommitState) { self.commit = commit }

    func before(_ key: DocumentKey) throws(FirestoreError) -> Document? { try commit.before(key) }

    func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { try commit.after(key) }
}

extension TimestampValue {
    /// The time of a request has the precision of server timestamps, so that a condition can compare the two.
    var truncatedToMilliseconds: TimestampValue {
        TimestampValue(seconds: seconds, nanoseconds: nanoseconds - nanoseconds % 1_000_000)
    }
}
