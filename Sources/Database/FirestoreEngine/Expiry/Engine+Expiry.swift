// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreStorage

extension Engine: ExpiryAdministration {
    package func setPolicy(collectionGroup: String, field: FieldPathSegments, offset: Duration) async throws(FirestoreError) {
        try admit(.embedded)
        let policy = try ExpiryPolicy(collectionGroup: collectionGroup, field: field, offset: offset)
        try await core.expiry.change { (policies) throws(FirestoreError) in try StoredPolicies.setting(policy, in: policies) }
    }

    package func removePolicy(collectionGroup: String, field: FieldPathSegments) async throws(FirestoreError) {
        try admit(.embedded)
        try await core.expiry.change { policies in policies.filter { !$0.isOfGroup(collectionGroup) || $0.field != field } }
    }

    package func state(collectionGroup: String, field: FieldPathSegments) async throws(FirestoreError) -> ExpiryState? {
        try admit(.embedded)
        let policies = try await core.expiry.policies()
        guard let policy = policies.first(where: { $0.isOfGroup(collectionGroup) && $0.field == field }) else { return nil }
        return try await core.expiry.policyState(policy.index)
    }

    package func policies() async throws(FirestoreError) -> [ExpiryPolicy] {
        try admit(.embedded)
        return try await core.expiry.policies()
    }

    package func replacePolicies(_ policies: [ExpiryPolicy]) async throws(FirestoreError) {
        try admit(.embedded)
        try ExpiryPolicy.check(policies)
        // Most databases have none, and remain without a write.
        let present = try await core.expiry.policies()
        guard try present != StoredPolicies.sorted(StoredPolicies.keepingOffsets(policies, of: present)) else { return }
        try await core.expiry.change { (present) throws(FirestoreError) in try StoredPolicies.keepingOffsets(policies, of: present) }
    }
}

extension Engine {
    /// Deletes the documents that have expired by now, and returns when they are deleted.
    package func deleteExpired() async throws(FirestoreError) {
        try checkIsOpen()
        let result = await withCheckedContinuation { continuation in
            core.expiry.deleteExpired { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Deletes the documents that have expired by now, on the calling thread's time: for a clock that a test moves.
    package func deleteExpiredNow() throws(FirestoreError) {
        try checkIsOpen()
        let outcome = Mutex(Result<Void, FirestoreError>.success(()))
        let semaphore = DispatchSemaphore(value: 0)
        core.expiry.deleteExpired { result in
            outcome.withLock { $0 = result }
            semaphore.signal()
        }
        semaphore.wait()
        try outcome.withLock { $0 }.get()
    }

    /// When the first document expires, or has expired, in microseconds since 1970; nil if none does.
    package func firstExpiry() async throws(FirestoreError) -> Int64? {
        try checkIsOpen()
        return try await core.expiry.firstExpiry()
    }

    /// Calls `body` after every change of the policies by this process. One caller.
    package func whenPoliciesChange(_ body: @escaping @Sendable () -> Void) { core.expiry.whenPoliciesChange(body) }

    /// How many documents were deleted since the database was opened because they had expired.
    package var expiredCount: Int { core.expiry.figures.deleted }

    /// For how many seconds the first document has been expired that is not deleted yet.
    package var expiryDelay: Double { core.expiry.delay }
}
