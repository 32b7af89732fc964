// SPDX-License-Identifier: Apache-2.0

/// Up to which batch the queue was sent: batches are sent in the order of their numbers.
struct SentMarks {
    /// The newest batch that the authority may have: from this connection, or from an earlier one that broke before the answer, of this
    /// process or another.
    private(set) var doubtful: BatchID = 0
    /// The newest batch that must stay as it is. What was queued before the start, or before the user changed, may have been sent then.
    private(set) var fixed: BatchID = 0
    /// The newest batch that the store has recorded as sent.
    var recorded: BatchID = 0

    init() {}

    /// `recorded`: as the store has it. `highest`: the newest batch that was queued.
    init(recorded: BatchID, highest: BatchID) {
        self.recorded = recorded
        doubtful = recorded
        fixed = max(recorded, highest)
    }

    /// A batch is sent.
    mutating func note(_ id: BatchID) {
        doubtful = max(doubtful, id)
        fixed = max(fixed, id)
    }
}
