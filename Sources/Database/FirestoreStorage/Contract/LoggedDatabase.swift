// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A database whose commits others follow: an archive, receivers of events.
package protocol LoggedDatabase: Sendable {
    /// Every commit, of every process, in order.
    var log: any CommitLog { get }

    /// How far a reader of the log has read; nil if it has no place, or lost it because it was too far behind.
    func hold(_ name: String) async throws(FirestoreError) -> DocumentVersion?

    /// Notes how far a reader has read: the log is not cut behind that place. Durable when it returns. nil ends the hold.
    func setHold(_ name: String, at time: DocumentVersion?) async throws(FirestoreError)
}
