// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The policies of expiry as they are stored, in one fact: the store of a database is asked for one value.
enum StoredPolicies {
    static let fact = "hearth/admin/expiry"
    /// The maximum number of policies of a database.
    static let maximum = 1_000

    /// None if the bytes are damaged: then nothing expires.
    static func decode(_ bytes: ByteSlice?) -> [ExpiryPolicy] {
        guard let bytes, let node = try? JSONNode(JSON(bytes.array)), let elements = try? node.elements() else { return [] }
        let policies = elements.compactMap { policy($0) }
        return policies.count == elements.count ? policies : []
    }

    private static func policy(_ node: JSONNode) -> ExpiryPolicy? {
        guard let group = try? node.required("collectionGroup").string(), let path = try? node.required("fieldPath").fieldPath(),
            case .number(let text)? = node.json["offset"], let offset = Int64(text)
        else { return nil }
        return try? ExpiryPolicy(collectionGroup: group, field: path, offset: .seconds(offset))
    }

    /// nil for none. Equal policies have equal bytes.
    static func encode(_ policies: [ExpiryPolicy]) -> ByteSlice? {
        guard !policies.isEmpty else { return nil }
        let elements = sorted(policies).map { policy in
            JSON.object([
                ("collectionGroup", .string(policy.collectionGroup)), ("fieldPath", .string(policy.field.canonical)),
                ("offset", .number(policy.offset)),
            ])
        }
        return ByteSlice(JSON.array(elements).bytes())
    }

    static func sorted(_ policies: [ExpiryPolicy]) -> [ExpiryPolicy] {
        policies.sorted { $0.collectionGroup.utf8.lexicographicallyPrecedes($1.collectionGroup.utf8) }
    }

    /// Policies of a source that knows fields and no offsets: those that are there keep theirs.
    static func keepingOffsets(
        _ policies: [ExpiryPolicy], of present: [ExpiryPolicy]
    ) throws(FirestoreError) -> [ExpiryPolicy] {
        try policies.map { (policy) throws(FirestoreError) in
            guard policy.offset == 0 else { return policy }
            return present.first { $0.isOfGroup(policy.collectionGroup) && $0.field == policy.field } ?? policy
        }
    }

    /// Replaces the policy of a collection group, or adds one.
    static func setting(_ policy: ExpiryPolicy, in policies: [ExpiryPolicy]) throws(FirestoreError) -> [ExpiryPolicy] {
        let others = policies.filter { !$0.isOfGroup(policy.collectionGroup) }
        if let rival = policies.first(where: { $0.isOfGroup(policy.collectionGroup) && $0.field != policy.field }) {
            throw .secondField(policy, beside: rival)
        }
        guard others.count < maximum else {
            throw FirestoreError(.resourceExhausted, "a database has at most \(maximum) policies of expiry; remove some first")
        }
        return others + [policy]
    }
}
