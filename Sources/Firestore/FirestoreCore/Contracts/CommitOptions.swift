// SPDX-License-Identifier: Apache-2.0

/// Options of a commit, apart from its writes and its caller.
package struct CommitOptions: Sendable {
    /// The transaction that the commit ends.
    package var transaction: TransactionID?
    /// The sequence of commits that this one belongs to.
    package var place: SequencePlace?
    /// Further conditions, checked in order inside the commit. The first that throws makes the commit fail with its error.
    ///
    /// A service that cannot check them where it applies the commit rejects it with `unimplemented`; conditions are never
    /// skipped.
    package var conditions: [any CommitCondition]
    /// The error of a commit that another service has refused: it fails with it in its turn, and costs nothing.
    package var refusal: FirestoreError?

    package init(
        transaction: TransactionID? = nil, place: SequencePlace? = nil, conditions: [any CommitCondition] = []
    ) {
        self.transaction = transaction
        self.place = place
        self.conditions = conditions
    }
}

/// The position of a commit in a sequence.
package struct SequencePlace: Sendable {
    package let sequence: WriteSequence
    /// Counted from 1, in the order in which the client sent the commits. A client that resends a commit after a lost
    /// connection gives it the same number.
    package let number: Int64
    /// The record that makes a repeated commit return its outcome instead of being applied again. nil: nothing is recorded.
    package let record: SequenceRecord?

    package init(_ sequence: WriteSequence, number: Int64, record: SequenceRecord? = nil) {
        self.sequence = sequence
        self.number = number
        self.record = record
    }
}
