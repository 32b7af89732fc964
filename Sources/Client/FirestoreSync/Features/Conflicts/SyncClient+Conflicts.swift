// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncClient {
    package func write(
        _ writes: [Write], onConflict rule: ConflictRule, saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write(writes, option: rule.requiresUnchanged ? rule : nil, saved: saved, completion: completion)
    }
}

extension SyncEngine {
    /// Queues the writes of one call, with a rule for conflicts.
    package func write(
        _ writes: [Write], onConflict rule: ConflictRule, completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write([WriteCall(writes: writes, option: rule, completion: completion)])
    }
}
