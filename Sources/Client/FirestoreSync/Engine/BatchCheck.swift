// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreWire

/// Checks a batch before it is queued. Rejected later, it would be rolled back after the call that made it is long forgotten; and one
/// that is too large for the transport is never answered at all, so that everything behind it would wait forever (SY-70).
enum BatchCheck {
    /// Throws `invalidArgument` with the document, or with the first one if the batch as a whole is too large.
    static func check(_ writes: [Write], in database: DatabaseID) throws(FirestoreError) {
        guard let first = writes.first else { return }
        do throws(FirestoreError) {
            try WriteCheck.check(writes)
        } catch {
            throw error.located(at: first.key.path)
        }
        let bytes = CommitRequest(database: database, writes: writes).encoded().count
        guard bytes <= Limits.requestBytes else {
            throw .invalidArgument(
                "the commit takes \(bytes) bytes and exceeds the maximum of \(Limits.requestBytes); split it", at: first.key.path)
        }
    }
}
