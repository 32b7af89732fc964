// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Aborts the commit of a transaction that would violate another transaction's turn (TX-9).
///
/// Checked inside the commit: between an earlier check and the commit the holder of the turn could read, and would then be the one
/// that is aborted.
struct TurnCondition: CommitCondition {
    let id: TransactionID
    /// The reads of the transaction, as places of the line.
    let places: [DocumentKey]
    let gate: RetryGate

    func check(_ commit: any CommitState) throws(FirestoreError) {
        if let place = gate.conflict(of: id, places, commit.writes) { throw TransactionReads.conflict(at: place.path) }
    }

    var weight: Int { places.reduce(0) { $0 + $1.path.utf8.count + 64 } }
}

/// Notes the moment at which the conditions before it held.
final class MomentOfCheck: CommitCondition {
    private let moment = Mutex(DocumentVersion?.none)
    var time: DocumentVersion? { moment.withLock { $0 } }
    var weight: Int { 0 }

    func check(_ commit: any CommitState) { moment.withLock { $0 = commit.previousTime } }
}
