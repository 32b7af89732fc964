// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents that conditions can read: those of a snapshot, or of a commit before and after its writes.
///
/// `CommitState` has the same two methods. Reading ignores rules.
package protocol RulesState: AnyObject {
    /// A document before the commit; of a read, in its snapshot.
    func before(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// A document after all writes of the commit; of a read, the same as `before`.
    func after(_ key: DocumentKey) throws(FirestoreError) -> Document?
}
