// SPDX-License-Identifier: Apache-2.0

/// Options of a read, apart from its target and its caller.
package struct ReadOptions: Sendable, Hashable {
    package var moment: ReadMoment
    /// Whether the read waits for and sees everything this process submitted before it, acknowledged or not. A server reads
    /// without: it must show a caller the acknowledged state (QR-49), and does not delay it for another caller's commit.
    package var seesSubmitted: Bool

    package init(_ moment: ReadMoment = .latest, seesSubmitted: Bool = true) {
        self.moment = moment
        self.seesSubmitted = seesSubmitted
    }

    /// The latest state, including everything submitted before.
    package static let latest = ReadOptions()

    /// Reads the acknowledged state, without waiting for pending commits.
    package static func acknowledged(_ moment: ReadMoment = .latest) -> ReadOptions { ReadOptions(moment, seesSubmitted: false) }

    /// The state at an earlier moment.
    package static func past(_ time: DocumentVersion) -> ReadOptions { ReadOptions(.past(time)) }

    package static func transaction(_ id: TransactionID) -> ReadOptions { ReadOptions(.transaction(id)) }
}

/// The moment a read refers to (QR-47: exactly one of these).
package enum ReadMoment: Sendable, Hashable {
    /// Everything acknowledged before (QR-49).
    case latest
    /// The state after the last commit at or before this time, within the retention window (QR-48).
    case past(DocumentVersion)
    /// In a transaction, which records the read.
    case transaction(TransactionID)
}
