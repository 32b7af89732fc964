// SPDX-License-Identifier: Apache-2.0

/// How a commit is done, beside what it writes and who asks for it.
package struct CommitOptions: Sendable {
    /// The transaction that the commit ends.
    package var transaction: TransactionID?
    /// The commits of which this one is a member.
    package var place: SequencePlace?
    /// What else must hold, asked in order inside the commit. The first that throws refuses the commit with its error.
    ///
    /// A service that cannot ask them where it applies the commit refuses it with `unimplemented`: a condition is never
    /// passed over.
    package var conditions: [any CommitCondition]

    package init(
        transaction: TransactionID? = nil, place: SequencePlace? = nil, conditions: [any CommitCondition] = []
    ) {
        self.transaction = transaction
        self.place = place
        self.conditions = conditions
    }
}

/// Which commit of a sequence one is.
package struct SequencePlace: Sendable {
    package let sequence: WriteSequence
    /// Counted from 1, in the order in which the client sent them. A client that sends a commit again after a lost
    /// connection gives it its number of before.
    package let number: Int64

    package init(_ sequence: WriteSequence, number: Int64) {
        self.sequence = sequence
        self.number = number
    }
}
