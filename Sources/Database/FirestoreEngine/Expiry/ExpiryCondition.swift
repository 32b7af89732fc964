// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Lets the deletion of an expired document through as long as the policy exists: a policy that was removed in the meantime, by any
/// process, deletes nothing more.
struct ExpiryCondition: CommitCondition {
    /// The number of the policy's index, which is dropped with it.
    let index: Int64

    func check(_ commit: any CommitState) throws(FirestoreError) {
        let indexes = (commit as? CommitApplication)?.catalog.indexes ?? []
        guard indexes.contains(where: { $0.number == index && $0.isForExpiry }) else {
            throw FirestoreError(.aborted, "the policy by which the document has expired was removed")
        }
    }

    var weight: Int { 16 }
}
