// SPDX-License-Identifier: Apache-2.0

/// Limits of the storage for sequences of commits that clients may resume. Beyond a limit the least recently used sequences
/// are discarded; resuming one of them fails with `sequenceLost`.
package struct SequenceLimits: Sendable {
    /// How long a sequence is retained after its last commit, in microseconds: a week, so that a device that was off over a holiday
    /// weekend does not lose its sequence, and a deleted app does not occupy the database for long.
    package var retention: Int64 = 7 * 24 * 3_600_000_000
    /// The outcomes of one sequence. As many commits may be unanswered on a Write stream, so a client that confirms the outcomes it has
    /// received never needs more.
    package var outcomes = 256
    /// The bytes of the outcomes of one sequence, beyond which its oldest go; the last one stays. As much as Hearth's client sends
    /// ahead, and answers are shorter than their requests: a stream that never confirms cannot take more, nor displace others.
    package var outcomeBytes = 4 * 1_024 * 1_024
    /// All sequences together. The table of them takes about two megabytes of memory then.
    package var total = Share(sequences: 10_000, bytes: 64 * 1_024 * 1_024)
    /// The sequences of one user: a sequence per device and cache is enough.
    package var user = Share(sequences: 100, bytes: 8 * 1_024 * 1_024)
    /// The sequences of all anonymous callers, and those of all administrators: half of the total, so that callers who need no
    /// account cannot displace the sequences of users.
    package var shared = Share(sequences: 5_000, bytes: 32 * 1_024 * 1_024)
    /// Sequences removed in one transaction, so that no commit waits long. An expired or displaced sequence is not resumed even if
    /// it has not been removed yet.
    package var removedAtOnce = 8
    /// The pause between two searches for expired sequences, in microseconds.
    package var pause: Int64 = 3_600_000_000

    package struct Share: Sendable {
        package var sequences: Int
        /// The bytes of their keys and values in the database.
        package var bytes: Int
    }
}
