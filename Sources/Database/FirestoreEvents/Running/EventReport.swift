// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What happens to the events of a trigger: for logs and metrics.
package enum EventReport: Sendable {
    /// Acknowledged so many microseconds after its commit.
    case delivered(ChangeEvent, attempt: Int, latency: Int64)
    case failed(ChangeEvent, attempt: Int, DeliveryFailure)
    case buried(ChangeEvent, attempts: Int, DeliveryFailure)
    /// The oldest dead events were removed, because there were too many.
    case shelfShortened(Int)
    case switchedOff(DeliveryFailure)
    case suspectedLoop(DocumentKey)
    /// Events after this moment may be lost: the change log does not reach back so far any more.
    case lost(after: DocumentVersion)
    /// The database cannot be read or written; it is tried again.
    case trouble(FirestoreError)
}
