// SPDX-License-Identifier: Apache-2.0

/// The policies by which documents of a database expire, one field per collection group. A database that deletes expired documents
/// conforms.
package protocol ExpiryAdministration: Sendable {
    /// Documents of the collection group expire at the time in a field plus an offset. Replaces the policy of the field. Returns when the
    /// policy is recorded; what it needs is built in the background.
    func setPolicy(collectionGroup: String, field: FieldPathSegments, offset: Duration) async throws(FirestoreError)

    /// No document expires by the field after this returns.
    func removePolicy(collectionGroup: String, field: FieldPathSegments) async throws(FirestoreError)

    /// The state of a policy; nil if the field has none.
    func state(collectionGroup: String, field: FieldPathSegments) async throws(FirestoreError) -> ExpiryState?

    /// All policies, in the order of their collection groups.
    func policies() async throws(FirestoreError) -> [ExpiryPolicy]

    /// Makes these the policies: others are removed. One without an offset keeps the offset that the policy of its field has.
    func replacePolicies(_ policies: [ExpiryPolicy]) async throws(FirestoreError)
}

/// How far a database has come with a policy of expiry.
package enum ExpiryState: String, Sendable {
    /// The existing documents are still being looked at.
    case creating = "CREATING"
    case active = "ACTIVE"
    case needsRepair = "NEEDS_REPAIR"
}
