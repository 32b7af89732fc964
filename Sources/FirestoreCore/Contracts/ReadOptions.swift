// SPDX-License-Identifier: Apache-2.0

/// How a read is done, beside what it asks and who asks it.
package struct ReadOptions: Sendable, Hashable {
    package var moment: ReadMoment
    /// The read sees what this process submitted before it, acknowledged or not, and waits for it. A server reads without:
    /// it owes a caller what was acknowledged (QR-49), and does not make the caller wait for another one's commit.
    package var seesSubmitted: Bool

    package init(_ moment: ReadMoment = .latest, seesSubmitted: Bool = true) {
        self.moment = moment
        self.seesSubmitted = seesSubmitted
    }

    /// The latest state, with everything submitted before.
    package static let latest = ReadOptions()

    /// What has been acknowledged, without waiting for what has only been submitted.
    package static func acknowledged(_ moment: ReadMoment = .latest) -> ReadOptions { ReadOptions(moment, seesSubmitted: false) }

    /// As it was at an earlier moment.
    package static func past(_ time: DocumentVersion) -> ReadOptions { ReadOptions(.past(time)) }

    /// In a transaction.
    package static func transaction(_ id: TransactionID) -> ReadOptions { ReadOptions(.transaction(id)) }
}

/// When what is read was true (QR-47: one of these, never two).
package enum ReadMoment: Sendable, Hashable {
    /// Everything acknowledged before (QR-49).
    case latest
    /// As it was after the last commit at or before this time, within the retention window (QR-48).
    case past(DocumentVersion)
    /// In a transaction, which remembers what was read.
    case transaction(TransactionID)
}
